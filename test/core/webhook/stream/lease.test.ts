import { expect } from 'chai';
import { keyOf } from '../../../../core/webhook/stream/delivery-stream.ts';
import { LeaseWatch, mayBegin, mustCut } from '../../../../core/webhook/stream/lease.ts';
import { aStream } from '../../../support/webhooks/builders.ts';

const key = keyOf(aStream());

describe('LeaseWatch', () => {
  let now = 0;
  beforeEach(() => {
    now = 1000;
  });

  it('finds a stream free that nobody holds', () => {
    expect(new LeaseWatch(() => now).isFree(key, aStream())).to.equal(true);
  });

  it('finds a held stream free after it was seen unchanged for a minute', () => {
    const watch = new LeaseWatch(() => now);
    const held = aStream({ holder: 'other', fence: 7 });
    const isFreeAt = (time: number): boolean => {
      now = time;
      watch.see(key, held);
      return watch.isFree(key, held);
    };
    expect([1000, 60_999, 61_000].map(isFreeAt)).to.deep.equal([false, false, true]);
  });

  it('begins to wait again with each write of the holder, and for a stream that it has not seen', () => {
    const watch = new LeaseWatch(() => now);
    watch.see(key, aStream({ holder: 'other', fence: 7 }));
    now += 60_000;
    const renewed = aStream({ holder: 'other', fence: 8 });
    expect(watch.isFree(key, renewed)).to.equal(false);
    watch.see(key, renewed);
    now += 59_999;
    expect(watch.isFree(key, renewed)).to.equal(false);
    watch.keepOnly(new Map([[key, renewed]]));
    now += 1;
    expect(watch.isFree(key, renewed)).to.equal(true);
    watch.keepOnly(new Map());
    expect(watch.isFree(key, renewed)).to.equal(false);
  });
});

describe('mayBegin', () => {
  it('allows requests while twenty seconds of the lease are left', () => {
    expect([39_999, 40_000, 40_001].map((age) => mayBegin(1000, 1000 + age))).to.deep.equal([true, true, false]);
  });
});

describe('the end of a lease', () => {
  it('cuts requests off five seconds before it', () => {
    expect([55_000, 55_001].map((now) => mustCut(1000, 1000 + now))).to.deep.equal([false, true]);
  });
});
