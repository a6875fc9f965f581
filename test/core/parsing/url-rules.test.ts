import { expect } from 'chai';
import { contactUrlRule, urlRule } from '../../../core/parsing/url-rules.ts';
import { brokenRule } from '../../../core/parsing/value-rule.ts';

describe('the rule for links by which people get in touch', () => {
  for (const url of [
    'https://tidy.example/help?about=licenses',
    'http://localhost:8080/help',
    'mailto:help@tidy.example',
    'mailto:ada.lovelace+tidy@mail.tidy.example',
    'mailto:HELP@xn--caf-dma.example',
  ]) {
    it(`takes ${url}`, () => expect(contactUrlRule.parse(url)).to.equal(url));
  }

  for (const url of [
    'mailto:',
    'mailto:help',
    'mailto:@tidy.example',
    'mailto:help@tidy',
    'mailto:help@.example',
    'mailto:help@tidy.example,ada@tidy.example',
    'mailto:help@tidy.example?bcc=eve@evil.example',
    'mailto:help@tidy.example%2Ceve@evil.example',
    'mailto:a%0Ab@tidy.example',
    'MAILTO:help@tidy.example',
    'help@tidy.example',
    'http://tidy.example',
    'http://localhost.tidy.example',
    'http://127.0.0.1.tidy.example',
    'http://localhost@tidy.example',
    'javascript:alert(1)',
    ' mailto:help@tidy.example',
    'mailto:help@tidy.example\n',
    `mailto:help@${'x.'.repeat(1100)}example`,
  ]) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))}`, () => expect(contactUrlRule.parse(url)).to.equal(null));
  }

  it('says which part is wrong, as the rule of other URLs does', () => {
    for (const rule of [urlRule, contactUrlRule]) {
      expect(brokenRule(rule, 'https://münchen.example')).to.include('Punycode');
      expect(brokenRule(rule, 'http://tidy.example')).to.equal(rule.rule);
      expect(brokenRule(rule, 'https://[::1]/')).to.include('IPv6');
      for (const origin of ['https://tidy.example', 'http://127.0.0.1:3000']) {
        expect(brokenRule(rule, `${origin}/ü#é`)).to.include('percent-encode');
      }
    }
    expect(brokenRule(contactUrlRule, 'mailto:help')).to.equal(contactUrlRule.rule);
  });

  it('is that of other URLs apart from mail', () => {
    expect([urlRule, contactUrlRule].map((rule) => rule.parse('https://ada@tidy.example'))).to.deep.equal([null, null]);
    expect(urlRule.parse('mailto:help@tidy.example')).to.equal(null);
  });
});
