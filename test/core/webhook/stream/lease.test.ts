import { expect } from 'chai';
import { LeaseWatch, mayBegin } from '../../../../core/webhook/stream/lease.ts';
import { aStream } from '../../../support/webhooks/builders.ts';

describe('LeaseWatch', () => {
  let now = 0;
  beforeEach(() => {
    now = 1000;
  });

  it('finds a stream free that nobody holds', () => {
    expect(new LeaseWatch(() => now).isFree(aStream())).to.equal(true);
  });

  it('finds a held stream free after it was seen unchanged for a minute', () => {
    const watch = new LeaseWatch(() => now);
    const held = aStream({ holder: 'other', fence: 7 });
    const isFreeAt = (time: number): boolean => {
      now = time;
      watch.see(held);
      return watch.isFree(held);
    };
    expect([1000, 60_999, 61_000].map(isFreeAt)).to.deep.equal([false, false, true]);
  });

  it('begins to wait again with each write of the holder, and for a stream that it has not seen', () => {
    const watch = new LeaseWatch(() => now);
    watch.see(aStream({ holder: 'other', fence: 7 }));
    now += 60_000;
    const renewed = aStream({ holder: 'other', fence: 8 });
    expect(watch.isFree(renewed)).to.equal(false);
    watch.see(renewed);
    now += 59_999;
    expect(watch.isFree(renewed)).to.equal(false);
    watch.keepOnly([renewed]);
    now += 1;
    expect(watch.isFree(renewed)).to.equal(true);
    watch.keepOnly([]);
    expect(watch.isFree(renewed)).to.equal(false);
  });
});

describe('mayBegin', () => {
  it('allows requests while twenty seconds of the lease are left', () => {
    expect([39_999, 40_000, 40_001].map((age) => mayBegin(1000, 1000 + age))).to.deep.equal([true, true, false]);
  });
});
