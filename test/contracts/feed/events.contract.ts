import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { recordClockEvents } from '../../../core/entitlement/event/record-clock-events.ts';
import { changeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import {
  aCall,
  aChangeRecord,
  aGrant,
  aLicense,
  anEvent,
  aRecord,
  aSubscription,
  changed,
  day,
  deadlineIn,
  granted,
  later,
  noon,
} from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const { newEventId } = nodePlatform;

/** The promise of every port that changes an entitlement: each change is stored with its events, or not at all. */
export function eventsContract(open: OpenStore): void {
  describe('Events', () => {
    const store = freshStore(open);
    const administration = (): Administration => administrationOf(store(), nodePlatform);

    it('have every member as it was stored', async () => {
      const seen = aSubscription({ billingIntervalCount: 3 });
      await store().allEntitlements.add(granted([seen]), aCall());
      const next = changed(seen);
      const license = { lastFour: null, createdAt: later(1), revokedAt: later(2) };
      const previous = { status: 'trialing', cancelAt: null, currentPeriodEnd: later(3), tierName: '"$x"' } as const;
      const recorded = anEvent(next, {
        by: "command:O'Brien \\ $x",
        license,
        previous,
        at: later(4),
        reason: 'paused',
      });
      const ending = { reason: 'canceled', endsAt: later(6) } as const;
      const byClock = anEvent(
        { ...next, sequence: 2 },
        { type: 'entitlement.ending_soon', by: 'clock', correlationId: null, ending, reason: 'unpaid' },
      );
      const changeRecord = { entry: aChangeRecord(next).entry, events: [recorded, byClock] };
      await store().allEntitlements.replace(seen, next, changeRecord, aCall());
      expect(await events()).to.deep.equal([recorded, byClock]);
    });

    it('record each command once, in order, with who caused it and what it changed', async () => {
      await everyCommand('ent_1');
      const placed = await eventsIn(store());
      const types = placed.map(({ event }) => event.type);
      expect(types).to.deep.equal([
        'entitlement.granted',
        'entitlement.suspended',
        'entitlement.reinstated',
        'entitlement.past_due',
        'entitlement.renewed',
        'entitlement.tier_changed',
        'entitlement.cancellation_scheduled',
        'entitlement.cancellation_undone',
        'license.rotated',
        'license.revoked',
        'entitlement.ended',
      ]);
      const count = types.length;
      expect(placed.map(({ position }) => position)).to.deep.equal(range(count).map((index) => index + 1));
      const { events: log } = store();
      await log.catchUp(aCall());
      expect(await log.lastPosition('prod_1', aCall())).to.equal(count);
      expect(await log.lastPosition('prod_', aCall())).to.equal(0);
      expect(await log.lastPositions(['prod_', 'prod_1', 'prod_11'], aCall())).to.deep.equal(
        new Map([['prod_1', count]]),
      );
      expect(placed.map(({ event }) => event.sequence)).to.deep.equal(range(count).map((index) => index + 1));
      expect(new Set(placed.map(({ event }) => event.id)).size).to.equal(count);
      const causes = placed.map(({ event }) => [event.by, event.correlationId]);
      expect(causes).to.deep.equal(range(count).map((index) => ['command:test', `command-${index}`]));
      const previous = placed.map(({ event }) => Object.keys(event.previous));
      const schedule = ['cancelAt', 'canceledAt'];
      const period = ['status', 'currentPeriodStart', 'currentPeriodEnd'];
      const members = [[], ['status'], ['status'], ['status'], period, ['tierId', 'tierName'], schedule, schedule];
      expect(previous).to.deep.equal([...members, [], [], ['status', 'endedAt']]);
    });

    it('record each line of an import, and nothing that an import refuses', async () => {
      await store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      const draft = {
        id: 'ent_1',
        grant: aGrant({ currentPeriodStart: noon, currentPeriodEnd: later(30 * day), grace: day }),
        licenseKey: null,
      };
      const drafts = [draft, { ...draft, id: 'ent_2' }, draft];
      await administration().importEntitlements(drafts, aCall());
      await administration().importEntitlements(drafts, aCall());
      const recorded = (await events()).map(({ type, entitlement, sequence }) => [type, entitlement.id, sequence]);
      expect(recorded).to.deep.equal([
        ['entitlement.granted', 'ent_1', 1],
        ['entitlement.granted', 'ent_2', 1],
      ]);
    });

    it('do not record what changes nothing, is replayed, stale or refused', async () => {
      const seen = aSubscription({ license: aLicense() });
      const rival = aSubscription({ id: 'rival', license: aLicense({ digest: 'another' }) });
      await store().allEntitlements.add(granted([seen, rival]), aCall());
      await cancel('key-00000001');
      const [recorded] = await events();
      expect(recorded?.type).to.equal('entitlement.cancellation_scheduled');
      await cancel('key-00000001');
      await cancel('key-00000002');
      const { runEntitlementCommand } = administration();
      await runEntitlementCommand('ent_1', { kind: 'cancel' }, aCall());
      await runEntitlementCommand('ent_1', { kind: 'reinstate' }, aCall());
      const renewal = { kind: 'renew', currentPeriodEnd: later(90 * day), grace: 0 } as const;
      expect((await refusalOf(runEntitlementCommand('ent_1', renewal, aCall()))).code).to.equal(
        'cancellation_scheduled',
      );
      const stale = changed(seen);
      await store().allEntitlements.replace(seen, stale, aChangeRecord(stale), aCall());
      await store().entitlements.replace(
        seen,
        stale,
        aRecord(seen, { key: 'key-00000003' }),
        aChangeRecord(stale),
        aCall(),
      );
      const present = await store().allEntitlements.find('ent_1', aCall());
      const thief = { ...changed(seen), revision: 4, version: 3, sequence: 2, license: rival.license };
      const from = { ...seen, revision: present?.revision ?? 0 };
      const { kind } = await store().allEntitlements.replace(from, thief, aChangeRecord(thief), aCall());
      expect(kind).to.equal('license taken');
      expect(await events()).to.deep.equal([recorded]);
    });

    it('record one change if twenty writers saw one state', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      const { runEntitlementCommand } = administration();
      await Promise.all(
        range(20).map((index) =>
          index % 2 === 0 ? cancel(`key-number-${index}`) : runEntitlementCommand('ent_1', { kind: 'cancel' }, aCall()),
        ),
      );
      const recorded = (await events()).map(({ type, sequence }) => [type, sequence]);
      expect(recorded).to.deep.equal([['entitlement.cancellation_scheduled', 1]]);
    });

    it('have no gap in their sequences and positions, however many write', async () => {
      const ids = range(5).map((index) => `ent_${index}`);
      await store().allEntitlements.add(granted(ids.map((id) => aSubscription({ id }))), aCall());
      const { runEntitlementCommand } = administration();
      const kinds = ['suspend', 'reinstate', 'cancel', 'resume'] as const;
      await Promise.all(
        range(50).map((index) => {
          const kind = kinds[index % 4] ?? 'cancel';
          return runEntitlementCommand(ids[index % 5] ?? '', { kind }, aCall({ deadline: deadlineIn(30_000) }));
        }),
      );
      const placed = await eventsIn(store());
      expect(placed.map(({ position }) => position)).to.deep.equal(range(placed.length).map((index) => index + 1));
      const stored = await entitlementsIn(store());
      for (const { id, sequence, version } of stored) {
        const own = placed.filter(({ event }) => event.entitlement.id === id).map(({ event }) => event.sequence);
        expect(own).to.deep.equal(range(sequence).map((index) => index + 1));
        expect(version).to.equal(sequence + 1);
      }
    });

    for (const when of moments) {
      it(`are stored exactly if the change is, where it fails ${when} it takes effect`, async () => {
        const seen = aSubscription();
        await store().allEntitlements.add(granted([seen]), aCall());
        const allEntitlements = failing(store().allEntitlements, { method: 'replace', nth: 1, when });
        const { runEntitlementCommand } = administrationOf({ ...store(), allEntitlements }, nodePlatform);
        const suspend = (): Promise<unknown> => runEntitlementCommand('ent_1', { kind: 'suspend' }, aCall());
        expect(await thrownBy(suspend())).to.be.instanceOf(InjectedFault);
        expect(await events()).to.have.length(when === 'before' ? 0 : 1);
        await suspend();
        expect((await events()).map(({ type }) => type)).to.deep.equal(['entitlement.suspended']);
      });
    }

    it('record first what the clock did, in the write of the change that follows', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      const now = new Date(seen.graceUntil.getTime() + 5);
      const renewal = { kind: 'renew', currentPeriodEnd: new Date(now.getTime() + day), grace: 0 } as const;
      await administration().runEntitlementCommand('ent_1', renewal, aCall({ now }));
      const recorded = (await events()).map(({ type, at, by, sequence, previous }) => [
        type,
        at,
        by,
        sequence,
        previous,
      ]);
      const { currentPeriodStart, currentPeriodEnd, graceUntil } = seen;
      const ended = { status: 'expired', currentPeriodStart, currentPeriodEnd, endedAt: graceUntil };
      expect(recorded).to.deep.equal([
        ['entitlement.past_due', currentPeriodEnd, 'clock', 1, { status: 'active' }],
        ['entitlement.ended', graceUntil, 'clock', 2, { status: 'past_due', endedAt: null }],
        ['entitlement.renewed', now, 'command:test', 3, ended],
      ]);
      const stored = await store().allEntitlements.find('ent_1', aCall());
      expect([stored?.sequence, stored?.nextEventAt]).to.deep.equal([3, renewal.currentPeriodEnd]);
    });

    it('record each change by the clock once, while sweeps, renewals and cancellations race', async () => {
      const ids = range(30).map((index) => `ent_${index}`);
      const end = { currentPeriodEnd: later(1000), graceUntil: later(2000) };
      await store().allEntitlements.add(granted(ids.map((id) => aSubscription({ id, ...end }))), aCall());
      const now = later(1500);
      const { runEntitlementCommand } = administration();
      const renew = { kind: 'renew', currentPeriodEnd: later(day), grace: 0 } as const;
      const work = ids.flatMap((id, index) => [
        ...(index % 3 === 0 ? [runEntitlementCommand(id, renew, aCall({ now }))] : []),
        ...(index % 3 === 1 ? [cancel(`key-number-${index}`, id, { now })] : []),
        ...(index % 5 === 0 ? [sweep(later(2600))] : []),
      ]);
      await Promise.all(work);
      await sweep(later(5000));
      const recorded = Map.groupBy(await events(), ({ entitlement }) => entitlement.id);
      expect([...recorded.keys()].toSorted()).to.deep.equal(ids.toSorted());
      for (const [index, id] of ids.entries()) {
        const own = recorded.get(id) ?? [];
        const dueFirst = ['entitlement.past_due'];
        const types = own.map(({ type }) => type);
        if (index % 3 === 0) expect(types).to.deep.equal([...dueFirst, 'entitlement.renewed']);
        else if (index % 3 === 1) {
          expect(types).to.deep.equal([...dueFirst, 'entitlement.cancellation_scheduled', 'entitlement.ended']);
        } else expect(types).to.deep.equal([...dueFirst, 'entitlement.ended']);
        expect(own.map(({ sequence }) => sequence)).to.deep.equal(range(own.length).map((each) => each + 1));
      }
    });

    /** Carries out every command on a new entitlement, each at its own instant. */
    async function everyCommand(id: string): Promise<void> {
      await store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      const { grantEntitlement, runEntitlementCommand, rotateLicense, revokeLicense } = administration();
      const none = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd: null, grace: null };
      const tier = { kind: 'change-tier', tierId: 'team', tierName: 'Team', ...none } as const;
      const commands = [
        (call: Call) =>
          grantEntitlement(
            {
              grant: aGrant({ currentPeriodStart: noon, currentPeriodEnd: later(30 * day), grace: day }),
              id,
              licenseKey: null,
            },
            call,
          ),
        (call: Call) => runEntitlementCommand(id, { kind: 'suspend' }, call),
        (call: Call) => runEntitlementCommand(id, { kind: 'reinstate' }, call),
        (call: Call) => runEntitlementCommand(id, { kind: 'past-due' }, call),
        (call: Call) =>
          runEntitlementCommand(id, { kind: 'renew', currentPeriodEnd: later(60 * day), grace: day }, call),
        (call: Call) => runEntitlementCommand(id, tier, call),
        (call: Call) => runEntitlementCommand(id, { kind: 'cancel' }, call),
        (call: Call) => runEntitlementCommand(id, { kind: 'resume' }, call),
        (call: Call) => rotateLicense(id, null, call),
        (call: Call) => revokeLicense(id, call),
        (call: Call) => runEntitlementCommand(id, { kind: 'revoke' }, call),
      ];
      for (const [index, command] of commands.entries()) {
        await command(aCall({ now: later(index), correlationId: `command-${index}` }));
      }
    }

    async function events(): Promise<readonly EntitlementEvent[]> {
      return (await eventsIn(store())).map(({ event }) => event);
    }

    function sweep(now: Date): Promise<number> {
      return recordClockEvents(store().dueEntitlements, newEventId)(() => aCall({ now, by: 'clock' }));
    }

    function cancel(idempotencyKey: string, entitlementId = 'ent_1', call: Partial<Call> = {}): Promise<unknown> {
      const { entitlements, idempotencyRecords } = store();
      const change = changeCancellation(entitlements, idempotencyRecords, newEventId);
      return change({ operation: 'cancel', entitlementId, productId: 'prod_1', idempotencyKey }, aCall(call));
    }
  });
}
