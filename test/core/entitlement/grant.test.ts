import { expect } from 'chai';
import { addInterval } from '../../../adapters/calendar/utc-calendar.ts';
import { decideGrant, type Grant } from '../../../core/entitlement/grant.ts';
import { aLicense, hour, noon } from '../../support/builders.ts';

const license = aLicense();
const terms = {
  productId: 'prod_1',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'trialing',
  currentPeriodStart: null,
  reference: 'sub_1',
} as const;
const monthly: Grant = {
  kind: 'subscription',
  ...terms,
  billingInterval: 'month',
  billingIntervalCount: 1,
  currentPeriodEnd: null,
  grace: hour,
};
const fresh = {
  id: 'ent_9',
  productId: 'prod_1',
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'trialing',
  hold: { kind: 'none' },
  reference: 'sub_1',
  updatesUntil: null,
  license,
  createdAt: noon,
  updatedAt: noon,
  version: 1,
  revision: 1,
  sequence: 0,
  nextEventAt: null,
  unannouncedEnd: null,
  deviceLimit: null,
  features: {},
  devicesUsed: 0,
  releasesUntil: null,
};

describe('a grant', () => {
  it('begins now by default, and ends one interval later plus the grace', () => {
    expect(granted(monthly)).to.deep.equal({
      kind: 'granted',
      entitlement: {
        ...fresh,
        kind: 'subscription',
        billingInterval: 'month',
        billingIntervalCount: 1,
        currentPeriodStart: noon,
        currentPeriodEnd: new Date('2026-08-18T12:00:00.000Z'),
        anchorDay: null,
        graceUntil: new Date('2026-08-18T13:00:00.000Z'),
        cancellation: null,
        unpaidUntil: null,
      },
    });
  });

  it('takes a given period, even a past one', () => {
    const currentPeriodStart = new Date('2020-01-01T00:00:00.000Z');
    const currentPeriodEnd = new Date('2020-01-01T00:00:00.001Z');
    expect(granted({ ...monthly, currentPeriodStart, currentPeriodEnd })).to.deep.equal({
      kind: 'granted',
      entitlement: {
        ...fresh,
        kind: 'subscription',
        billingInterval: 'month',
        billingIntervalCount: 1,
        currentPeriodStart,
        currentPeriodEnd,
        anchorDay: null,
        graceUntil: new Date('2020-01-01T01:00:00.001Z'),
        cancellation: null,
        unpaidUntil: null,
      },
    });
  });

  it('ends one interval after a given start', () => {
    const decision = granted({
      ...monthly,
      currentPeriodStart: new Date('2024-02-29T08:30:00.000Z'),
      billingInterval: 'year',
    });
    expect(decision).to.have.deep.nested.property('entitlement.currentPeriodEnd', new Date('2025-02-28T08:30:00.000Z'));
  });

  it('ends as many intervals after the start as its period has', () => {
    const currentPeriodStart = new Date('2026-01-31T10:00:00.000Z');
    const decision = granted({ ...monthly, billingIntervalCount: 3, currentPeriodStart });
    expect(decision).to.have.deep.nested.property('entitlement.currentPeriodEnd', new Date('2026-04-30T10:00:00.000Z'));
    expect(decision).to.have.nested.property('entitlement.billingIntervalCount', 3);
  });

  it('is refused if the period does not end after its start', () => {
    for (const end of [noon, new Date(noon.getTime() - 1)]) {
      expect(granted({ ...monthly, currentPeriodEnd: end })).to.deep.equal({
        kind: 'refused',
        code: 'period_end_too_early',
      });
    }
  });

  it('of a one-time purchase has a start, and an end if one is given', () => {
    const purchase: Grant = { kind: 'one_time', ...terms };
    const currentPeriodStart = new Date('2026-01-01T00:00:00.000Z');
    const accessEndsAt = new Date('2026-01-01T00:00:00.001Z');
    const ending = { ...purchase, currentPeriodStart, accessEndsAt };
    expect([granted(purchase), granted({ ...purchase, currentPeriodStart }), granted(ending)]).to.deep.equal([
      { kind: 'granted', entitlement: { ...fresh, kind: 'one_time', accessEndsAt: null, currentPeriodStart: noon } },
      { kind: 'granted', entitlement: { ...fresh, kind: 'one_time', accessEndsAt: null, currentPeriodStart } },
      { kind: 'granted', entitlement: { ...fresh, kind: 'one_time', accessEndsAt, currentPeriodStart } },
    ]);
    expect(granted({ ...ending, accessEndsAt: currentPeriodStart })).to.deep.equal({
      kind: 'refused',
      code: 'period_end_too_early',
    });
  });

  it('says until when there are updates, whatever else it gives', () => {
    const updatesUntil = new Date('2025-01-01T00:00:00.000Z');
    for (const grant of [{ ...monthly, updatesUntil }, { kind: 'one_time', ...terms, updatesUntil } as const]) {
      expect(granted(grant)).to.have.deep.nested.property('entitlement.updatesUntil', updatesUntil);
    }
  });

  it('begins with the hold that it is made with', () => {
    expect(held('suspended')).to.deep.equal({ kind: 'suspended' });
    expect(held('revoked')).to.deep.equal({ kind: 'revoked', at: noon });
  });
});

function granted(grant: Grant): unknown {
  return decideGrant(grant, { id: 'ent_9', license }, noon, addInterval);
}

function held(hold: 'suspended' | 'revoked'): unknown {
  const decision = decideGrant(monthly, { id: 'ent_9', license, hold }, noon, addInterval);
  return decision.kind === 'granted' && decision.entitlement.hold;
}
