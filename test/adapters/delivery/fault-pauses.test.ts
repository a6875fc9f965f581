import { expect } from 'chai';
import { FaultPauses } from '../../../adapters/delivery/fault-pauses.ts';

describe('FaultPauses', () => {
  let now = 0;
  let pauses: FaultPauses;
  beforeEach(() => {
    now = 0;
    pauses = new FaultPauses(() => now);
  });

  /** The length of the pause after a fault, which begins now. */
  const pauseOf = (key: string): number => {
    pauses.begin(key);
    const start = now;
    while (pauses.isPaused(key)) now += 500;
    return now - start;
  };

  it('doubles the pauses of a series up to ten seconds', () => {
    expect([1, 2, 3, 4, 5, 6].map(() => pauseOf('a'))).to.deep.equal([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('tells the first fault of a series, which ends a minute after its last pause', () => {
    expect([pauses.begin('a'), pauses.begin('a'), pauses.begin('b')]).to.deep.equal([true, false, true]);
    now += 2000 + 59_999;
    expect(pauses.begin('a')).to.equal(false);
    now += 4000 + 60_000;
    expect(pauses.begin('a')).to.equal(true);
    expect(pauseOf('a')).to.equal(2000);
  });

  it('pauses nothing else', () => {
    pauses.begin('a');
    expect([pauses.isPaused('a'), pauses.isPaused('b')]).to.deep.equal([true, false]);
  });
});
