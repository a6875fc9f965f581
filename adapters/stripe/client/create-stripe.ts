import type { Stripe } from 'stripe';
import { installCommand } from './install-command.ts';

export interface StripeSettings {
  readonly apiKey: string;
  /** Such as `https://api.stripe.com`. */
  readonly apiBase: string;
}

/** Stripe's library with the settings of this process. */
export type StripeClient = Stripe;

/** Imports the package `stripe`. */
type LoadLibrary = () => Promise<{ readonly default: typeof Stripe }>;

/** Thrown if the package `stripe` is not installed. The message is for the operator. */
export class StripeNotInstalled extends Error {
  constructor(options?: ErrorOptions) {
    super(
      `STRIPE_API_KEY is set, but Stripe's library is not installed. Run: ${installCommand(import.meta.url)}`,
      options,
    );
  }
}

/** Loads Stripe's library, which is an optional package. Throws `StripeNotInstalled`. */
export async function loadStripe(load: LoadLibrary = () => import('stripe')): Promise<typeof Stripe> {
  try {
    return (await load()).default;
  } catch (error) {
    throw isMissing(error) ? new StripeNotInstalled({ cause: error }) : error;
  }
}

/**
 * Makes a client that sends each request once more after a network error or a fault of Stripe. Throws
 * `StripeNotInstalled`.
 */
export async function createStripe({ apiKey, apiBase }: StripeSettings): Promise<StripeClient> {
  const Library = await loadStripe();
  const { protocol, hostname, port } = new URL(apiBase);
  return new Library(apiKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replaceAll(/[[\]]/g, ''),
    ...(port !== '' && { port }),
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
