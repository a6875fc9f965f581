import { expect } from 'chai';
import {
  deviceLimitRule,
  grantOf,
  grantRules,
  intervalCountRule,
  requiredOfGrant,
  type WrittenGrant,
} from '../../../core/entitlement/written-grant.ts';
import { readMembers } from '../../../core/parsing/read-members.ts';
import { day, hour, noon } from '../../support/builders.ts';

const required: WrittenGrant = { productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const terms = { productId: 'p1', tierId: 'pro', tierName: 'Pro' } as const;

describe('a written grant', () => {
  it('is read by the rule of each member', () => {
    const given = { currentPeriodStart: noon.toISOString(), currentPeriodEnd: noon.toISOString(), grace: '1h' };
    const texts = { ...required, status: 'past_due', ...given };
    expect(readMembers(grantRules, requiredOfGrant, texts, 'parse')).to.deep.equal({
      kind: 'read',
      values: { ...required, status: 'past_due', currentPeriodStart: noon, currentPeriodEnd: noon, grace: hour },
    });
    const missing = ['productId', 'tierId', 'tierName', 'billingInterval'];
    expect(readMembers(grantRules, requiredOfGrant, {}, 'parse')).to.deep.equal({
      kind: 'wrong',
      mistakes: missing.map((member) => ({ member, problem: 'is missing' })),
    });
  });

  it('has a default for every optional member', () => {
    expect(grantOf(required)).to.deep.equal({
      kind: 'grant',
      grant: {
        kind: 'subscription',
        ...terms,
        standing: 'active',
        currentPeriodStart: null,
        reference: null,
        updatesUntil: null,
        deviceLimit: null,
        billingInterval: 'month',
        billingIntervalCount: 1,
        currentPeriodEnd: null,
        grace: day,
      },
    });
    expect(grantOf({ ...required, billingInterval: 'one_time' })).to.deep.equal({
      kind: 'grant',
      grant: {
        kind: 'one_time',
        ...terms,
        standing: 'active',
        currentPeriodStart: null,
        reference: null,
        updatesUntil: null,
        deviceLimit: null,
        accessEndsAt: null,
      },
    });
  });

  it('has every given term', () => {
    const written = {
      ...required,
      currentPeriodStart: noon,
      currentPeriodEnd: new Date(noon.getTime() + day),
      billingIntervalCount: 3,
      status: 'trialing',
      grace: hour,
      reference: 'sub_1',
      updatesUntil: noon,
      deviceLimit: 3,
    } as const;
    expect(grantOf(written)).to.deep.equal({
      kind: 'grant',
      grant: {
        kind: 'subscription',
        ...terms,
        standing: 'trialing',
        currentPeriodStart: noon,
        reference: 'sub_1',
        updatesUntil: noon,
        deviceLimit: 3,
        billingInterval: 'month',
        billingIntervalCount: 3,
        currentPeriodEnd: new Date(noon.getTime() + day),
        grace: hour,
      },
    });
  });

  it('counts 1 to 120 intervals', () => {
    expect(intervalCountRule.rule).to.equal('must be a whole number from 1 to 120');
    for (const count of [1, 2, 120]) {
      expect([intervalCountRule.read(count), intervalCountRule.parse(String(count))]).to.deep.equal([count, count]);
    }
    for (const wrong of [0, -1, 1.5, 121, NaN, Infinity, '3', null, true])
      expect(intervalCountRule.read(wrong)).to.equal(null);
    for (const wrong of ['', ' ', '0', '121', '1.5', 'three']) expect(intervalCountRule.parse(wrong)).to.equal(null);
  });

  it('allows 1 to 10000 devices', () => {
    expect(deviceLimitRule.rule).to.equal('must be a whole number from 1 to 10000');
    for (const limit of [1, 3, 10_000])
      expect([deviceLimitRule.read(limit), deviceLimitRule.parse(String(limit))]).to.deep.equal([limit, limit]);
    for (const wrong of [0, -1, 1.5, 10_001, NaN, '3', null, true]) expect(deviceLimitRule.read(wrong)).to.equal(null);
    for (const wrong of ['', ' ', '0', '10001', '1.5', 'unlimited'])
      expect(deviceLimitRule.parse(wrong)).to.equal(null);
  });

  it('has no interval count, no grace and one end if it is a purchase', () => {
    const purchase = { ...required, billingInterval: 'one_time' } as const;
    const kind = 'not for a purchase';
    expect(grantOf({ ...purchase, billingIntervalCount: 1 })).to.deep.equal({ kind, member: 'billingIntervalCount' });
    expect(grantOf({ ...purchase, grace: 0 })).to.deep.equal({ kind, member: 'grace' });
    const later = new Date(noon.getTime() + 1);
    expect(grantOf({ ...purchase, accessEndsAt: noon, currentPeriodEnd: later })).to.deep.equal({
      kind,
      member: 'currentPeriodEnd',
    });
    for (const end of [
      { accessEndsAt: noon },
      { currentPeriodEnd: noon },
      { accessEndsAt: noon, currentPeriodEnd: new Date(noon) },
    ]) {
      expect(grantOf({ ...purchase, ...end })).to.have.deep.nested.property('grant.accessEndsAt', noon);
    }
  });

  it('has no end of its access if it is a subscription', () => {
    const reading = grantOf({ ...required, accessEndsAt: noon });
    expect(reading).to.deep.equal({ kind: 'not for a subscription', member: 'accessEndsAt' });
  });
});
