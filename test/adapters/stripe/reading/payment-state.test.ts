import { expect } from 'chai';
import { stateOf } from '../../../../adapters/stripe/reading/payment-state.ts';

const kept = { refunded: false, refunds: null };
const refunded = { refunded: true, refunds: null };

describe('what became of a payment', () => {
  for (const status of [
    'needs_response',
    'under_review',
    'appeal_needs_response',
    'appeal_under_review',
    'a_status_of_tomorrow',
    '',
  ]) {
    it(`is disputed while a dispute is ${status === '' ? 'without a status' : status}`, () => {
      expect(stateOf(kept, [{ status: 'won' }, { status }]).outcome).to.equal('disputed');
    });
  }

  for (const status of ['won', 'warning_needs_response', 'warning_under_review', 'warning_closed']) {
    it(`is kept when a dispute is ${status}`, () => {
      expect(stateOf(kept, [{ status }]).outcome).to.equal('kept');
    });
  }

  for (const status of ['lost', 'prevented']) {
    it(`is lost with a dispute that is ${status}, whatever else there is`, () => {
      expect(stateOf(kept, [{ status }]).outcome).to.equal('lost');
      expect(stateOf(refunded, [{ status: 'needs_response' }, { status }, { status: 'won' }]).outcome).to.equal('lost');
    });
  }

  it('is refunded, although a dispute is open', () => {
    expect(stateOf(refunded, [{ status: 'needs_response' }]).outcome).to.equal('refunded');
  });

  for (const [status, hasFailedRefund] of [
    ['failed', true],
    ['canceled', true],
    ['pending', false],
    ['requires_action', false],
    ['succeeded', false],
    [null, false],
  ] as const) {
    it(`has ${hasFailedRefund ? 'a' : 'no'} refund that failed where one is ${String(status)}`, () => {
      const charge = { refunded: false, refunds: { data: [{ status }] } } as Parameters<typeof stateOf>[0];
      expect(stateOf(charge, [])).to.deep.equal({ outcome: 'kept', hasFailedRefund });
    });
  }
});
