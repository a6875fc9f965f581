import { Stripe } from 'stripe';
import type { FakeStripe } from '../../../testing/index.ts';

/** The library, over a fake. It repeats nothing by itself, but for a connection that was closed. */
export function libraryOver(shop: Pick<FakeStripe, 'url' | 'apiKey'>, apiKey = shop.apiKey): Stripe {
  const { hostname, port } = new URL(shop.url);
  return new Stripe(apiKey, { protocol: 'http', host: hostname, port, maxNetworkRetries: 0, telemetry: false });
}

export interface Refused {
  readonly status: number | undefined;
  readonly type: string;
  readonly code: string | undefined;
  readonly message: string;
}

/** Returns what the library says of a request that Stripe refuses. */
export async function refusedBy(request: Promise<unknown>): Promise<Refused> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode: status, rawType = error.type, code, message } = error;
    return { status, type: rawType, code, message };
  }
  throw new Error('nothing was refused');
}
