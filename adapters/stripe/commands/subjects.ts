import type { NewCall } from '../../../core/call.ts';
import { pages } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { eventTypes, subjectsOf } from '../hook/event-subjects.ts';
import { factsOf } from '../hook/verify-event.ts';

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

/** The subjects of the events since an instant, each once. Stripe keeps events for 30 days. */
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
