import type { AddressFailure, BuyerAddresses, SaleOfAddress } from '../../../core/mail/buyer-addresses.port.ts';
import { StripeTooSlow } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { failureOf } from '../outgoing/failure.ts';
import { readSaleAddress } from './sale-address.ts';
import { findSalesTo } from './sales-to-address.ts';

/** Reads the addresses of buyers at Stripe, without a cache. */
export function stripeAddresses(stripe: StripeClient): BuyerAddresses {
  return {
    ofSale: (sale, call) =>
      unlessFailed(async () => ({ kind: 'read' as const, address: await readSaleAddress(stripe, sale, call) })),
    salesTo: async (typed, call) => {
      const sales: SaleOfAddress[] = [];
      const outcome = await unlessFailed(async () => {
        for await (const sale of findSalesTo(stripe, typed, call)) sales.push(sale);
        return { kind: 'read' as const };
      });
      return { ...outcome, sales };
    },
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
