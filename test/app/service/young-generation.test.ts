import { getHeapSpaceStatistics } from 'node:v8';
import { expect } from 'chai';
import { holdYoungGeneration } from '../../../app/service/young-generation.ts';

describe('holdYoungGeneration', () => {
  it('shrinks a young generation that has grown, and keeps it small until it is let go', () => {
    const kept = [allocate()];
    const grown = size();
    const release = holdYoungGeneration();
    const shrunk = size();
    kept.push(allocate());
    const held = size();
    release();
    kept.push(allocate());
    expect(shrunk).to.be.below(grown / 2);
    expect(held).to.be.below(grown / 2);
    expect(size()).to.be.above(2 * held);
    expect(kept).to.have.lengthOf(3);
  });
});

/**
 * Allocates enough objects that outlive collections for the young generation to grow. V8 would move literals to the old
 * one.
 */
function allocate(): readonly object[] {
  return Array.from({ length: 400_000 }, (_, number) => JSON.parse(`{"number":${number}}`) as object);
}

/** The bytes that the young generation takes, used or not. */
function size(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? NaN;
}
