import type { Stripe } from 'stripe';
import type { NewCall } from '../../../core/call.ts';
import { askStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { eventTypes, subjectsOf } from '../hook/event-subjects.ts';
import { factsOf } from '../hook/verify-event.ts';

const limit = 100;

/** Every subscription, those that have ended too, and every completed session of a purchase, the newest first. */
export async function* allSubjects(stripe: StripeClient, newCall: NewCall): AsyncIterable<string> {
  const subscriptions = pages(newCall, (page, options) =>
    stripe.subscriptions.list({ status: 'all', ...page }, options),
  );
  for await (const { id } of subscriptions) yield id;
  const sessions = pages(newCall, (page, options) =>
    stripe.checkout.sessions.list({ status: 'complete', ...page }, options),
  );
  // The session of a subscription is looked at with it.
  for await (const { id, mode } of sessions) if (mode === 'payment') yield id;
}

/** What the events since an instant are about, each once. Stripe keeps them for 30 days. */
export async function* changedSubjects(stripe: StripeClient, since: Date, newCall: NewCall): AsyncIterable<string> {
  const seen = new Set<string>();
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const events = pages(newCall, (page, options) =>
    stripe.events.list({ types: [...eventTypes], created, ...page }, options),
  );
  for await (const event of events) {
    for (const id of await subjectsOf(stripe, factsOf(event), newCall())) {
      if (!seen.has(id)) yield id;
      seen.add(id);
    }
  }
}

/** The items of all pages of a list, which are read one after another. */
export async function* pages<Item extends { readonly id: string }>(
  newCall: NewCall,
  list: (
    page: { readonly limit: number; readonly starting_after?: string },
    options: Stripe.RequestOptions,
  ) => Promise<{ readonly data: readonly Item[]; readonly has_more: boolean }>,
): AsyncIterable<Item> {
  let last: string | undefined;
  for (let hasMore = true; hasMore;) {
    const page = { limit, ...(last !== undefined && { starting_after: last }) };
    const { data, has_more: more } = await askStripe(newCall(), (options) => list(page, options));
    yield* data;
    last = data.at(-1)?.id;
    hasMore = more && last !== undefined;
  }
}
