import { expect } from 'chai';
import * as fc from 'fast-check';
import { randomText } from '../../core/secret.ts';
import { range } from '../support/range.ts';
import { randomBytes } from '../support/run/secrets.ts';

describe('randomText', () => {
  const alphabets = fc.integer({ min: 2, max: 62 }).map((size) =>
    range(size)
      .map((index) => String.fromCharCode(65 + index))
      .join(''),
  );

  it('has the requested length, and only symbols of the alphabet', () => {
    fc.assert(
      fc.property(alphabets, fc.nat(100), (alphabet, length) => {
        const text = randomText(alphabet, length, randomBytes);
        expect(text).to.have.lengthOf(length);
        expect(Array.from(text).filter((symbol) => !alphabet.includes(symbol))).to.deep.equal([]);
      }),
    );
  });

  it('maps the same number of bytes to each symbol, and drops the rest', () => {
    fc.assert(
      fc.property(alphabets, fc.boolean(), (alphabet, isReversed) => {
        const each = Math.floor(256 / alphabet.length);
        // Every byte once, then zeros if more are needed. In reverse, those to drop come first.
        const once = Uint8Array.from(range(256));
        const bytes = [isReversed ? once.toReversed() : once];
        const text = randomText(alphabet, each * alphabet.length, (count) => bytes.shift() ?? new Uint8Array(count));
        const counts = Array.from(alphabet).map((symbol) => text.split(symbol).length - 1);
        expect(counts).to.deep.equal(Array.from(alphabet).map(() => each));
      }),
    );
  });

  it('reads more bytes if too many were dropped', () => {
    const bytes = [Uint8Array.of(255, 248, 0), Uint8Array.of(255, 1), Uint8Array.of(2)];
    expect(randomText('abc'.padEnd(62, '-'), 3, () => bytes.shift() ?? new Uint8Array())).to.equal('abc');
  });
});
