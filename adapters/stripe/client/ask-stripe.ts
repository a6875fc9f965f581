import type { Stripe } from 'stripe';
import type { Call, NewCall } from '../../../core/call.ts';
import { Refusal } from '../../../core/refusal.ts';

/** Milliseconds without a byte from Stripe after which a request has failed. The library's default is 80 seconds. */
const maxSilence = 8000;

/**
 * Sends a request through Stripe's library, and waits for the answer until the deadline of the call. Throws the error of
 * the library as it is, and `StripeTooSlow` at the deadline.
 */
export async function askStripe<T>(call: Call, send: (options: Stripe.RequestOptions) => Promise<T>): Promise<T> {
  const remaining = Math.max(0, call.deadline.remaining());
  if (remaining === 0) throw new StripeTooSlow();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StripeTooSlow()), remaining);
  });
  try {
    // The library's timeout counts the silence of one attempt, so that it alone bounds neither retries nor slow bodies.
    return await Promise.race([send({ timeout: Math.ceil(Math.min(maxSilence, remaining)) }), expired]);
  } finally {
    clearTimeout(timer);
  }
}

export class StripeTooSlow extends Error {
  constructor() {
    super('Stripe did not answer before the deadline');
  }
}

/** Sends a request like `askStripe`. Returns null for what Stripe does not know, or does not show to this key. */
export async function findAtStripe<T>(
  call: Call,
  send: (options: Stripe.RequestOptions) => Promise<T>,
): Promise<T | null> {
  try {
    return await askStripe(call, send);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

interface Listed<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** Asks Stripe for a page of a list. */
type ListPage<Item> = (
  page: { readonly limit: number; readonly starting_after?: string },
  options: Stripe.RequestOptions,
) => Promise<Listed<Item>>;

/** The items of all pages of a list, or of those after an item. The pages are read one after another. */
export async function* pages<Item extends { readonly id: string }>(
  newCall: NewCall,
  list: ListPage<Item>,
  after?: string,
): AsyncIterable<Item> {
  let last = after;
  for (let hasMore = true; hasMore;) {
    const page = { limit: 100, ...(last !== undefined && { starting_after: last }) };
    const { data, has_more: more } = await askStripe(newCall(), (options) => list(page, options));
    yield* data;
    last = data.at(-1)?.id;
    hasMore = more && last !== undefined;
  }
}

/** Every item of a list of which an object shows the first ones. */
export async function allOf<Item extends { readonly id: string }>(
  call: Call,
  shown: Listed<Item> | undefined,
  list: ListPage<Item>,
): Promise<readonly Item[]> {
  if (shown === undefined || !shown.has_more) return shown?.data ?? [];
  const all = [...shown.data];
  for await (const item of pages(() => call, list, all.at(-1)?.id)) all.push(item);
  return all;
}

/** Reports whether Stripe has answered that it does not know the object of a request. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'resource_missing';
}

/** The refusal for a failure of Stripe or the store. */
export function asUnavailable(error: unknown): Refusal {
  if (error instanceof Refusal && error.code === 'stripe_unavailable') return error;
  return new Refusal('stripe_unavailable', { cause: isOfLibrary(error) ? new Error(factsOf(error)) : error });
}

/**
 * Describes an error of Stripe without its message, which may quote the id of a session: anybody who knows that can claim
 * a key.
 */
function factsOf({ type, code, statusCode, requestId }: LibraryError): string {
  const facts = [statusCode, code, requestId].filter((fact) => fact !== undefined);
  return facts.length === 0 ? type : `${type} (${facts.join(', ')})`;
}

interface LibraryError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reports whether Stripe's library has thrown an error. */
export function isOfLibrary(error: unknown): error is LibraryError {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}
