import { expect } from 'chai';
import { awaitFeed } from '../../../core/event/await-feed.ts';
import { FeedFollower } from '../../../core/event/feed-follower.ts';
import type { Held, Hold } from '../../../core/event/held.ts';
import type { FeedPage } from '../../../core/event/read-feed.ts';
import { aCall } from '../../support/builders.ts';
import { aLatch } from '../../support/latch.ts';

/** A follower of logs, with a clock and timers that a test moves. */
class Following {
  now = 0;
  /** The last positions of the products. A product without one has a store that fails. */
  readonly last = new Map<string, number>();
  readonly reads: string[] = [];
  /** What every read waits for. */
  gate: Promise<unknown> = Promise.resolve();
  readonly follower: FeedFollower;
  #timers: { readonly at: number; readonly action: () => void }[] = [];

  constructor(maxHeld = 10) {
    const lastPosition = async (productId: string): Promise<number> => {
      this.reads.push(productId);
      await this.gate;
      const last = this.last.get(productId);
      if (last === undefined) throw new Error('the store failed');
      return last;
    };
    this.follower = new FeedFollower({
      events: { lastPosition },
      clock: () => this.now,
      newCall: aCall,
      setTimer: (milliseconds, action) => void this.#timers.push({ at: this.now + milliseconds, action }),
      maxHeld,
    });
  }

  get timers(): number {
    return this.#timers.length;
  }

  async move(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds;
    while (this.now < until) {
      this.now = Math.min(until, ...this.#timers.map(({ at }) => at));
      const due = this.#timers.filter(({ at }) => at <= this.now);
      this.#timers = this.#timers.filter(({ at }) => at > this.now);
      for (const { action } of due) action();
      await new Promise(setImmediate);
    }
  }

  hold(productId: string, position: number, milliseconds: number): Outcome {
    const held = this.follower.follow(productId, position, milliseconds);
    if (held === null) return { held, found: 'refused' };
    const outcome: Outcome = { held, found: 'waiting' };
    void held.over.then((found) => (outcome.found = found));
    return outcome;
  }
}

interface Outcome {
  readonly held: Held | null;
  found: boolean | 'waiting' | 'refused';
}

describe('a follower of the feed', () => {
  it('ends a wait once there is an event behind its position, and only that', async () => {
    const following = new Following();
    following.last.set('prod_1', 3).set('prod_2', 5);
    const waits = [following.hold('prod_1', 3, 5000), following.hold('prod_2', 5, 5000)];
    await following.move(1000);
    expect(waits.map(({ found }) => found)).to.deep.equal(['waiting', 'waiting']);
    following.last.set('prod_1', 4);
    await following.move(100);
    expect(waits.map(({ found }) => found)).to.deep.equal([true, 'waiting']);
  });

  it('ends a wait when its time is over', async () => {
    const following = new Following();
    following.last.set('prod_1', 3);
    const waits = [following.hold('prod_1', 3, 1000), following.hold('prod_1', 3, 2000)];
    await following.move(999);
    expect(waits.map(({ found }) => found)).to.deep.equal(['waiting', 'waiting']);
    await following.move(101);
    expect(waits.map(({ found }) => found)).to.deep.equal([false, 'waiting']);
    await following.move(1000);
    expect(waits.map(({ found }) => found)).to.deep.equal([false, false]);
  });

  it('reads once for each product, however many wait, and not at all while nobody does', async () => {
    const following = new Following(100);
    following.last.set('prod_1', 1).set('prod_2', 1);
    const waits = ['prod_1', 'prod_2', 'prod_1', 'prod_1'].map((product) => following.hold(product, 1, 60_000));
    expect(following.timers).to.equal(1);
    await following.move(300);
    expect(following.reads.toSorted()).to.deep.equal(['prod_1', 'prod_1', 'prod_1', 'prod_2', 'prod_2', 'prod_2']);
    for (const { held } of waits) held?.end();
    await following.move(1000);
    expect([following.reads.length, following.timers]).to.deep.equal([6, 0]);
    following.hold('prod_1', 0, 60_000);
    await following.move(100);
    expect(following.reads).to.have.length(7);
  });

  it('reads no more while a read takes long, and goes on after it', async () => {
    const following = new Following();
    const slow = aLatch();
    following.last.set('prod_1', 1);
    following.gate = slow.released;
    following.hold('prod_1', 1, 60_000);
    await following.move(500);
    expect(following.reads).to.have.length(1);
    slow.release();
    await new Promise(setImmediate);
    await following.move(200);
    expect(following.reads).to.have.length(3);
  });

  it('refuses a wait beyond the maximum, until another has ended', async () => {
    const following = new Following(2);
    following.last.set('prod_1', 0);
    const [first, , third] = [1, 2, 3].map(() => following.hold('prod_1', 0, 60_000));
    expect(third?.found).to.equal('refused');
    first?.held?.end();
    expect(following.hold('prod_1', 0, 60_000).found).to.equal('waiting');
  });

  it('ends the waits for a product that cannot be read', async () => {
    const following = new Following();
    following.last.set('prod_1', 0);
    const waits = [following.hold('prod_2', 0, 60_000), following.hold('prod_1', 0, 60_000)];
    await following.move(100);
    expect(waits.map(({ found }) => found)).to.deep.equal([true, 'waiting']);
  });
});

const hold: Hold = (held) => held.over;

describe('the feed with a wait', () => {
  const empty: FeedPage = { events: [], next: '3-00000003', hasMore: false };
  const later: FeedPage = { events: [], next: '4-00000004', hasMore: false };

  it('reads again behind the empty page once there is something', async () => {
    const following = new Following();
    following.last.set('prod_1', 3);
    const requests: unknown[] = [];
    const feed = awaitFeed(async (_productId, request) => {
      requests.push(request);
      return requests.length === 1 ? empty : later;
    }, following.follower);
    const page = feed('prod_1', { after: null, limit: 7, wait: 30 }, aCall(), hold);
    await following.move(29_000);
    following.last.set('prod_1', 4);
    await following.move(100);
    expect(await page).to.deep.equal(later);
    expect(requests).to.deep.equal([
      { after: null, limit: 7 },
      { after: '3-00000003', limit: 7 },
    ]);
  });

  it('returns the empty page at the end of the time, without a wait, and beyond the maximum', async () => {
    const following = new Following(1);
    following.last.set('prod_1', 3);
    const feed = awaitFeed(async () => empty, following.follower);
    const request = { after: null, limit: 7 };
    expect(await feed('prod_1', { ...request, wait: 0 }, aCall(), hold)).to.equal(empty);
    const waiting = feed('prod_1', { ...request, wait: 2 }, aCall(), hold);
    await new Promise(setImmediate);
    expect(await feed('prod_1', { ...request, wait: 2 }, aCall(), hold)).to.equal(empty);
    await following.move(2000);
    expect(await waiting).to.equal(empty);
  });
});
