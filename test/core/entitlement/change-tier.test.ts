import { expect } from 'chai';
import { decideTierChange, type TierChange } from '../../../core/entitlement/change-tier.ts';
import type { Entitlement, OneTimePurchase, Subscription } from '../../../core/entitlement/entitlement.ts';
import { aLicense, aOneTimePurchase, aSubscription, day, hour, later, noon } from '../../support/builders.ts';

const nextEnd = new Date('2026-09-01T00:00:00.000Z');
const scheduled = { at: aSubscription().currentPeriodEnd, requestedAt: later(-1) };

describe('a change of tier', () => {
  it('changes the tier and nothing else, whatever holds and is scheduled', () => {
    for (const overrides of [
      {},
      { standing: 'trialing' },
      { hold: { kind: 'suspended' }, license: aLicense() },
      { cancellation: scheduled },
    ] satisfies readonly Partial<Subscription>[]) {
      const before = aSubscription(overrides);
      expect(changed({}, before)).to.deep.equal(moved(before, { tierId: 'team', tierName: 'Team' }));
    }
  });

  it('moves the end of the period and keeps the length of the grace', () => {
    const before = aSubscription();
    expect(changed({ currentPeriodEnd: nextEnd, billingInterval: 'year' }, before)).to.deep.equal(
      moved(before, {
        tierId: 'team',
        tierName: 'Team',
        billingInterval: 'year',
        currentPeriodEnd: nextEnd,
        graceUntil: new Date(nextEnd.getTime() + day),
      }),
    );
  });

  it('takes an interval and how many of it a period has', () => {
    const quarterly = aSubscription({ billingIntervalCount: 3 });
    const tier = { tierId: 'team', tierName: 'Team' };
    const examples: readonly (readonly [Partial<TierChange>, Partial<Subscription>])[] = [
      [{}, { billingInterval: 'month', billingIntervalCount: 3 }],
      [{ billingIntervalCount: 6 }, { billingInterval: 'month', billingIntervalCount: 6 }],
      [
        { billingInterval: 'week', billingIntervalCount: 2 },
        { billingInterval: 'week', billingIntervalCount: 2 },
      ],
      [{ billingInterval: 'year' }, { billingInterval: 'year', billingIntervalCount: 1 }],
    ];
    for (const [change, interval] of examples) {
      expect(changed(change, quarterly)).to.deep.equal(moved(quarterly, { ...tier, ...interval }));
      const period = { currentPeriodEnd: nextEnd, graceUntil: new Date(nextEnd.getTime() + day) };
      expect(changed({ ...change, currentPeriodEnd: nextEnd }, quarterly)).to.deep.equal(
        moved(quarterly, { ...tier, ...interval, ...period }),
      );
    }
  });

  it('takes a grace, with a new end of the period or without', () => {
    const { currentPeriodEnd } = aSubscription();
    const grace = 3 * hour;
    expect(changed({ grace })).to.deep.include({ graceUntil: new Date(currentPeriodEnd.getTime() + grace) });
    const both = changed({ grace, currentPeriodEnd: nextEnd });
    expect(both).to.deep.include({ graceUntil: new Date(nextEnd.getTime() + grace) });
  });

  it('moves a scheduled cancellation with the end of the period', () => {
    const before = aSubscription({ cancellation: scheduled });
    expect(changed({ currentPeriodEnd: nextEnd }, before)).to.deep.include({
      cancellation: { at: nextEnd, requestedAt: later(-1) },
    });
  });

  it('moves a cancellation at the end of the grace to the end of a new grace, or of a new period', () => {
    const inGrace = { currentPeriodEnd: later(-hour), graceUntil: later(hour) };
    const before = aSubscription({ ...inGrace, cancellation: { at: later(hour), requestedAt: noon } });
    expect(changed({ grace: 5 * hour }, before)).to.deep.include({
      cancellation: { at: later(4 * hour), requestedAt: noon },
    });
    expect(changed({ currentPeriodEnd: later(day) }, before)).to.deep.include({
      cancellation: { at: later(day), requestedAt: noon },
    });
  });

  it('can shorten the period, but never to an end that has passed', () => {
    expect(changed({ currentPeriodEnd: later(1) })).to.deep.include({ currentPeriodEnd: later(1) });
    expect(decided({ currentPeriodEnd: noon })).to.deep.equal({ kind: 'refused', code: 'period_end_too_early' });
    const future = aSubscription({ currentPeriodStart: later(day) });
    expect(decided({ currentPeriodEnd: later(day) }, future).kind).to.equal('refused');
    const inGrace = aSubscription({ currentPeriodEnd: later(-hour), graceUntil: later(hour) });
    expect(decided({ grace: hour }, inGrace).kind).to.equal('refused');
  });

  it('changes nothing where everything is equal already', () => {
    const { tierId, tierName, billingInterval, currentPeriodEnd } = aSubscription();
    const same = { tierId, tierName };
    for (const change of [same, { ...same, billingInterval }, { ...same, currentPeriodEnd, grace: day }]) {
      expect(decided(change)).to.deep.equal({ kind: 'unchanged' });
    }
    expect(decided({ ...same, tierName: 'Other' }).kind).to.equal('changed');
    expect(decided({ ...same, tierId: 'other' }).kind).to.equal('changed');
    expect(decided({ ...same, billingIntervalCount: 1 })).to.deep.equal({ kind: 'unchanged' });
    expect(decided({ ...same, billingIntervalCount: 2 }).kind).to.equal('changed');
    expect(decided({ ...same, billingInterval: 'week' }).kind).to.equal('changed');
    expect(decided(same, aOneTimePurchase())).to.deep.equal({ kind: 'unchanged' });
    expect(decided({ ...same, tierId: 'other' }, aOneTimePurchase()).kind).to.equal('changed');
    expect(decided({ ...same, tierName: 'Other' }, aOneTimePurchase()).kind).to.equal('changed');
  });

  it('gives a purchase another tier and another end of its access, and takes no interval and no grace for it', () => {
    const purchase = aOneTimePurchase();
    const team = { tierId: 'team', tierName: 'Team' };
    expect(changed({}, purchase)).to.deep.equal(moved(purchase, team));
    expect(changed({ currentPeriodEnd: later(5) }, purchase)).to.deep.equal(
      moved(purchase, { ...team, accessEndsAt: later(5) }),
    );
    const ending = aOneTimePurchase({ accessEndsAt: later(9) });
    expect(changed({}, ending)).to.deep.equal(moved(ending, team));
    expect(changed({ currentPeriodEnd: later(1) }, ending)).to.deep.equal(
      moved(ending, { ...team, accessEndsAt: later(1) }),
    );
    const tooEarly = { kind: 'refused', code: 'period_end_too_early' };
    for (const each of [purchase, ending]) {
      expect(decided({ currentPeriodEnd: noon }, each)).to.deep.equal(tooEarly);
    }
    const unbegun = aOneTimePurchase({ currentPeriodStart: later(3) });
    expect(decided({ currentPeriodEnd: later(3) }, unbegun)).to.deep.equal(tooEarly);
    for (const more of [{ billingInterval: 'month' }, { billingIntervalCount: 1 }, { grace: 0 }] as const) {
      expect(decided(more, purchase)).to.deep.equal({ kind: 'refused', code: 'not_a_subscription' });
    }
  });

  it('moves until when there are updates, of a subscription and of a purchase, and nothing with it', () => {
    for (const seen of [aSubscription(), aOneTimePurchase()]) {
      const { tierId, tierName } = seen;
      const extended = decided({ tierId, tierName, updatesUntil: later(-5) }, seen);
      expect(extended).to.have.property('kind', 'changed');
      if (extended.kind !== 'changed') return;
      expect(extended.next).to.deep.equal(moved(seen, { updatesUntil: later(-5) }));
      expect(decided({ tierId, tierName, updatesUntil: later(-5) }, extended.next)).to.deep.equal({
        kind: 'unchanged',
      });
      expect(decided({ tierId, tierName, updatesUntil: null }, extended.next)).to.deep.equal({ kind: 'unchanged' });
      const withEnd = decided({ currentPeriodEnd: nextEnd, updatesUntil: later(7) }, extended.next);
      expect(withEnd).to.have.deep.nested.property('next.updatesUntil', later(7));
      expect(decided({ currentPeriodEnd: nextEnd }, extended.next)).to.have.deep.nested.property(
        'next.updatesUntil',
        later(-5),
      );
    }
  });

  it('is refused after the end', () => {
    for (const overrides of [
      { graceUntil: later(0), currentPeriodEnd: later(-1) },
      { hold: { kind: 'revoked', at: later(-1) } },
      { cancellation: { at: noon, requestedAt: later(-1) } },
    ] satisfies readonly Partial<Subscription>[]) {
      expect(decided({}, aSubscription(overrides))).to.deep.equal({ kind: 'refused', code: 'entitlement_ended' });
    }
  });
});

const toTeam: TierChange = {
  tierId: 'team',
  tierName: 'Team',
  billingInterval: null,
  billingIntervalCount: null,
  currentPeriodEnd: null,
  grace: null,
};

function decided(change: Partial<TierChange>, entitlement: Entitlement = aSubscription()) {
  return decideTierChange({ ...toTeam, ...change }, entitlement, noon);
}

function changed(change: Partial<TierChange>, entitlement: Entitlement = aSubscription()): Entitlement {
  const decision = decided(change, entitlement);
  if (decision.kind !== 'changed') throw new Error(`nothing changed: ${decision.kind}`);
  return decision.next;
}

function moved(before: Entitlement, change: Partial<Subscription> | Partial<OneTimePurchase>): object {
  const { version, revision } = before;
  return { ...before, ...change, version: version + 1, revision: revision + 1, updatedAt: noon };
}
