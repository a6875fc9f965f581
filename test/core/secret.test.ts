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

  it('has the length asked for, and symbols of the alphabet only', () => {
    fc.assert(
      fc.property(alphabets, fc.nat(100), (alphabet, length) => {
        const text = randomText(alphabet, length, randomBytes);
        expect(text).to.have.lengthOf(length);
        expect(Array.from(text).filter((symbol) => !alphabet.includes(symbol))).to.deep.equal([]);
      }),
    );
  });

  it('gives each symbol the same share of all bytes, and throws the rest away', () => {
    fc.assert(
      fc.property(alphabets, (alphabet) => {
        const each = Math.floor(256 / alphabet.length);
        // Every byte once, then zeros should those not be enough.
        const bytes = [Uint8Array.from(range(256))];
        const text = randomText(alphabet, each * alphabet.length, (count) => bytes.shift() ?? new Uint8Array(count));
        const counts = Array.from(alphabet).map((symbol) => text.split(symbol).length - 1);
        expect(counts).to.deep.equal(Array.from(alphabet).map(() => each));
      }),
    );
  });

  it('asks for more bytes when too many were thrown away', () => {
    const bytes = [Uint8Array.of(255, 254, 0), Uint8Array.of(255, 1), Uint8Array.of(2)];
    expect(randomText('abc'.padEnd(62, '-'), 3, () => bytes.shift() ?? new Uint8Array())).to.equal('abc');
  });
});
