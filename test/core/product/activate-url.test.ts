import { expect } from 'chai';
import { brokenRule } from '../../../core/parsing/value-rule.ts';
import { activateUrlForm, activateUrlRule, activationLink } from '../../../core/product/activate-url.ts';

const long = (length: number): string => `sketchpad:{key}${'x'.repeat(length - 15)}`;

describe('the link that opens an app with a key', () => {
  for (const link of [
    'sketchpad://activate?key={key}',
    'sketchpad:{key}',
    'com.example.sketch-pad+1://{key}/now?a=b#c',
    'ab:{key}',
    `${'a'.repeat(31)}:{key}`,
    'httpss://{key}',
    'javascripts:{key}',
    long(500),
  ]) {
    it(`may be ${link.slice(0, 60)}`, () => {
      expect(activateUrlRule.parse(link)).to.equal(link);
      expect(link).to.match(new RegExp(activateUrlForm.pattern));
    });
  }

  const foreign =
    'http https javascript data vbscript file blob about mailto tel ws wss ftp intent view-source filesystem sms sftp ftps';
  for (const scheme of foreign.split(' ')) {
    it(`has no scheme that others open: ${scheme}`, () => {
      for (const link of [`${scheme}:{key}`, `${scheme}://activate?key={key}`, `${scheme.toUpperCase()}:{key}`]) {
        expect(activateUrlRule.parse(link), link).to.equal(null);
        expect(brokenRule(activateUrlRule, link)).to.include('a scheme of the app');
      }
    });
  }

  for (const [link, says] of [
    ['', 'must begin with a scheme'],
    ['{key}', 'must begin with a scheme'],
    ['Sketchpad:{key}', 'in lower case'],
    ['1pad:{key}', 'must begin with a scheme'],
    [' sketchpad:{key}', 'must begin with a scheme'],
    ['java\nscript:{key}', 'must begin with a scheme'],
    ['\u0001javascript:{key}', 'must begin with a scheme'],
    ['a:{key}', 'of 2 to 31 characters'],
    [`${'a'.repeat(32)}:{key}`, 'of 2 to 31 characters'],
    ['//sketchpad.example/{key}', 'must begin with a scheme'],
    ['sketchpad://activate', '{key} once'],
    ['sketchpad://{key}?key={key}', '{key} once'],
    ['sketchpad://{KEY}', '{key} once'],
    ['sketchpad://{product}?key={key}', 'no other braces'],
    ['sketchpad://{{key}}', 'no other braces'],
    ['sketchpad://activate key={key}', 'without spaces'],
    ['sketchpad://aktivé?key={key}', 'percent-encode'],
    ['sketchpad://\u202e?key={key}', 'percent-encode'],
    [long(501), 'at most 500'],
  ] as const) {
    it(`is refused as ${JSON.stringify(link.slice(0, 60))}`, () => {
      expect(activateUrlRule.parse(link)).to.equal(null);
      expect(brokenRule(activateUrlRule, link)).to.include(says);
    });
  }

  it('has the key percent-encoded, whatever the key has in it', () => {
    expect(activationLink('sketchpad://a?key={key}&x=1', 'LK-1 $& "é"<b>&key=2#')).to.equal(
      'sketchpad://a?key=LK-1%20%24%26%20%22%C3%A9%22%3Cb%3E%26key%3D2%23&x=1',
    );
    expect(activationLink('sketchpad:{key}', '\ud800')).to.equal('sketchpad:%EF%BF%BD');
  });
});
