import { expect } from 'chai';
import type { Stripe } from 'stripe';
import type { StripeClient } from '../../../../adapters/stripe/client/create-stripe.ts';
import { readInvoicePayments, stateOf } from '../../../../adapters/stripe/reading/payment-state.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

const kept = { amount_refunded: 0, refunded: false, refunds: null };
const refunded = { amount_refunded: 900, refunded: true, refunds: null };

/** A charge of which parts were returned. */
function chargeWith(refunds: readonly object[], hasMore = false): Parameters<typeof stateOf>[0] {
  const charge = { amount_refunded: 700, refunded: false, refunds: { data: refunds, has_more: hasMore } };
  return charge as unknown as Parameters<typeof stateOf>[0];
}

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
      const charge = chargeWith([{ status, amount: 300, created: 1 }]);
      const returned = hasFailedRefund ? { refunded: 0, refundedAt: null } : { refunded: 300, refundedAt: 1 };
      expect(stateOf(charge, [])).to.deep.equal({ outcome: 'kept', ...returned, hasFailedRefund });
    });
  }

  it('adds up its refunds, as far as Stripe shows all of them', () => {
    const refunds = [
      { status: 'succeeded', amount: 200, created: 5 },
      { status: 'failed', amount: 400, created: 9 },
      { status: 'pending', amount: 100, created: 7 },
    ];
    expect(stateOf(chargeWith(refunds), [])).to.include({ refunded: 300, refundedAt: 7 });
    expect(stateOf(chargeWith(refunds, true), [])).to.include({ refunded: 700, refundedAt: 7 });
  });
});

describe('the payments of an invoice', () => {
  type Payment = Stripe.InvoicePayment.Payment;

  /** Reads payments, of which the invoice shows ten. Charges and intents that end with `back` are refunded. */
  async function outcomes(payments: readonly Payment[], status = 'paid'): Promise<readonly string[]> {
    const all = payments.map((payment, index) => ({
      id: `inpay_${index}`,
      status,
      payment,
    })) as Stripe.InvoicePayment[];
    const stripe = {
      invoicePayments: { list: async () => ({ data: all.slice(10), has_more: false }) },
      paymentIntents: { retrieve: async (id: string) => ({ latest_charge: chargeOf(id) }) },
      charges: { retrieve: async (id: string) => chargeOf(id) },
    } as unknown as StripeClient;
    const shown = { data: all.slice(0, 10), has_more: all.length > 10 } as NonNullable<Stripe.Invoice['payments']>;
    const states = await readInvoicePayments(stripe, { id: 'in_1', payments: shown }, aCall());
    return states.map(({ outcome }) => outcome);
  }

  it('are read by their intents, by charges from before intents, and are kept where Stripe has not moved the money', async () => {
    const payments: readonly Payment[] = [
      { type: 'payment_intent', payment_intent: 'pi_back' },
      { type: 'charge', charge: 'ch_back' },
      { type: 'charge', charge: 'ch_1' },
      { type: 'payment_record', payment_record: 'pr_1' },
    ];
    expect(await outcomes(payments)).to.deep.equal(['refunded', 'refunded', 'kept', 'kept']);
    expect(await outcomes(payments, 'open')).to.deep.equal([]);
  });

  it('are read on where the invoice does not show all of them', async () => {
    const payments = range(12).map((at) => ({
      type: 'payment_intent',
      payment_intent: at === 11 ? 'pi_1' : 'pi_back',
    }));
    expect(await outcomes(payments)).to.deep.equal([...range(11).map(() => 'refunded'), 'kept']);
  });
});

function chargeOf(id: string): object {
  return { id, disputed: false, refunded: id.endsWith('back'), refunds: null };
}
