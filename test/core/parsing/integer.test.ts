import { expect } from 'chai';
import { boundedInteger } from '../../../core/parsing/integer.ts';

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
