import { expect } from 'chai';
import { GuessableKeys } from '../../../core/license/guessable-keys.ts';
import { range } from '../../support/range.ts';

function countOf(keys: readonly string[]): number {
  const guessable = new GuessableKeys();
  for (const key of keys) guessable.add(key);
  return guessable.count;
}

describe('guessable keys', () => {
  const examples: readonly (readonly [count: number, keys: readonly string[]])[] = [
    [0, []],
    [0, ['ACME-PRO-2024-LICENSE-000001']],
    [2, ['ACME-PRO-2024-LICENSE-000001', 'ACME-PRO-2024-LICENSE-000002']],
    [3, ['ACME-LICENSE-1', 'ACME-LICENSE-20', 'ACME-LICENSE-300']],
    [4, ['A-1', 'B-1', 'A-2', 'B-2', 'C-1']],
    [2, ['000000000000000000000001', '000000000000000000000002']],
    [2, [' ACME-1', 'ACME-2\n']],
    [0, ['1-ACME-A', '2-ACME-A', 'ACME-A', 'ACME-B']],
    [0, ['x7Kq-9', 'p2Lm-9', 'w5Nz-9']],
    [0, ['ACME-A', 'ACME-A']],
  ];
  for (const [count, keys] of examples) {
    it(`are ${count} of ${JSON.stringify(keys)}`, () => expect(countOf(keys)).to.equal(count));
  }

  it('are a whole sequence, among more random keys than prefixes are remembered', () => {
    const sequence = range(1000).map((number) => `ACME-${number}`);
    const random = range(150_000).map((number) => `${number * 7919}x${number}`);
    expect(countOf([...sequence.slice(0, 1), ...random, ...sequence.slice(1)])).to.equal(1000);
  });

  it('are not counted beyond 100,000 prefixes, but for the prefixes that are known', () => {
    const prefixes = range(99_999).map((number) => `${number}x1`);
    expect(countOf([...prefixes, 'LAST-1', 'LAST-2'])).to.equal(2);
    expect(countOf([...prefixes, 'ACME-1', 'LATE-1', 'LATE-2', 'ACME-2'])).to.equal(2);
  });
});
