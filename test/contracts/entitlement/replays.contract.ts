import { expect } from 'chai';
import * as fc from 'fast-check';
import { cancellationJson } from '../../../adapters/http/operations/views.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import type { GivenCommand } from '../../../core/entitlement/administration/renewal.ts';
import { billingIntervals, standings } from '../../../core/entitlement/entitlement.ts';
import { recordClockEvents } from '../../../core/entitlement/event/record-clock-events.ts';
import { changeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, aLicense, aSubscription, day, granted, hour, later, toTeam } from '../../support/builders.ts';
import { targets } from '../../support/random-entitlements.ts';
import { freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';

const period = { currentPeriodEnd: later(20 * hour), graceUntil: later(40 * hour) };

/** A change that anybody but the sender of the key can make of an entitlement. Its refusals change nothing. */
type Change = (store: OpenedStore, id: string, call: Call) => Promise<unknown>;

const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values);

/** Most are before the replay. */
const ends = fc.integer({ min: 1, max: 80 }).map((hours) => later(hours * hour));

const commands: fc.Arbitrary<GivenCommand> = fc.oneof(
  fc.record({
    kind: fc.constant('change-tier' as const),
    tierId: fc.constantFrom('pro', 'team'),
    tierName: fc.constantFrom('Pro', 'Team'),
    billingInterval: optional(fc.constantFrom(...billingIntervals)),
    billingIntervalCount: optional(fc.integer({ min: 1, max: 3 })),
    currentPeriodEnd: optional(ends),
    grace: optional(fc.integer({ min: 0, max: day })),
    updatesUntil: optional(ends),
  }),
  fc.record({
    kind: fc.constant('renew' as const),
    currentPeriodEnd: optional(ends),
    grace: fc.constant(day),
  }),
  fc.record({
    kind: fc.constantFrom('suspend' as const, 'reinstate' as const),
    cause: fc.constantFrom('operator' as const, 'payment' as const),
  }),
  fc.record({ kind: fc.constantFrom('past-due' as const, 'cancel' as const, 'resume' as const, 'revoke' as const) }),
);

const run =
  (command: GivenCommand): Change =>
  (store, id, call) =>
    administrationOf(store, nodePlatform).runEntitlementCommand(id, command, call);

const byCommand = commands.map(run);

const byBillingSystem = targets.map((target): Change => async (store, id, call) => {
  const { findEntitlement, alignEntitlement } = administrationOf(store, nodePlatform);
  const seen = await findEntitlement(id, call);
  return seen && alignEntitlement(seen, target, call);
});

const ofLicense = fc.constantFrom<Change>(
  (store, id, call) => administrationOf(store, nodePlatform).rotateLicense(id, null, call),
  (store, id, call) => administrationOf(store, nodePlatform).revokeLicense(id, call),
);

const byClock = fc.constant<Change>((store, _, call) =>
  recordClockEvents(store.dueEntitlements, nodePlatform.newEventId)(() => call),
);

const byAnotherKey = fc.constantFrom('cancel' as const, 'resume' as const).map(
  (operation): Change =>
    (store, id, call) =>
      change(store, id, operation, `key-${+call.now}`, call),
);

const changes = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 12 }),
    change: fc.oneof({ weight: 4, arbitrary: byCommand }, byBillingSystem, ofLicense, byClock, byAnotherKey),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The promise of a replay: it is the first answer, whatever has become of the entitlement since. */
export function replaysContract(open: OpenStore): void {
  describe('a replay', () => {
    const store = freshStore(open);

    it('is the first answer, whatever has been done to the entitlement since', async () => {
      let next = 0;
      const tiers = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('cancel' as const, 'resume' as const),
          fc.constantFrom(...standings),
          changes,
          async (operation, standing, list) => {
            const id = `ent_${(next += 1)}`;
            await store().allEntitlements.add(
              granted([aSubscription({ id, standing, ...period, license: aLicense({ digest: id }), sequence: 1 })]),
              aCall(),
            );
            const first = await change(store(), id, operation, id, aCall());
            let now = 0;
            for (const { hours, change: doChange } of list) {
              now += hours * hour + 1;
              await doChange(store(), id, aCall({ now: later(now) })).catch(passRefusal);
            }
            // The record is kept for 73 hours, and these are at most 72.
            const replay = await change(store(), id, operation, id, aCall({ now: later(now) }));
            expect(cancellationJson(replay.snapshot)).to.equal(cancellationJson(first.snapshot));
            expect(replay).to.include({ correlationId: first.correlationId, replayed: true });
            const stored = await store().allEntitlements.find(id, aCall());
            if (stored !== null) tiers.add(String(snapshotAt(stored, later(now)).tierId !== first.snapshot.tierId));
          },
        ),
        // A random history changes the tier only now and then.
        { numRuns: 40, examples: [['cancel', 'active', [{ hours: 1, change: run(toTeam) }]]] },
      );
      expect(tiers).to.include('true');
    });
  });
}

function change(store: OpenedStore, id: string, operation: 'cancel' | 'resume', idempotencyKey: string, call: Call) {
  const request = { operation, entitlementId: id, productId: 'prod_1', idempotencyKey };
  const { entitlements, idempotencyRecords } = store;
  return changeCancellation(entitlements, idempotencyRecords, nodePlatform.newEventId)(request, call);
}

function passRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}
