import { expect } from 'chai';
import * as fc from 'fast-check';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import type { SeenOutcome } from '../../../core/entitlement/administration/apply-decision.ts';
import { grantOfTarget } from '../../../core/entitlement/aligned-grant.ts';
import type { AlignmentTarget } from '../../../core/entitlement/alignment.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { recordClockEvents, sweepDelay } from '../../../core/entitlement/event/record-clock-events.ts';
import { changeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, day, granted, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { aTarget, targets } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { tally } from '../../support/tally.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const { newEventId } = nodePlatform;
const scheduled = { kind: 'at', at: later(90 * day), requestedAt: later(-1) } as const;
const team = { tier: { tierId: 'team', tierName: 'Team' }, standing: 'trialing' } as const;
const byStripe = (now: Date): Call => aCall({ now, by: 'stripe', correlationId: `evt_${now.getTime()}` });

/** The promise of an alignment: one write with one event, on the state that the caller has read. */
export function alignmentsContract(open: OpenStore): void {
  describe('an alignment', () => {
    const store = freshStore(open);
    const administration = (): Administration => administrationOf(store(), nodePlatform);

    beforeEach(() => store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall()));

    it('reaches each state in one write with one event, which every process sees', async () => {
      const bought = aSubscription({ license: aLicense(), reference: 'cs_1', sequence: 1 });
      await add(bought);
      const steps: readonly (readonly [Partial<AlignmentTarget>, string])[] = [
        [team, 'entitlement.tier_changed'],
        [{ tier: team.tier }, 'entitlement.renewed'],
        [{ standing: 'past_due' }, 'entitlement.past_due'],
        [{ isSuspended: true, cancellation: scheduled }, 'entitlement.suspended'],
        [{ currentPeriodEnd: later(31 * day), cancellation: scheduled }, 'entitlement.reinstated'],
        [{ currentPeriodEnd: later(20 * day) }, 'entitlement.renewed'],
        [{ currentPeriodEnd: later(20 * day), cancellation: scheduled }, 'entitlement.cancellation_scheduled'],
        [{ currentPeriodEnd: later(20 * day) }, 'entitlement.cancellation_undone'],
        [{ endedAt: later(-day) }, 'entitlement.ended'],
        [{ currentPeriodStart: later(-day), currentPeriodEnd: later(9 * day) }, 'entitlement.renewed'],
      ];
      for (const [index, [target]] of steps.entries()) {
        const call = byStripe(later(index));
        expect(await align(aTarget(target), call)).to.include({ kind: 'changed', versionBefore: index + 1 });
        expect(await align(aTarget(target), call)).to.include({ kind: 'unchanged' });
      }
      const own = (await eventsIn(store())).map(({ event }) => event).slice(1);
      expect(own.map(({ type }) => type)).to.deep.equal(steps.map(([, type]) => type));
      const facts = range(steps.length).map((index) => [index + 2, later(index), `evt_${+later(index)}`, 'stripe']);
      expect(own.map((event) => [event.sequence, event.at, event.correlationId, event.by])).to.deep.equal(facts);
      await beside(store(), async (other) => {
        const found = await other.allEntitlements.find('ent_1', aCall());
        expect(found).to.deep.include({
          license: bought.license,
          reference: 'cs_1',
          version: 11,
          hold: { kind: 'none' },
        });
        expect(found && snapshotAt(found, later(9))).to.deep.equal(own.at(-1)?.entitlement);
        const history = await other.entitlementHistory.list('ent_1', aCall());
        expect(history.map(({ by, operation }) => [by, operation]).slice(0, 2)).to.deep.equal([
          ['stripe', 'renewed'],
          ['stripe', 'ended'],
        ]);
      });
    });

    it('stores what a random one decides, and its events follow one another', async () => {
      let next = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(targets, { minLength: 2, maxLength: 4 }), async (list) => {
          const id = `ent_${(next += 1)}`;
          await add(aSubscription({ id, sequence: 1, currentPeriodEnd: later(9), graceUntil: later(19) }));
          let expected = 1;
          for (const [index, target] of list.entries()) {
            const outcome = await align(target, byStripe(later(index * 9)), id);
            const stored = await seen(id);
            if (outcome.kind === 'changed')
              expect(snapshotAt(stored, later(index * 9))).to.deep.equal(outcome.snapshot);
            expect(outcome.kind).to.not.equal('stale');
            expected = stored.sequence;
          }
          const own = (await eventsIn(store())).filter(({ event }) => event.entitlement.id === id);
          expect(own.map(({ event }) => event.sequence)).to.deep.equal(range(expected).map((each) => each + 1));
        }),
        { numRuns: 20 },
      );
    });

    it('is stored once of twenty that saw one state, whatever their targets', async () => {
      await add(aSubscription({ sequence: 1 }));
      const known = await seen();
      const outcomes = await Promise.all(
        range(20).map((index) => {
          const currentPeriodEnd = later((index + 1) * day);
          return administration().alignEntitlement(known, aTarget({ currentPeriodEnd }), byStripe(noon));
        }),
      );
      expect(tally(outcomes)).to.deep.equal({ changed: 1, stale: 19 });
      const winner = outcomes.find(({ kind }) => kind === 'changed');
      expect({ kind: 'changed', versionBefore: 1, snapshot: snapshotAt(await seen(), noon) }).to.deep.equal(winner);
      expect(await eventsIn(store())).to.have.length(2);
    });

    it('does not hide a cancellation that was asked for since the read', async () => {
      await add(aSubscription({ sequence: 1 }));
      const known = await seen();
      const { entitlements, idempotencyRecords } = store();
      const request = {
        operation: 'cancel',
        entitlementId: 'ent_1',
        productId: 'prod_1',
        idempotencyKey: 'k-1',
      } as const;
      await changeCancellation(entitlements, idempotencyRecords, newEventId)(request, aCall());
      const canceled = await seen();
      const outcome = await administration().alignEntitlement(known, aTarget(team), byStripe(noon));
      expect(outcome).to.deep.equal({ kind: 'stale' });
      expect(await seen()).to.deep.equal(canceled);
    });

    it('is decided after an end that has its event, by a process whose clock is slow too', async () => {
      await add(aSubscription({ sequence: 1, currentPeriodEnd: later(9), graceUntil: later(19) }));
      await recordClockEvents(store().dueEntitlements, newEventId)(() => aCall({ now: later(19 + sweepDelay) }));
      expect(await align(aTarget(), byStripe(later(1)))).to.include({ kind: 'changed' });
      const events = (await eventsIn(store())).map(({ event: { type, at, previous } }) => [type, at, previous.status]);
      expect(events.slice(1)).to.deep.equal([
        ['entitlement.past_due', later(9), 'active'],
        ['entitlement.ended', later(19), 'past_due'],
        ['entitlement.renewed', later(19), 'expired'],
      ]);
    });

    it('ends the access to what is not paid by the clock, and gives it back with the payment', async () => {
      await add(aSubscription({ sequence: 1 }));
      const owed = { standing: 'past_due', unpaidUntil: later(9) } as const;
      await align(aTarget(owed), byStripe(noon));
      await beside(store(), async (other) => {
        const found = await other.allEntitlements.find('ent_1', aCall());
        expect(found).to.deep.include({ unpaidUntil: later(9), nextEventAt: later(9), hold: { kind: 'none' } });
      });
      const sweep = recordClockEvents(store().dueEntitlements, newEventId);
      for (const now of [9, 10]) await sweep(() => aCall({ now: later(now + sweepDelay) }));
      expect(await align(aTarget(owed), byStripe(later(20)))).to.include({ kind: 'unchanged' });
      await align(aTarget(), byStripe(later(30)));
      expect(await seen()).to.deep.include({ unpaidUntil: null, standing: 'active' });
      const events = (await eventsIn(store())).map(({ event: { type, at, by, previous } }) => [type, at, by, previous]);
      expect(events.slice(1)).to.deep.equal([
        ['entitlement.past_due', noon, 'stripe', { status: 'active' }],
        ['entitlement.suspended', later(9), 'clock', { status: 'past_due' }],
        ['entitlement.reinstated', later(30), 'stripe', { status: 'suspended' }],
      ]);
    });

    it('leaves the commands of an operator and of a payment apart, on the state that was read', async () => {
      const bought = aOneTimePurchase({ id: 'ent_1', sequence: 1 });
      await add(bought);
      const { runSeenCommand } = administration();
      const held = await runSeenCommand(await seen(), { kind: 'suspend', cause: 'payment' }, byStripe(noon));
      expect(held).to.include({ kind: 'changed', versionBefore: 1 });
      expect((await seen()).hold).to.deep.equal({ kind: 'suspended', causes: ['payment'] });
      expect(await runSeenCommand(bought, { kind: 'revoke' }, byStripe(noon))).to.deep.equal({ kind: 'stale' });
      const operated = await runSeenCommand(await seen(), { kind: 'suspend' }, aCall());
      expect(operated.kind).to.equal('changed');
      await runSeenCommand(await seen(), { kind: 'reinstate', cause: 'payment' }, byStripe(noon));
      expect((await seen()).hold).to.deep.equal({ kind: 'suspended' });
    });

    it('refuses a purchase and a revoked subscription, and writes nothing', async () => {
      const purchase = aOneTimePurchase();
      const revoked = aSubscription({ hold: { kind: 'revoked', at: later(-1) } });
      await add(purchase, revoked);
      const { alignEntitlement } = administration();
      const refusals = [];
      for (const entitlement of [purchase, revoked]) {
        refusals.push((await refusalOf(alignEntitlement(entitlement, aTarget(team), byStripe(noon)))).code);
      }
      expect(refusals).to.deep.equal(['not_a_subscription', 'entitlement_revoked']);
      expect([await seen('ent_once'), await seen()]).to.deep.equal([purchase, revoked]);
    });

    for (const when of moments) {
      it(`has one effect if its write fails ${when} it takes effect, and the caller looks again`, async () => {
        await add(aSubscription({ sequence: 1 }));
        const allEntitlements = failing(store().allEntitlements, { method: 'replace', nth: 1, when });
        const { alignEntitlement } = administrationOf({ ...store(), allEntitlements }, nodePlatform);
        const look = async (): Promise<SeenOutcome> =>
          alignEntitlement(await seen(), aTarget({ isSuspended: true }), byStripe(noon));
        expect(await thrownBy(look())).to.be.instanceOf(InjectedFault);
        expect((await look()).kind).to.equal(when === 'before' ? 'changed' : 'unchanged');
        const types = (await eventsIn(store())).map(({ event }) => event.type);
        expect(types).to.deep.equal(['entitlement.granted', 'entitlement.suspended']);
      });
    }

    it('changes nothing after a grant of the same target, which is one write with one event', async () => {
      const target = aTarget({ standing: 'past_due', isSuspended: true, cancellation: scheduled });
      const grant = grantOfTarget(target, { productId: 'prod_1', reference: 'cs_1', grace: day }, noon);
      if (grant === null) throw new Error('the target grants nothing');
      await administration().grantEntitlement({ id: 'sub_1', grant, licenseKey: null }, byStripe(noon));
      expect(await align(target, byStripe(later(1)), 'sub_1')).to.include({ kind: 'unchanged' });
      expect(await seen('sub_1')).to.deep.include({
        hold: { kind: 'suspended', causes: ['payment'] },
        cancellation: { at: scheduled.at, requestedAt: scheduled.requestedAt },
        standing: 'past_due',
        version: 1,
      });
      const events = (await eventsIn(store())).map(({ event: { type, by } }) => [type, by]);
      expect(events).to.deep.equal([['entitlement.granted', 'stripe']]);
    });

    async function add(...entitlements: readonly Entitlement[]): Promise<void> {
      await store().allEntitlements.add(granted(entitlements), aCall());
    }

    async function seen(id = 'ent_1'): Promise<Entitlement> {
      const found = await administration().findEntitlement(id, aCall());
      if (found === null) throw new Error(`${id} is missing`);
      return found;
    }

    async function align(target: AlignmentTarget, call: Call, id?: string): Promise<SeenOutcome> {
      return administration().alignEntitlement(await seen(id), target, call);
    }
  });
}
