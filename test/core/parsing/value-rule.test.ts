import { expect } from 'chai';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule, parseInstant } from '../../../core/parsing/instant.ts';
import {
  booleanRule,
  boundedInteger,
  countRule,
  displayNameRule,
  numberThat,
  oneOf,
  wholeNumber,
} from '../../../core/parsing/value-rule.ts';

describe('a rule for a value', () => {
  it('reads texts as values, and values of their own type from members', () => {
    const percent = numberThat((value) => value <= 100, 'must be at most 100');
    expect([percent.parse('12.5'), percent.parse(' 5 '), percent.read(12.5)]).to.deep.equal([12.5, 5, 12.5]);
    expect([percent.parse('many'), percent.parse(' '), percent.parse('101')]).to.deep.equal([null, null, null]);
    expect([percent.read('12.5'), percent.read(101), percent.read(true)]).to.deep.equal([null, null, null]);
    expect([booleanRule.parse('TRUE'), booleanRule.parse('False'), booleanRule.read(false)]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect([booleanRule.parse('1'), booleanRule.parse('constructor'), booleanRule.read('true')]).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('accepts counts that a number holds exactly', () => {
    expect([0, 1, Number.MAX_SAFE_INTEGER].map(countRule.read)).to.deep.equal([0, 1, Number.MAX_SAFE_INTEGER]);
    expect([-1, 1.5, NaN, Infinity, 2 ** 53].map(countRule.read)).to.deep.equal([null, null, null, null, null]);
  });

  it('reads whole numbers of digits alone, and others with decimals, neither with a sign nor in another base', () => {
    const percent = numberThat((value) => value >= 0 && value <= 100, 'must be at most 100');
    expect(['7', ' 7 ', '007'].map(countRule.parse)).to.deep.equal([7, 7, 7]);
    expect(['7', '7.50', '1e-7'].map(percent.parse)).to.deep.equal([7, 7.5, 1e-7]);
    for (const text of ['+7', '-0', '0x7', '0b1', '1e1', '1_0', '1,000', '7.', '.7', '1 0', ''])
      for (const { parse } of [countRule, percent]) expect(parse(text), text).to.equal(null);
    for (const text of ['7.0', '10.00', '1e-7']) expect(countRule.parse(text), text).to.equal(null);
    expect([1, 5].map(wholeNumber(1, 5).read).concat([0, 6, 1.5].map(wholeNumber(1, 5).read))).to.deep.equal([
      1,
      5,
      null,
      null,
      null,
    ]);
  });

  it('accepts the allowed texts, and names them in the rule', () => {
    const rule = oneOf(['a', 'b']);
    expect(['a', 'b', 'A', '', 'ab', 1].map(rule.read)).to.deep.equal(['a', 'b', null, null, null, null]);
    expect(rule.rule).to.equal('must be one of a, b');
  });

  it('accepts names of one line that are not blank', () => {
    const names = ['n', '画板', '\u{1F600}'.repeat(200)];
    expect(names.map(displayNameRule.parse)).to.deep.equal(names);
    const others = ['', ' ', '\u00a0', 'n'.repeat(201), 'a\nb', 'a\u0007', 'a\u2028b', 'a\u2029b', 'a\ud800'];
    expect(others.map(displayNameRule.parse)).to.deep.equal(others.map(() => null));
  });

  it('says what a value must be', () => {
    expect([displayNameRule, durationRule, instantRule, countRule, booleanRule].map(({ rule }) => rule)).to.deep.equal([
      'must be 1 to 200 characters, not blank and without control characters',
      'must be a whole number with s, m, h or d, such as 24h, of at most 36500d',
      'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999',
      'must be a whole number, 0 or more',
      'must be true or false',
    ]);
  });
});

describe('an instant', () => {
  it('is a date-time with Z or an offset, to the millisecond, from 1970 to 8999', () => {
    const instants = {
      '1970-01-01T00:00:00Z': '1970-01-01T00:00:00.000Z',
      '2026-08-01t02:00:00.1239+02:00': '2026-08-01T00:00:00.123Z',
      '8999-12-31T23:59:59.999z': '8999-12-31T23:59:59.999Z',
      '2028-02-29T23:59:59-00:30': '2028-03-01T00:29:59.000Z',
      '2026-08-01T23:59:00+23:59': '2026-08-01T00:00:00.000Z',
    };
    for (const [text, instant] of Object.entries(instants)) {
      expect(parseInstant(text)?.toISOString(), text).to.equal(instant);
    }
  });

  for (const text of [
    '2026-08-01',
    '2026-08-01T00:00:00',
    '2026-08-01 00:00:00Z',
    '2026-08-01T00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-08-01T00:00:00+0200',
    'tomorrow',
    '',
    '2026-02-29T00:00:00Z',
    '2026-08-01T24:00:00Z',
    '2026-08-01T00:00:60Z',
    '2026-08-01T00:00:00+24:00',
    '+002026-08-01T00:00:00Z',
    '2026-08-01T00:00:00Z (UTC)',
    '1969-12-31T23:59:59Z',
    '9000-01-01T00:00:00Z',
    '1785542400',
  ]) {
    it(`is not ${text}`, () => {
      expect(instantRule.parse(text)).to.equal(null);
    });
  }
});

const bounds = { min: 1, max: 48 };

describe('an integer within bounds', () => {
  for (const [text, expected] of [
    ['1', 1],
    ['007', 7],
    ['48', 48],
    ['49', 48],
    ['0', 1],
    ['-5', 1],
    ['', null],
    ['2.5', null],
    ['1e1', null],
    ['+3', null],
    ['a1', null],
    ['1a', null],
    [null, null],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(text)}`, () => {
      expect(boundedInteger(text, bounds)).to.equal(expected);
    });
  }
});
