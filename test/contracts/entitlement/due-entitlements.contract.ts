import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { clockEvents, recordGrant } from '../../../core/entitlement/event/change-record.ts';
import { recordClockEvents, sweepDelay } from '../../../core/entitlement/event/record-clock-events.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import {
  aCall,
  anEntry,
  aOneTimePurchase,
  aSubscription,
  changed,
  day,
  granted,
  later,
  noon,
} from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';
import { clockViolations } from '../../support/workload/clock-history.ts';

/** The ends in a race of two processes that announce ends, and of two that record them. */
const [announced, ended] = [rounds(75, 500), rounds(150, 1000)];

/** The contract of `DueEntitlements`, and of `Events` for what the clock has done. */
export function dueEntitlementsContract(open: OpenStore): void {
  describe('DueEntitlements', () => {
    const store = freshStore(open);
    const newId = countingIds();
    const sweepAt = (milliseconds: number): Promise<number> =>
      recordClockEvents(
        store().dueEntitlements,
        newId,
      )(() => aCall({ now: later(milliseconds + sweepDelay), by: 'clock' }));
    const log = (productId = 'prod_1'): Promise<readonly PlacedEvent[]> => eventsIn(store(), productId);

    it('lists what is due, the earliest first, and no more than the limit', async () => {
      const made = [named('a', 30), named('b', 10), named('c', 20), named('d', 31), aOneTimePurchase()];
      await store().allEntitlements.add(granted(made), aCall());
      const ids = async (limit: number): Promise<readonly string[]> =>
        (await store().dueEntitlements.due(later(30), limit, aCall())).map(({ id }) => id);
      expect([await ids(10), await ids(2)]).to.deep.equal([
        ['b', 'c', 'a'],
        ['b', 'c'],
      ]);
    });

    it('lists what ends soon and is not held, the earliest first, and no more than the limit', async () => {
      const held = { hold: { kind: 'suspended' } } as const;
      const made = [
        ...(['a', 'b', 'c', 'd'] as const).map((id, index) => endingAt(id, [30, 10, 20, 31][index] ?? 0)),
        aSubscription({ ...endingAt('held', 5), ...held }),
        named('told', 5),
        aOneTimePurchase(),
      ];
      await store().allEntitlements.add(granted(made), aCall());
      const ids = async (limit: number): Promise<readonly string[]> =>
        (await store().dueEntitlements.ending(later(30), limit, aCall())).map(({ id }) => id);
      expect([await ids(10), await ids(2)]).to.deep.equal([
        ['b', 'c', 'a'],
        ['b', 'c'],
      ]);
    });

    it('stores the event of an end that is near once, and keeps which end was announced', async () => {
      const seen = endingAt('a', 500);
      await store().allEntitlements.add(granted([seen]), aCall());
      for (const at of [349, 350, 351]) await sweepOn(store(), at, 150);
      const [placed, ...more] = await log();
      expect(more).to.deep.equal([]);
      expect({ ...placed?.event, id: 'evt_1' }).to.deep.equal(clockEvents(seen, later(350), countingIds(), 150)[0]);
      expect(placed?.event.ending).to.deep.equal({ reason: 'unpaid', endsAt: later(500) });
      const stored = await store().allEntitlements.find('a', aCall());
      expect(stored).to.deep.equal({ ...seen, revision: 2, sequence: 1, unannouncedEnd: null });
    });

    it('ends the access of a purchase for a time, and announces that end', async () => {
      const bought = aOneTimePurchase({ accessEndsAt: later(500), updatesUntil: later(9), updatedAt: noon });
      const { next, changeRecord } = recordGrant(bought, { operation: 'granted' }, aCall(), newId);
      await store().allEntitlements.add([{ entitlement: next, changeRecord }], aCall());
      for (const at of [349, 350, 499, 500, 501]) await sweepOn(store(), at, 150);
      const own = (await log()).map(({ event }) => event);
      expect(own.map(({ type, at, ending }) => [type, +at - +noon, ending?.reason])).to.deep.equal([
        ['entitlement.granted', 0, undefined],
        ['entitlement.ending_soon', 350, 'fixed_term'],
        ['entitlement.ended', 500, undefined],
      ]);
      expect(own.at(-1)?.previous).to.deep.equal({ status: 'active', endedAt: null });
      expect(own.at(-1)?.entitlement).to.deep.equal(snapshotAt(bought, later(500)));
    });

    it(`announces each of ${announced} ends once, and none that was renewed before, with two processes that race`, async () => {
      const soon = 200;
      const ends = spread(announced, 500);
      const made = ends.map((end, index) => endingAt(`ent_${index}`, 300 + end));
      await store().allEntitlements.add(granted(made), aCall());
      await beside(store(), async (other) => {
        for (let now = 0; now <= 900; now += 50) {
          const isRenewed = (end: number, index: number): boolean =>
            index % 3 === 0 && inStep(50 + end + (index % 7) * 50, now);
          const renewed = made.filter((_, index) => isRenewed(ends[index] ?? 0, index));
          await Promise.all([
            sweepOn(store(), now, soon),
            ...renewed.map((each) => renewOn(other, each, now, soon)),
            // Its clock is ahead, and its setting is another one.
            sweepOn(other, now + 20, soon + (now % 100)),
          ]);
        }
      });
      const recorded = Map.groupBy(await log(), ({ event }) => event.entitlement.id);
      for (const { id } of made) {
        const own = (recorded.get(id) ?? []).map(({ event }) => event);
        expect(own.map(({ sequence }) => sequence)).to.deep.equal(range(own.length).map((index) => index + 1));
        const announcedEnds = own.flatMap(({ ending }) => (ending === null ? [] : [ending.endsAt.getTime()]));
        expect(new Set(announcedEnds).size).to.equal(announcedEnds.length);
        const types = own.map(({ type }) => type);
        const isRenewed = types.includes('entitlement.renewed');
        if (!isRenewed)
          expect(types).to.deep.equal(['entitlement.ending_soon', 'entitlement.past_due', 'entitlement.ended']);
      }
    });

    it('stores each event once, with the instant of the change, however often it is swept', async () => {
      await store().allEntitlements.add(granted([named('a', 10)]), aCall());
      const recorded = [await sweepAt(9), await sweepAt(50), await sweepAt(51), await sweepAt(500), await sweepAt(500)];
      expect(recorded).to.deep.equal([0, 1, 0, 1, 0]);
      const facts = (await log()).map(({ position, event }) => [position, event.sequence, event.type, event.at]);
      expect(facts).to.deep.equal([
        [1, 1, 'entitlement.past_due', later(10)],
        [2, 2, 'entitlement.ended', later(110)],
      ]);
      const seen = named('a', 10);
      expect((await log()).map(({ event }, index) => ({ ...event, id: `evt_${index + 1}` }))).to.deep.equal(
        clockEvents(seen, later(500), countingIds()),
      );
      const stored = await store().allEntitlements.find('a', aCall());
      expect(stored).to.deep.equal({ ...named('a', 10), revision: 3, sequence: 2, nextEventAt: null });
    });

    it('leaves alone what has been written since it was seen', async () => {
      const seen = named('a', 10);
      await store().allEntitlements.add(granted([seen, named('b', 10)]), aCall());
      const due = await store().dueEntitlements.due(later(10), 10, aCall());
      const renewed = { ...changed(seen), nextEventAt: later(1000) };
      await store().allEntitlements.replace(seen, renewed, { entry: anEntry(renewed), events: [] }, aCall());
      const reads = [due, []].values();
      const { dueEntitlements } = store();
      const sweep = recordClockEvents(
        {
          due: async () => reads.next().value ?? [],
          ending: async () => [],
          replace: (changes, call) => dueEntitlements.replace(changes, call),
        },
        countingIds(),
      );
      expect(await sweep(() => aCall({ now: later(10 + sweepDelay) }))).to.equal(1);
      expect((await log()).map(({ event }) => event.entitlement.id)).to.deep.equal(['b']);
      expect(await store().allEntitlements.find('a', aCall())).to.deep.equal(renewed);
    });

    it('lets one of many sweeps record each event, over more than one batch', async () => {
      const made = Array.from({ length: 250 }, (_, index) => named(`ent_${index}`, index));
      await store().allEntitlements.add(granted(made), aCall());
      const recorded = await Promise.all(Array.from({ length: 5 }, () => sweepAt(1000)));
      expect(recorded.reduce((sum, count) => sum + count, 0)).to.equal(250);
      const events = await log();
      expect(events.map(({ position }) => position)).to.deep.equal(
        Array.from({ length: 500 }, (_, index) => index + 1),
      );
      const sequences = Map.groupBy(events, ({ event }) => event.entitlement.id);
      for (const each of sequences.values()) expect(each.map(({ event }) => event.sequence)).to.deep.equal([1, 2]);
      expect((await entitlementsIn(store())).every((each) => each.sequence === 2)).to.equal(true);
    });

    it(`has one event of each of ${ended} ends, none where a renewal came first, with two processes that race`, async () => {
      const ends = spread(ended, 1000);
      const made = ends.map((end, index) => named(`ent_${index}`, end));
      await store().allEntitlements.add(granted(made), aCall());
      await beside(store(), async (other) => {
        for (let now = 0; now <= 1200; now += 50) {
          // Each third is renewed at some time between before its end and after its grace.
          const isRenewed = (end: number, index: number): boolean =>
            index % 3 === 0 && inStep(end - 100 + (index % 7) * 50, now);
          const renewed = made.filter((_, index) => isRenewed(ends[index] ?? 0, index));
          await Promise.all([
            sweepOn(store(), now),
            ...renewed.map((each) => renewOn(other, each, now)),
            // Its clock is ahead.
            sweepOn(other, now + 20),
          ]);
        }
        await sweepOn(other, 1200);
      });
      const recorded = Map.groupBy(await log(), ({ event }) => event.entitlement.id);
      const events = new Map(made.map(({ id }) => [id, (recorded.get(id) ?? []).map(({ event }) => event)]));
      const broken = made.flatMap((seen) => clockViolations(seen, events.get(seen.id) ?? [], later(1200)));
      expect(broken).to.deep.equal([]);
      const counts = new Set([...events.values()].map(({ length }) => length));
      expect(counts).to.deep.equal(new Set([1, 2, 3]));
    });

    it('keeps the events of products apart, and reads them from any position', async () => {
      const made = [named('a', 10), { ...named('b', 10), productId: 'prod_2' }];
      await store().allEntitlements.add(granted(made), aCall());
      await sweepAt(1000);
      expect((await log('prod_2')).map(({ position, event }) => [position, event.entitlement.id])).to.deep.equal([
        [1, 'b'],
        [2, 'b'],
      ]);
      await store().settle();
      const { events, first, last } = await store().events.page('prod_1', 1, 5, aCall());
      expect([events.map(({ position }) => position), first, last]).to.deep.equal([[2], 1, 2]);
      expect(await store().events.page('prod_3', 0, 5, aCall())).to.deep.equal({ events: [], first: 0, last: 0 });
    });
  });
}

/** A subscription whose period ends that many milliseconds after noon, and whose grace 100 later. */
/** So many numbers, evenly below a maximum. */
function spread(count: number, max: number): readonly number[] {
  return range(count).map((index) => Math.floor((index * max) / count));
}

function named(id: string, end: number): Subscription {
  return aSubscription({ id, currentPeriodEnd: later(end), graceUntil: later(end + 100) });
}

/** Reports whether an instant is one of the 50 milliseconds from another one on; those before the first count for it. */
function inStep(instant: number, now: number): boolean {
  return Math.floor(Math.max(0, instant) / 50) * 50 === now;
}

/** A subscription whose access ends that many milliseconds after noon, which no event has announced. */
function endingAt(id: string, end: number): Subscription {
  return { ...named(id, end - 100), unannouncedEnd: later(end) };
}

async function sweepOn({ dueEntitlements }: OpenedStore, milliseconds: number, endingSoon = 0): Promise<void> {
  const newCall = () => aCall({ now: later(milliseconds + sweepDelay), by: 'clock' });
  await recordClockEvents(dueEntitlements, nodePlatform.newEventId, endingSoon)(newCall);
}

/** Renews for a day, unless others write all the time. */
async function renewOn(store: OpenedStore, { id }: Subscription, milliseconds: number, endingSoon = 0): Promise<void> {
  const renewal = { kind: 'renew', currentPeriodEnd: later(milliseconds + day), grace: 0 } as const;
  try {
    const { runEntitlementCommand } = administrationOf(store, nodePlatform, { endingSoon });
    await runEntitlementCommand(id, renewal, aCall({ now: later(milliseconds) }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'changed_meanwhile') throw error;
  }
}
