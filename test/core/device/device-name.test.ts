import { expect } from 'chai';
import { deviceNameRule } from '../../../core/device/device.ts';

describe('the name of a device', () => {
  const shown: readonly (readonly [what: string, given: string, name: string])[] = [
    ['as it is', 'Ada’s laptop', 'Ada’s laptop'],
    ['trimmed, also of the space that people do not see', '\u00a0 mbp.local \ufeff', 'mbp.local'],
    ['without zeros and other controls', 'DESKTOP-1\u0000\u0007\u001b[31m', 'DESKTOP-1[31m'],
    ['on one line', 'the\r\nlaptop\u2028of\tAda\n', 'the laptop of Ada'],
    ['without what turns it around or hides in it', 'ev\u202eil\u2066\u200b\u061c\u{e0041}', 'evil'],
    ['without half characters', 'disk\ud83d', 'disk'],
    ['with the joiners that emoji and languages need', '👩‍💻 می‌خواهم', '👩‍💻 می‌خواهم'],
    ['empty if nothing is left', ' \u0000\u200b\n', ''],
    ['empty if it was empty', '', ''],
    ['of at most 100 characters', 'M'.repeat(120), 'M'.repeat(100)],
    ['of 100 characters beyond 16 bits', '🖥'.repeat(101), '🖥'.repeat(100)],
    ['without a part of a character at its end', `${'M'.repeat(98)}👩‍💻 of Ada`, 'M'.repeat(98)],
    ['without a letter that lost its accent', `${'M'.repeat(99)}e\u0301`, 'M'.repeat(99)],
    ['without the space at which it was cut', `${'M'.repeat(99)} laptop`, 'M'.repeat(99)],
    ['as far as it goes if one character is longer', `e${'\u0301'.repeat(300)}`, `e${'\u0301'.repeat(99)}`],
  ];

  for (const [what, given, name] of shown) {
    it(`is shown ${what}`, () => {
      expect(deviceNameRule.read(given)).to.equal(name);
      expect(deviceNameRule.parse(given)).to.equal(name);
    });
  }

  it('is a text', () => {
    expect([7, true, {}, []].map(deviceNameRule.read)).to.deep.equal([null, null, null, null]);
  });
});
