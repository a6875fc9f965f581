import type { AddressFailure, BuyerAddresses } from '../../../core/mail/buyer-addresses.port.ts';
import { StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { failureOf } from '../outgoing/failure.ts';
import { readSaleAddress } from './sale-address.ts';
import { findSalesTo } from './sales-to-address.ts';

/** Reads the addresses of buyers at Stripe, each time anew. */
export function stripeAddresses(stripe: StripeClient): BuyerAddresses {
  return {
    ofSale: (sale, call) =>
      unlessFailed(async () => ({ kind: 'read' as const, address: await readSaleAddress(stripe, sale, call) })),
    salesTo: (typed, call) =>
      unlessFailed(async () => ({ kind: 'read' as const, sales: await findSalesTo(stripe, typed, call) })),
  };
}

/** The words of Stripe may quote an address, so a failure has its status or type alone. */
async function unlessFailed<T>(ask: () => Promise<T>): Promise<T | AddressFailure> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StripeTooSlow) return { kind: 'failed', code: 'stripe timeout', retryAfter: null };
    const failure = failureOf(error);
    if (failure === null) throw error;
    const { status } = failure;
    const retryAfter = failure.kind === 'transient' ? failure.retryAfter : null;
    return { kind: 'failed', code: status === null ? 'stripe no answer' : `stripe ${status}`, retryAfter };
  }
}
