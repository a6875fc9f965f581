import { expect } from 'chai';
import { awaitFeed } from '../../../core/feed/await-feed.ts';
import type { Hold } from '../../../core/feed/held.ts';
import type { FeedPage } from '../../../core/feed/read-feed.ts';
import { aCall } from '../../support/builders.ts';
import { Following } from '../../support/stores/following.ts';
import { placed } from '../../support/webhooks/builders.ts';

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
