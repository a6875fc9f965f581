import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { placeId, type Archive } from '../../../core/copy/archive.port.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import { pruneEvents } from '../../../core/feed/prune-events.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, changed, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/**
 * The findings of `checkStore`. The tests damage a store in which `prod_1` has ten events, of `ent_1` at the odd and
 * `ent_2` at the even positions.
 */
export function checkedEventsContract(open: OpenStore): void {
  describe('checkStore', () => {
    const store = freshStore(open);
    const archive = (): Archive => {
      const opened = store().archive;
      if (opened === null) throw new Error('this store cannot be copied');
      return opened;
    };
    const seen = new Map<string, Subscription>();

    beforeEach(async () => {
      seen.clear();
      await store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      for (const _ of range(5)) for (const id of ['ent_1', 'ent_2']) await change(id).then(() => store().settle());
    });

    it('finds nothing wrong with events that are complete, with and without their first ones', async () => {
      await deliver({ cursor: 9, pending: new Map([['ent_1', { positions: [7, 9], attempt: 0, at: noon }]]) });
      await store().allEntitlements.add(granted([aSubscription({ id: 'older-than-events', version: 3 })]), aCall());
      expect(await found()).to.deep.equal(good(10));
      await pruneEvents(store().events, store().products)(0, () => aCall({ now: new Date('2100-01-01T00:00:00Z') }));
      expect((await store().events.page('prod_1', 0, 1, aCall())).first).to.equal(7);
      expect((await found()).map(({ ok }) => ok)).to.deep.equal([true, true]);
    });

    it('finds nothing wrong while events are stored', async () => {
      const checking = { isOver: false };
      const changes = async (): Promise<void> => {
        while (!checking.isOver) for (const id of ['ent_1', 'ent_2', 'ent_3']) await change(id);
      };
      await Promise.all([changes(), foundAgain(5).finally(() => (checking.isOver = true))]);
    });

    it('names the positions that have no event', async () => {
      await remove(4, 5);
      const [gap] = await faults();
      expect(gap).to.equal('Product prod_1 has no events at position 4 to 5.');
      await remove(7);
      expect(await faults()).to.include('Product prod_1 has no events at position 7.');
    });

    it('names an event that is twice in the log', async () => {
      await insert(11, (await at(3)).event);
      expect(await faults()).to.deep.equal([
        'The event evt_ent_1_2_2 at position 11 of product prod_1 has the id of another one.',
        'The event at position 11 of product prod_1 has the sequence 2 of entitlement ent_1, where 6 is expected.',
        'The last event of entitlement ent_1 of product prod_1 is missing: it has the sequence 5.',
      ]);
    });

    it('names an id that two events have, of different products too', async () => {
      await store().products.add({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
      const other = aSubscription({ id: 'ent_9', productId: 'prod_2', sequence: 1 });
      const event = anEvent(other, { id: 'evt_ent_2_1_1' });
      await store().allEntitlements.add(
        [{ entitlement: other, changeRecord: { ...aChangeRecord(other), events: [event] } }],
        aCall(),
      );
      await store().settle();
      expect(await faults()).to.deep.equal([
        'The event evt_ent_2_1_1 at position 1 of product prod_2 has the id of another one.',
      ]);
    });

    it('names an entitlement whose events are out of order', async () => {
      const [third, fifth] = [await at(3), await at(5)];
      await remove(3, 5);
      await insert(3, fifth.event);
      await insert(5, third.event);
      expect((await faults()).slice(0, 2)).to.deep.equal([
        'The event at position 3 of product prod_1 has the sequence 3 of entitlement ent_1, where 2 is expected.',
        'The event at position 5 of product prod_1 has the sequence 2 of entitlement ent_1, where 4 is expected.',
      ]);
    });

    it('names an entitlement whose last event is missing', async () => {
      await remove(10);
      expect(await faults()).to.deep.equal([
        'The last event of entitlement ent_2 of product prod_1 is missing: it has the sequence 5.',
      ]);
    });

    it('names an entitlement that is not in the state of its last event', async () => {
      await put('ent_1', { sequence: 4 });
      await put('ent_2', { version: 7 });
      expect(await faults()).to.deep.equal([
        'The last event of entitlement ent_1 of product prod_1 has the sequence 5, but the entitlement has 4.',
        'The last event of entitlement ent_2 of product prod_1 shows version 5, but the entitlement has 7.',
      ]);
    });

    it('names an entitlement that has events and does not exist', async () => {
      await archive().remove('entitlements', ['ent_2'], aCall());
      expect(await faults()).to.deep.equal(['Product prod_1 has events of entitlement ent_2, which does not exist.']);
    });

    it('names deliveries that are not within the log', async () => {
      await deliver({ cursor: 11 });
      expect(await faults()).to.deep.equal([
        'Endpoint whk_1 and product prod_1: the deliveries are at position 11, but the log ends at 10. Run webhook replay.',
      ]);
    });

    it('names deliveries whose events are gone, and those that were not read', async () => {
      await deliver({ cursor: 9, pending: new Map([['ent_1', { positions: [1, 11], attempt: 0, at: noon }]]) });
      await remove(1, 2);
      expect((await faults()).filter((fault) => fault.startsWith('Endpoint'))).to.deep.equal([
        'Endpoint whk_1 and product prod_1: position 1 is not delivered, but the log begins at 3. Run webhook skip.',
        'Endpoint whk_1 and product prod_1: position 11 is pending, but was not read.',
      ]);
    });

    it('names the first ten faults, and counts the others', async () => {
      const all = range(15).map((index) => aSubscription({ id: `wrong_${index}`, sequence: 1 }));
      await archive().insert(
        all.map((entitlement) => ({
          section: 'entitlements',
          id: entitlement.id,
          value: { entitlement, records: [], history: [] },
        })),
        aCall(),
      );
      const named = await faults();
      expect(named).to.have.length(11);
      expect(named.at(-1)).to.equal('There are 5 more faults of this kind.');
    });

    /** Grants an entitlement, or changes it. */
    async function change(id: string): Promise<void> {
      const last = seen.get(id);
      const next = last === undefined ? aSubscription({ id, sequence: 1 }) : changed(last);
      if (last === undefined) await store().allEntitlements.add(granted([next]), aCall());
      else await store().allEntitlements.replace(last, next, aChangeRecord(next), aCall());
      seen.set(id, next);
    }

    async function deliver(state: Parameters<typeof aStream>[0]): Promise<void> {
      await store().webhookEndpoints.add(anEndpoint(), aCall());
      await store().deliveryStreams.add([aStream(state)], aCall());
    }

    async function at(position: number) {
      const [placed] = (await store().events.page('prod_1', position - 1, 1, aCall())).events;
      if (placed === undefined) throw new Error(`position ${position} has an event`);
      return placed;
    }

    async function remove(...positions: readonly number[]): Promise<void> {
      await archive().remove(
        'events',
        positions.map((position) => placeId('prod_1', position)),
        aCall(),
      );
    }

    async function insert(position: number, event: LoggedEvent): Promise<void> {
      const value = { productId: 'prod_1', position, storedAt: noon, event };
      expect(await archive().insert([{ section: 'events', id: placeId('prod_1', position), value }], aCall())).to.equal(
        true,
      );
    }

    /** Replaces an entitlement without an event. */
    async function put(id: string, overrides: Partial<Subscription>): Promise<void> {
      const entitlement = { ...(seen.get(id) ?? aSubscription()), ...overrides };
      await archive().remove('entitlements', [id], aCall());
      await archive().insert(
        [{ section: 'entitlements', id, value: { entitlement, records: [], history: [] } }],
        aCall(),
      );
    }

    async function found() {
      const findings = await checkStore(store(), digest, publicPartOf)(() => aCall());
      return findings.filter(({ check }) => check === 'events' || check === 'webhooks');
    }

    async function foundAgain(times: number): Promise<void> {
      for (const _ of range(times)) expect(await faults()).to.deep.equal([]);
    }

    async function faults(): Promise<readonly string[]> {
      return (await found()).filter(({ ok }) => !ok).map(({ message }) => message);
    }
  });
}

function good(events: number) {
  return [
    { check: 'events', ok: true, message: `All ${events} events are complete and in order.` },
    {
      check: 'webhooks',
      ok: true,
      message: 'The deliveries to every webhook endpoint are within the events that are kept.',
    },
  ];
}
