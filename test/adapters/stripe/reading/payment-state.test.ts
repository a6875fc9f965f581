import { expect } from 'chai';
import { stateOf } from '../../../../adapters/stripe/reading/payment-state.ts';

const kept = { refunded: false, refunds: null };
const refunded = { refunded: true, refunds: null };

describe('what became of a payment', () => {
  for (const status of ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review'] as const) {
    it(`is disputed while a dispute is ${status}`, () => {
      expect(stateOf(kept, [{ status: 'won' }, { status }]).fate).to.equal('disputed');
    });
  }

  for (const status of [
    'won',
    'prevented',
    'warning_needs_response',
    'warning_under_review',
    'warning_closed',
  ] as const) {
    it(`is kept when a dispute is ${status}`, () => {
      expect(stateOf(kept, [{ status }]).fate).to.equal('kept');
    });
  }

  it('is lost with a dispute, whatever else there is', () => {
    expect(stateOf(refunded, [{ status: 'needs_response' }, { status: 'lost' }]).fate).to.equal('lost');
  });

  it('is refunded, although a dispute is open', () => {
    expect(stateOf(refunded, [{ status: 'needs_response' }]).fate).to.equal('refunded');
  });
});
