import { expect } from 'chai';
import { compareCodePoints } from '../../core/code-points.ts';

/** The first and the last code points of the ranges that UTF-16 orders differently, and prefixes of each other. */
const inOrder = ['', '\0', 'a', 'ab', 'a\uD7FF', '\uD7FF', '\uE000', '\uE001', '\uFFFF', '\u{10000}', '\u{10FFFF}'];

describe('compareCodePoints', () => {
  it('orders texts by code point, and a prefix before what begins with it', () => {
    for (const [index, a] of inOrder.entries()) {
      const signs = inOrder.map((b) => Math.sign(compareCodePoints(a, b)));
      expect(signs).to.deep.equal(inOrder.map((_, other) => Math.sign(index - other)));
    }
  });
});
