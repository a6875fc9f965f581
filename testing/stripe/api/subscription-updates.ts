import type { Subscription } from '../objects/stored.ts';
import { changeCancellation, end, hasEnded, lastEnd, type Cancellation } from '../shop/cancellation.ts';
import { pauseCollection } from '../shop/cycle.ts';
import type { Ledger } from '../shop/ledger.ts';
import { booleanOf, integerOf, textOf, type Parameters } from './parameters.ts';
import { refusals } from './refusals.ts';
import { found, type Route } from './route.ts';

/** `POST /v1/subscriptions/:id`, of which the fake knows what cancels, resumes, pauses and describes. */
export const updateSubscription: Route = {
  method: 'POST',
  path: '/v1/subscriptions/:id',
  permission: 'subscription',
  parameters: [
    'expand[*]',
    'cancel_at',
    'cancel_at_period_end',
    'cancellation_details[comment]',
    'cancellation_details[feedback]',
    'metadata[*]',
    'pause_collection',
    'pause_collection[behavior]',
    'proration_behavior',
  ],
  answer: ({ ledger, id, parameters }) => {
    const subscription = found(ledger.subscriptions, 'subscription', id);
    const cancellation = readCancellation(ledger, subscription, parameters);
    const collection = readCollection(parameters);
    refuseDescribing(subscription, parameters, cancellation !== null || collection !== undefined);
    if (collection !== undefined) pauseCollection(ledger, subscription, collection);
    if (cancellation !== null) changeCancellation(ledger, subscription, cancellation);
    describe(ledger, subscription, parameters);
    return subscription;
  },
};

/** `DELETE /v1/subscriptions/:id`, which cancels at once. */
export const cancelSubscription: Route = {
  method: 'DELETE',
  path: '/v1/subscriptions/:id',
  permission: 'subscription',
  parameters: [
    'expand[*]',
    'cancellation_details[comment]',
    'cancellation_details[feedback]',
    'invoice_now',
    'prorate',
  ],
  answer: ({ ledger, id, parameters }) => {
    const subscription = found(ledger.subscriptions, 'subscription', id);
    if (hasEnded(subscription)) throw refusals.notFound('subscription', id, 'id');
    describe(ledger, subscription, parameters);
    end(ledger, subscription, ledger.now());
    return subscription;
  },
};

function readCancellation(ledger: Ledger, subscription: Subscription, parameters: Parameters): Cancellation | null {
  const flag = booleanOf(parameters, 'cancel_at_period_end');
  const at = textOf(parameters, 'cancel_at');
  if (flag !== undefined && at !== undefined) throw refusals.bothCancellations();
  if (flag === undefined && at === undefined) return null;
  if (subscription.schedule !== null) throw refusals.scheduled(subscription.schedule);
  if (flag !== undefined) return flag ? { flag } : { undone: 'flag' };
  if (at === '') return { undone: 'instant' };
  if (at === 'min_period_end' || at === 'max_period_end') return { at: lastEnd(ledger, subscription) };
  const instant = integerOf(parameters, 'cancel_at') ?? 0;
  if (instant <= ledger.now()) throw refusals.inThePast();
  return { at: instant };
}

/** The way in which the collection is paused. Null for the end of a pause, which an empty text asks for. */
function readCollection({ pause_collection: value }: Parameters): (typeof behaviors)[number] | null | undefined {
  if (value === undefined || value === '') return value === '' ? null : undefined;
  const asked = typeof value === 'object' ? textOf(value, 'behavior') : undefined;
  if (asked === undefined) throw refusals.missingParameter('pause_collection[behavior]');
  const behavior = behaviors.find((each) => each === asked);
  if (behavior === undefined) throw refusals.notOneOf('pause_collection[behavior]', behaviors);
  return behavior;
}

const behaviors = ['keep_as_draft', 'mark_uncollectible', 'void'] as const;

function refuseDescribing(subscription: Subscription, parameters: Parameters, isChanged: boolean): void {
  const isMore = isChanged || parameters['proration_behavior'] !== undefined;
  if (hasEnded(subscription) && isMore) throw refusals.canceled();
}

function describe(ledger: Ledger, subscription: Subscription, parameters: Parameters): void {
  const { metadata, cancellation_details: details } = parameters;
  const changes: Partial<Subscription> = {};
  if (typeof metadata === 'object') {
    // An empty value removes a member, as at Stripe.
    const members = { ...subscription.metadata, ...(metadata as Record<string, string>) };
    changes.metadata = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));
  }
  if (typeof details === 'object')
    changes.cancellation_details = { ...subscription.cancellation_details, ...(details as object) };
  ledger.change('customer.subscription.updated', subscription, changes);
}
