import { expect } from 'chai';
import { decidePurchase } from '../../../../adapters/stripe/decision/decide-purchase.ts';
import type { PaymentOutcome } from '../../../../adapters/stripe/reading/payment-state.ts';
import type { PurchaseState } from '../../../../adapters/stripe/reading/session-state.ts';
import { aOneTimePurchase, aSubscription, day, noon } from '../../../support/builders.ts';
import { aMapping, aPurchaseState, aSold, july } from '../../../support/stripe/states.ts';

const sold = aSold();
const revoked = aOneTimePurchase({ hold: { kind: 'revoked', at: noon } });

function paid(outcome: PaymentOutcome, hasFailedRefund = false): PurchaseState {
  return aPurchaseState({ payment: { outcome, refunded: 0, refundedAt: null, hasFailedRefund } });
}

describe('the decision on a purchase', () => {
  it('gives updates from the start of the purchase on, for as long as its price says', () => {
    const decision = decidePurchase(aPurchaseState({}), null, aSold(aMapping({ updates: 365 * day })));
    const start = new Date(aPurchaseState({}).session.created * 1000);
    expect(decision)
      .to.have.nested.property('grant.updatesUntil')
      .deep.equal(new Date(start.getTime() + 365 * day));
  });

  for (const [name, payment] of [['was paid', paid('kept').payment] as const, ['costs nothing', null] as const]) {
    it(`grants one that ${name}`, () => {
      expect(decidePurchase(aPurchaseState({ payment }), null, sold)).to.deep.equal({
        kind: 'grant',
        grant: {
          kind: 'one_time',
          productId: 'prod_1',
          tierId: 'pro',
          tierName: 'Pro',
          deviceLimit: null,
          standing: 'active',
          currentPeriodStart: july,
          reference: 'cs_1',
          isSuspended: false,
          reason: null,
        },
      });
    });
  }

  it('allows as many devices as its mapped line has units, and is not changed by that afterwards', () => {
    const state = aPurchaseState({ prices: ['price_2', 'price_1'], quantities: [9, 2] });
    const of = aSold(aMapping({ deviceLimit: 5 }), 1);
    expect(decidePurchase(state, null, of)).to.have.nested.property('grant.deviceLimit', 10);
    expect(decidePurchase(state, aOneTimePurchase(), of)).to.deep.equal({
      kind: 'command',
      command: { kind: 'reinstate', cause: 'payment' },
    });
  });

  const nothings = {
    not_paid: [aPurchaseState({ isPaid: false, payment: null }), sold],
    failed: [aPurchaseState({ isPaid: false, hasFailed: true, payment: null }), sold],
    unmapped_price: [paid('kept'), aSold(null)],
    no_access: [paid('refunded'), sold],
  } as const;
  for (const [reason, [state, of]] of Object.entries(nothings)) {
    it(`grants nothing for an unknown one: ${reason}`, () => {
      expect(decidePurchase(state, null, of)).to.deep.equal({ kind: 'nothing', reason });
    });
  }

  it('grants nothing for an unknown one whose payment is lost, and a suspended one while a dispute is open', () => {
    expect(decidePurchase(paid('lost'), null, sold)).to.deep.equal({ kind: 'nothing', reason: 'no_access' });
    expect(decidePurchase(paid('disputed'), null, sold)).to.deep.nested.include({
      'grant.isSuspended': true,
      'grant.reason': 'disputed',
    });
  });

  const commands = {
    kept: { kind: 'reinstate', cause: 'payment' },
    disputed: { kind: 'suspend', cause: 'payment', reason: 'disputed' },
    refunded: { kind: 'revoke', reason: 'refunded' },
    lost: { kind: 'revoke', reason: 'dispute_lost' },
  } as const;
  for (const outcome of ['kept', 'disputed', 'refunded', 'lost'] as const) {
    it(`${commands[outcome].kind}s one whose payment is ${outcome}, whatever its price is mapped to`, () => {
      for (const mapping of [aMapping({ productId: 'prod_2' }), null]) {
        const decision = decidePurchase(paid(outcome), aOneTimePurchase(), aSold(mapping));
        expect(decision).to.deep.equal({ kind: 'command', command: commands[outcome] });
      }
    });
  }

  it('agrees to the revocation of what was taken back, and refuses one of what was paid', () => {
    expect(decidePurchase(paid('refunded'), revoked, sold)).to.deep.equal({ kind: 'agreed' });
    expect(decidePurchase(paid('lost'), revoked, sold)).to.deep.equal({ kind: 'agreed' });
    expect(decidePurchase(paid('kept'), revoked, sold)).to.deep.equal({ kind: 'refused', reason: 'revoked_here' });
  });

  it('refuses to bring back what a refund has revoked that failed later', () => {
    expect(decidePurchase(paid('kept', true), revoked, sold)).to.deep.equal({
      kind: 'refused',
      reason: 'refund_failed',
    });
  });

  it('leaves an unpaid one, and refuses one whose id a subscription has', () => {
    const unpaid = aPurchaseState({ isPaid: false, payment: null });
    expect(decidePurchase(unpaid, aOneTimePurchase(), sold)).to.deep.equal({ kind: 'agreed' });
    expect(decidePurchase(paid('kept'), aSubscription(), sold)).to.deep.equal({
      kind: 'refused',
      reason: 'other_kind',
    });
  });
});
