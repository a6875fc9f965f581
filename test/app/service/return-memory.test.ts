import { getHeapSpaceStatistics } from 'node:v8';
import { expect } from 'chai';
import { returnMemory } from '../../../app/service/return-memory.ts';

describe('returnMemory', () => {
  it('shrinks a young generation that has grown', () => {
    const kept = Array.from({ length: 400_000 }, (_, number) => ({ number }));
    const grown = youngGeneration();
    returnMemory();
    expect(youngGeneration()).to.be.below(grown / 2);
    expect(kept).to.have.lengthOf(400_000);
  });
});

/** The bytes that the young generation takes, used or not. */
function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? NaN;
}
