import { expect } from 'chai';
import { placeId, type Archive, type Entry } from '../../../core/copy/archive.port.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, changed, granted, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { readSection } from '../../support/stores/archives.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';

/** The logs of a store in its archive, whether they were written by changes or by a copy. */
export function archivedEventsContract(open: OpenStore): void {
  describe('Archive of events', () => {
    const store = freshStore(open);
    const archive = (): Archive => {
      const opened = store().archive;
      if (opened === null) throw new Error('this store cannot be copied');
      return opened;
    };

    it('lists the events that changes stored, with their positions and the time when they were stored', async () => {
      await changes('prod_2', 2);
      await changes('prod_1', 10);
      const more = range(440).map((index) => aSubscription({ id: `ent_${index}`, sequence: 1 }));
      await store().allEntitlements.add(granted(more), aCall({ now: later(5) }));
      await store().settle();
      const listed = await readSection(archive(), 'events');
      expect(listed.map(({ id }) => id)).to.deep.equal([...places('prod_1', 450), ...places('prod_2', 2)]);
      const placed = [...(await eventsIn(store(), 'prod_1')), ...(await eventsIn(store(), 'prod_2'))];
      expect(listed.map(({ value }) => value)).to.deep.equal(
        placed.map((each) => ({ ...each, productId: each.event.entitlement.productId, storedAt: later(5) })),
      );
      expect(await archive().count('events', aCall())).to.equal(452);
    });

    it('begins a page behind any event', async () => {
      await changes('prod_1', 20);
      await changes('prod_2', 3);
      await store().settle();
      const all = [...places('prod_1', 20), ...places('prod_2', 3)];
      for (const [index, id] of ['', ...all].entries()) {
        const page = await archive().page('events', id, aCall());
        expect(page.map((entry) => entry.id)).to.deep.equal(all.slice(index));
      }
    });

    it('removes events from among those that were stored together, and takes them back', async () => {
      await changes('prod_1', 9);
      await store().settle();
      const before = await readSection(archive(), 'events');
      const taken = [0, 3, 4, 8].map((index) => before[index]).filter((entry) => entry !== undefined);
      expect(await archive().insert(taken.slice(1, 2), aCall())).to.equal(false);
      await archive().remove(
        'events',
        taken.map(({ id }) => id),
        aCall(),
      );
      expect(await readSection(archive(), 'events')).to.deep.equal(before.filter((entry) => !taken.includes(entry)));
      expect(await archive().insert(taken, aCall())).to.equal(true);
      expect(await readSection(archive(), 'events')).to.deep.equal(before);
      expect((await eventsIn(store())).map(({ position }) => position)).to.deep.equal(
        range(9).map((index) => index + 1),
      );
    });

    it('lets the log go on behind the last event of a copy', async () => {
      const entries = range(3).map((index) => copied('prod_1', index + 1));
      expect(await archive().insert(entries, aCall())).to.equal(true);
      await changes('prod_1', 2);
      const log = await eventsIn(store());
      expect(log.map(({ position, event }) => [position, event.entitlement.id])).to.deep.equal([
        [1, 'copied'],
        [2, 'copied'],
        [3, 'copied'],
        [4, 'of-prod_1'],
        [5, 'of-prod_1'],
      ]);
    });

    /** Grants an entitlement, and changes it until it has `count` events. */
    async function changes(productId: string, count: number): Promise<void> {
      let seen = aSubscription({ id: `of-${productId}`, productId, sequence: 1 });
      await store().allEntitlements.add(granted([seen]), aCall({ now: later(5) }));
      for (const _ of range(count - 1)) {
        const next = changed(seen);
        await store().allEntitlements.replace(seen, next, aChangeRecord(next), aCall({ now: later(5) }));
        seen = next;
      }
    }
  });
}

function copied(productId: string, position: number): Entry {
  const event = anEvent(aSubscription({ id: 'copied', productId, sequence: position }));
  return { section: 'events', id: placeId(productId, position), value: { productId, position, storedAt: noon, event } };
}

function places(productId: string, count: number): readonly string[] {
  return range(count).map((index) => placeId(productId, index + 1));
}
