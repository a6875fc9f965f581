import { expect } from 'chai';
import { modifiedAt, snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { aLicense, aOneTimePurchase, aSubscription, later } from '../../support/builders.ts';

const subscription = aSubscription({
  currentPeriodStart: later(-100),
  currentPeriodEnd: later(100),
  graceUntil: later(200),
  cancellation: { at: later(100), requestedAt: later(-7) },
  license: aLicense(),
  createdAt: later(-100),
  updatedAt: later(-7),
  version: 3,
  revision: 8,
});

describe('snapshotAt', () => {
  it('has exactly the members of a scheduled subscription', () => {
    expect(snapshotAt(subscription, later(99))).to.deep.equal({
      id: 'ent_1',
      productId: 'prod_1',
      kind: 'subscription',
      status: 'active',
      active: true,
      tierId: 'pro',
      tierName: 'Pro',
      billingInterval: 'month',
      billingIntervalCount: 1,
      currentPeriodStart: later(-100),
      currentPeriodEnd: later(100),
      cancelAtPeriodEnd: true,
      cancelAt: later(100),
      canceledAt: later(-7),
      endedAt: null,
      accessEndsAt: null,
      updatesUntil: null,
      deviceLimit: null,
      devicesUsed: 0,
      features: {},
      tierRevision: null,
      allowedActions: ['resume'],
      createdAt: later(-100),
      updatedAt: later(-7),
      version: 3,
    });
  });

  it('keeps the instants of the cancellation after the end', () => {
    expect(snapshotAt(subscription, later(100))).to.deep.equal({
      ...snapshotAt(subscription, later(99)),
      status: 'canceled',
      active: false,
      endedAt: later(100),
      allowedActions: [],
    });
  });

  it('ends at the revocation, even if it was canceled before', () => {
    const revoked = { ...subscription, hold: { kind: 'revoked', at: later(300) } } as const;
    expect(snapshotAt(revoked, later(301))).to.deep.equal({
      ...snapshotAt(subscription, later(99)),
      status: 'revoked',
      active: false,
      endedAt: later(300),
      allowedActions: [],
    });
  });

  it('is past due and still active in the grace, then expired at its end', () => {
    const running = { ...subscription, cancellation: null };
    const inGrace = snapshotAt(running, later(100));
    expect([inGrace.status, inGrace.active, inGrace.endedAt]).to.deep.equal(['past_due', true, null]);
    expect(snapshotAt(running, later(200))).to.deep.equal({
      ...inGrace,
      status: 'expired',
      active: false,
      endedAt: later(200),
      allowedActions: [],
    });
  });

  it('has null for members that do not apply to a purchase', () => {
    const purchase = aOneTimePurchase();
    expect(snapshotAt(purchase, later(1e12))).to.deep.equal({
      id: 'ent_once',
      productId: 'prod_1',
      kind: 'one_time',
      status: 'active',
      active: true,
      tierId: 'pro',
      tierName: 'Pro',
      billingInterval: 'one_time',
      billingIntervalCount: 1,
      currentPeriodStart: purchase.currentPeriodStart,
      currentPeriodEnd: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      canceledAt: null,
      endedAt: null,
      accessEndsAt: null,
      updatesUntil: null,
      deviceLimit: null,
      devicesUsed: 0,
      features: {},
      tierRevision: null,
      allowedActions: [],
      createdAt: purchase.createdAt,
      updatedAt: purchase.updatedAt,
      version: 1,
    });
  });

  it('ends a purchase for a time at its end, and shows that end before', () => {
    const purchase = aOneTimePurchase({ accessEndsAt: later(5), updatesUntil: later(3) });
    const before = { ...snapshotAt(aOneTimePurchase(), later(4)), accessEndsAt: later(5), updatesUntil: later(3) };
    expect(snapshotAt(purchase, later(4))).to.deep.equal(before);
    const after = { ...before, status: 'expired', active: false, endedAt: later(5) };
    expect(snapshotAt(purchase, later(5))).to.deep.equal(after);
  });
});

describe('modifiedAt', () => {
  it('is the instant at which a missing payment has ended access', () => {
    const unpaid = aSubscription({ updatedAt: later(-7), unpaidUntil: later(50) });
    expect([49, 50].map((now) => modifiedAt(unpaid, later(now)))).to.deep.equal([-7, 50].map(later));
  });

  it('is the last write, or the end of the period, if no cancellation is scheduled', () => {
    const unscheduled = { ...subscription, cancellation: null };
    expect([99, 100, 200].map((now) => modifiedAt(unscheduled, later(now)))).to.deep.equal([-7, 100, 200].map(later));
  });

  it('is the last write until the clock changes the status', () => {
    expect([modifiedAt(subscription, later(-7)), modifiedAt(subscription, later(99))]).to.deep.equal([
      later(-7),
      later(-7),
    ]);
  });

  it('is the last end that has passed', () => {
    const apart = { ...subscription, cancellation: { at: later(150), requestedAt: later(-7) } };
    expect([100, 149, 150, 199, 200].map((now) => modifiedAt(apart, later(now)))).to.deep.equal(
      [100, 100, 150, 150, 200].map(later),
    );
  });

  it('is a write after an end that has passed', () => {
    expect(modifiedAt({ ...subscription, updatedAt: later(250) }, later(300))).to.deep.equal(later(250));
  });

  it('is the last write of a one-time purchase, or its end', () => {
    const ending = aOneTimePurchase({ updatedAt: later(-7), accessEndsAt: later(5) });
    expect([4, 5].map((now) => modifiedAt(ending, later(now)))).to.deep.equal([later(-7), later(5)]);
    expect(modifiedAt(aOneTimePurchase({ updatedAt: later(-7) }), later(1000))).to.deep.equal(later(-7));
  });
});
