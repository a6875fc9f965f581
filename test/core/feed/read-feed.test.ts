import { expect } from 'chai';
import type { EventPage, Events, PlacedEvent } from '../../../core/feed/events.port.ts';
import type { Hold } from '../../../core/feed/feed-follower.ts';
import { awaitFeed, readFeed, type FeedPage } from '../../../core/feed/read-feed.ts';
import { aCall, anEvent, aSubscription } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { Following } from '../../support/stores/following.ts';
import { refusalOf } from '../../support/thrown.ts';
import { placed } from '../../support/webhooks/builders.ts';

type Log = Pick<Events, 'page' | 'catchUp'>;

describe('the feed', () => {
  it('shows every event once, whatever the limits', async () => {
    const events = logOf(1, 10);
    for (const limit of [1, 2, 3, 9, 10, 11, 100]) {
      const seen: number[] = [];
      let page = await read(events, null, limit);
      for (;;) {
        seen.push(...page.events.map(({ position }) => position));
        if (!page.hasMore) break;
        page = await read(events, page.next, limit);
      }
      expect(seen).to.deep.equal(range(10).map((index) => index + 1));
    }
  });

  it('starts with the oldest event that is kept', async () => {
    const page = await read(logOf(4, 6), null, 2);
    expect(page.events.map(({ position }) => position)).to.deep.equal([4, 5]);
    expect([page.next, page.hasMore]).to.deep.equal(['5-00000005', true]);
  });

  it('has a cursor behind the end, and behind the start of an empty log', async () => {
    expect(await read(logOf(1, 3), '3-00000003')).to.deep.equal({ events: [], next: '3-00000003', hasMore: false });
    const empty = await read(logOf(1, 0), null);
    expect(empty).to.deep.equal({ events: [], next: '0-', hasMore: false });
    expect(await read(logOf(1, 0), empty.next)).to.deep.equal(empty);
    const later = await read(logOf(1, 2), empty.next);
    expect(later.events.map(({ position }) => position)).to.deep.equal([1, 2]);
  });

  it('goes on from the last event that is no longer kept, within its limit', async () => {
    const page = await read(logOf(4, 6), '3-00000003');
    expect(page.events.map(({ position }) => position)).to.deep.equal([4, 5, 6]);
    const short = await read(logOf(4, 6), '3-00000003', 2);
    expect(short.events.map(({ position }) => position)).to.deep.equal([4, 5]);
    expect([short.next, short.hasMore]).to.deep.equal(['5-00000005', true]);
  });

  it('reads no more of the log than the page and the event of its cursor', async () => {
    const log = logOf(1, 9);
    const reads: (readonly [after: number, limit: number])[] = [];
    const recorded: Log = {
      catchUp: () => log.catchUp(aCall()),
      page: (productId, after, limit, call) => {
        reads.push([after, limit]);
        return log.page(productId, after, limit, call);
      },
    };
    for (const cursor of [null, '0-', '1-00000001', '7-00000007', '9-00000009']) {
      await read(recorded, cursor, 3);
    }
    expect(reads).to.deep.equal([
      [0, 3],
      [0, 3],
      [0, 4],
      [6, 4],
      [8, 4],
    ]);
  });

  it('looks a second time before it refuses a cursor beyond the end', async () => {
    const [stale, present] = [logOf(1, 2), logOf(1, 4)];
    let log = stale;
    const events: Log = {
      page: (...what) => log.page(...what),
      catchUp: async () => {
        log = present;
      },
    };
    const page = await read(events, '3-00000003');
    expect(page.events.map(({ position }) => position)).to.deep.equal([4]);
    expect((await refusalOf(read(events, '5-00000005'))).code).to.equal('cursor_unknown');
  });

  const refused: readonly (readonly [string, string, Log])[] = [
    ['cursor_expired', '2-00000002', logOf(4, 6)],
    ['cursor_expired', '0-', logOf(2, 6)],
    ['cursor_unknown', '5-deadbeef', logOf(4, 6)],
    ['cursor_unknown', '7-00000007', logOf(4, 6)],
    ['cursor_unknown', '1-00000001', logOf(1, 0)],
    ...['', '1', '-', '01-00000001', '1-', '0-00000000', '-1-00000001', '1-000000010', '1-0000 001', '1e3-00000001']
      .concat(['1234567890123456-00000001', '１-00000001', '1-00000001\n'])
      .map((text) => ['invalid_cursor', text, logOf(1, 3)] as const),
  ];
  for (const [code, cursor, events] of refused) {
    it(`refuses ${JSON.stringify(cursor)} with ${code}`, async () => {
      expect((await refusalOf(read(events, cursor))).code).to.equal(code);
    });
  }
});

function read(events: Log, after: string | null, limit = 50): Promise<FeedPage> {
  return readFeed(events)('prod_1', { after, limit }, aCall());
}

/** A log that keeps the positions from `first` to `last`. */
function logOf(first: number, last: number): Log {
  const event = anEvent(aSubscription());
  const kept = range(last - first + 1).map((index): PlacedEvent => ({
    position: first + index,
    event: { ...event, id: `evt_${String(first + index).padStart(8, '0')}-and-more` },
  }));
  const bounds = { first: kept.length === 0 ? 0 : first, last };
  return {
    catchUp: async () => {},
    page: async (_productId, after, limit): Promise<EventPage> => ({
      events: kept.filter(({ position }) => position > after).slice(0, limit),
      ...bounds,
    }),
  };
}

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
    let reads = 0;
    const readEmpty = async (): Promise<FeedPage> => {
      reads += 1;
      return empty;
    };
    const feed = awaitFeed(readEmpty, following.follower);
    const request = { after: null, limit: 7 };
    expect(await feed('prod_1', { ...request, wait: 0 }, aCall(), hold)).to.equal(empty);
    const waiting = feed('prod_1', { ...request, wait: 2 }, aCall(), hold);
    await new Promise(setImmediate);
    expect(await feed('prod_1', { ...request, wait: 2 }, aCall(), hold)).to.equal(empty);
    await following.move(2000);
    expect(await waiting).to.equal(empty);
    expect(reads).to.equal(3);
  });

  it('returns a page with events at once', async () => {
    const following = new Following();
    const full: FeedPage = { ...empty, events: [placed(3, 'ent_1')] };
    const feed = awaitFeed(async () => full, following.follower);
    expect(await feed('prod_1', { after: null, limit: 7, wait: 30 }, aCall(), hold)).to.equal(full);
    expect(following.timers).to.equal(0);
  });
});
