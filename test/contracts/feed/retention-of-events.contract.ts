import { expect } from 'chai';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { pruneEvents } from '../../../core/feed/prune-events.ts';
import { readFeed } from '../../../core/feed/read-feed.ts';
import { aCall, aChangeRecord, aSubscription, changed, granted, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** An instant after everything that a test stores. */
const afterAll = new Date('2100-01-01T00:00:00Z');

/** The contract of `Events.prune`. */
export function retentionOfEventsContract(open: OpenStore): void {
  describe('Events and their retention', () => {
    const store = freshStore(open);
    const read = (after: string | null) => readFeed(store().events)('prod_1', { after, limit: 1 }, aCall());
    const seen = new Map<string, Subscription>();
    const positionsOf = async (after: string | null) => (await read(after)).events.map(({ position }) => position);
    beforeEach(() => seen.clear());

    it('removes what was stored until an instant, and nothing after it', async () => {
      await changes(3);
      const until = new Date();
      await eventually(
        async () => new Date(),
        (now) => now > until,
      );
      await changes(3);
      expect(await prune(new Date(0))).to.equal(0);
      expect(await positions()).to.deep.equal([1, 2, 3, 4, 5, 6]);
      expect(await prune(until)).to.equal(3);
      expect(await positions()).to.deep.equal([4, 5, 6]);
      expect(await prune(until)).to.equal(0);
    });

    it('keeps the last event, behind which the positions go on', async () => {
      expect(await prune(afterAll)).to.equal(0);
      await changes(3);
      expect(await prune(afterAll)).to.equal(2);
      expect(await bounds()).to.deep.equal([[3], 3, 3]);
      await changes(2);
      expect(await bounds()).to.deep.equal([[3, 4, 5], 3, 5]);
      expect(await prune(afterAll)).to.equal(2);
      expect(await bounds()).to.deep.equal([[5], 5, 5]);
    });

    it('removes nothing of other products', async () => {
      for (const productId of ['prod_1', 'prod_10', 'prod']) await changes(3, productId);
      await prune(afterAll);
      expect([await positions(), await positions('prod_10'), await positions('prod')]).to.deep.equal([
        [3],
        [1, 2, 3],
        [1, 2, 3],
      ]);
    });

    it('keeps what an endpoint has not got, whether it was read or not, and whatever its state', async () => {
      await changes(8);
      await store().webhookEndpoints.add(anEndpoint({ state: 'disabled', reason: 'requested' }), aCall());
      await store().webhookEndpoints.add(anEndpoint({ id: 'whk_2', productId: null }), aCall());
      const pending = new Map([['ent_1', { positions: [3, 5], attempt: 10, at: null }]]);
      const stream = aStream({ cursor: 6, pending });
      await store().deliveryStreams.add([stream], aCall());
      await store().deliveryStreams.add([aStream({ endpointId: 'whk_2', cursor: 4 })], aCall());
      expect(await prune(afterAll)).to.equal(2);
      expect(await positions()).to.deep.equal([3, 4, 5, 6, 7, 8]);
      await store().deliveryStreams.replace({ ...stream, pending: new Map(), fence: 2 }, aCall());
      expect(await prune(afterAll)).to.equal(2);
      expect(await positions()).to.deep.equal([5, 6, 7, 8]);
      await store().webhookEndpoints.remove('whk_2', null, aCall());
      expect(await prune(afterAll)).to.equal(2);
      expect(await positions()).to.deep.equal([7, 8]);
      await store().webhookEndpoints.remove('whk_1', null, aCall());
      expect(await prune(afterAll)).to.equal(1);
      expect(await positions()).to.deep.equal([8]);
    });

    it('keeps everything for an endpoint of all products that has no stream yet', async () => {
      await changes(3);
      await store().webhookEndpoints.add(anEndpoint({ productId: null }), aCall());
      expect(await prune(afterAll)).to.equal(0);
      expect(await positions()).to.deep.equal([1, 2, 3]);
    });

    it('ignores endpoints of other products, and streams without an endpoint', async () => {
      await changes(3);
      await store().webhookEndpoints.add(anEndpoint({ productId: 'prod_2' }), aCall());
      await store().deliveryStreams.add([aStream({ productId: 'prod_2' })], aCall());
      await store().deliveryStreams.add([aStream({ endpointId: 'whk_gone' })], aCall());
      expect(await prune(afterAll)).to.equal(2);
    });

    it('expires the cursors before the oldest kept event, and no others', async () => {
      await changes(5);
      const cursors = ['0-'];
      for (const _ of range(5)) cursors.push((await read(cursors.at(-1) ?? null)).next);
      await prune(afterAll);
      for (const early of cursors.slice(0, 4)) {
        expect((await refusalOf(read(early))).code).to.equal('cursor_expired');
      }
      expect(await Promise.all([cursors[4] ?? '', cursors[5] ?? '', null].map(positionsOf))).to.deep.equal([
        [5],
        [],
        [5],
      ]);
    });

    it('shows those who read meanwhile that events are gone', async () => {
      for (const round of range(15)) {
        await changes(3);
        const after = (await bounds())[1];
        const reads = range(6).map(() => store().events.page('prod_1', after - 1, 100, aCall()));
        const [, ...pages] = await Promise.all([prune(afterAll), ...reads]);
        for (const { events, first } of pages) {
          const begin = events[0]?.position ?? 0;
          expect(begin === after || begin === first, `${begin}, ${first}, ${after} in round ${round}`).to.equal(true);
        }
      }
    });

    it('removes the events of every product, slice by slice, while others are stored', async () => {
      await store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      await store().products.add({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
      await fill(1200);
      await changes(1);
      await changes(2, 'prod_2');
      let calls = 0;
      const newCall = () => aCall({ now: afterAll, correlationId: `slice-${(calls += 1)}` });
      const all = pruneEvents(store().events, store().products);
      const [first] = await Promise.all([all(1000, newCall), store().products.find('prod_1', aCall())]);
      expect(first).to.equal(1201);
      expect([await positions(), await positions('prod_2')]).to.deep.equal([[1201], [2]]);
      expect(calls).to.be.greaterThan(4);
      expect(await all(1000, newCall, () => true)).to.equal(0);
    });

    function prune(until: Date): Promise<number> {
      return store().events.prune('prod_1', until, aCall());
    }

    async function positions(productId?: string): Promise<readonly number[]> {
      return (await eventsIn(store(), productId)).map(({ position }) => position);
    }

    async function bounds(): Promise<readonly [readonly number[], number, number]> {
      const { events, first, last } = await store().events.page('prod_1', 0, 100, aCall());
      return [events.map(({ position }) => position), first, last];
    }

    /** Stores `count` events of a product one after the other, each by itself. */
    async function changes(count: number, productId = 'prod_1'): Promise<void> {
      for (const _ of range(count)) {
        const last = seen.get(productId);
        const call = aCall({ now: new Date() });
        const next =
          last === undefined ? aSubscription({ id: `of-${productId}`, productId, sequence: 1 }) : changed(last);
        if (last === undefined) await store().allEntitlements.add(granted([next]), call);
        else await store().allEntitlements.replace(last, next, aChangeRecord(next), call);
        seen.set(productId, next);
        await store().settle();
      }
    }

    /** Stores `count` events, many of them together. */
    async function fill(count: number): Promise<void> {
      const half = range(count / 2).map((index) => aSubscription({ id: `ent_${index}`, sequence: 1 }));
      await store().allEntitlements.add(granted(half), aCall());
      await store().settle();
      const rest = half.map((one) => aSubscription({ id: `more_${one.id}`, sequence: 1 }));
      await store().allEntitlements.add(granted(rest), aCall());
      await store().settle();
    }
  });
}
