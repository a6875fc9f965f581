import { expect } from 'chai';
import {
  mailSubjectPattern,
  mailSubjectRule,
  mailTextPattern,
  mailTextRule,
  withNames,
} from '../../../core/product/product-mail.ts';

const subject = new RegExp(mailSubjectPattern, 'u');
const text = new RegExp(mailTextPattern, 'u');

describe('the words of a product in the mail of a key', () => {
  for (const words of [
    'Your key',
    ' Your key for {product}, {tier} ',
    '{tier}',
    'Schlüssel 🔑',
    'x'.repeat(200),
    '🔑'.repeat(200),
  ]) {
    it(`may be in the subject: ${JSON.stringify(words.slice(0, 40))}`, () => {
      expect(mailSubjectRule.parse(words)).to.equal(words);
      expect(mailTextRule.parse(words)).to.equal(words);
      expect([subject.test(words), text.test(words)]).to.deep.equal([true, true]);
    });
  }

  for (const words of ['Paste it.\nThen\tgo.', '\n\nPaste {product}', 'x'.repeat(201), '🔑'.repeat(2000)]) {
    it(`may be in the text alone: ${JSON.stringify(words.slice(0, 40))}`, () => {
      expect(mailSubjectRule.parse(words)).to.equal(null);
      expect(mailTextRule.parse(words)).to.equal(words);
      expect(text.test(words)).to.equal(true);
    });
  }

  for (const words of [
    '',
    ' \t\n',
    '\ufeff',
    'a {name}',
    'a {Product}',
    '{product',
    'tier}',
    '{{product}}',
    'a\u0000b',
    'a\u0007b',
    'a\u000bb',
    'a\u001fb',
    'a\u007fb',
    'a\u009fb',
    'x'.repeat(2001),
  ]) {
    it(`may be in neither: ${JSON.stringify(words.slice(0, 40))}`, () => {
      expect([mailSubjectRule.parse(words), mailTextRule.parse(words)]).to.deep.equal([null, null]);
      if (words.length < 200) expect([subject.test(words), text.test(words)]).to.deep.equal([false, false]);
    });
  }

  it('are well-formed, and a subject is one line', () => {
    expect([mailSubjectRule.parse('\ud800'), mailTextRule.parse('\ud800')]).to.deep.equal([null, null]);
    for (const words of ['a\nb', 'a\tb', 'a\u2028b', 'a\u2029b'])
      expect([mailSubjectRule.parse(words), subject.test(words)], JSON.stringify(words)).to.deep.equal([null, false]);
  });

  it('have line feeds for line ends', () => {
    expect(mailTextRule.parse('a\r\nb\r\n')).to.equal('a\nb\n');
    expect(mailTextRule.parse('a\rb')).to.equal(null);
  });

  it('say what they must be', () => {
    expect(mailSubjectRule.rule).to.equal(
      'must be one line of at most 200 characters, not blank, with no braces but {product} and {tier}',
    );
    expect(mailTextRule.rule).to.equal(
      'must be a plain text of at most 2000 characters, not blank, with no braces but {product} and {tier}',
    );
  });

  it('have the names where their placeholders stand, whatever the names have in them', () => {
    expect(withNames('{product}: {tier}, {product}', 'Pad {tier} $&', 'Pro')).to.equal(
      'Pad {tier} $&: Pro, Pad {tier} $&',
    );
  });
});
