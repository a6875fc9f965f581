import { billingIntervals } from '../../../../core/entitlement/entitlement.ts';
import { nearestInterval } from '../../../../core/entitlement/nearest-interval.ts';
import { day } from '../../../../core/parsing/duration.ts';
import {
  BadRecord,
  testSale,
  type Access,
  type Delivered,
  type Sold,
  type SoldEnd,
  type SoldInterval,
  type Vendor,
  type VendorReading,
  type VendorRecord,
} from '../record/sold.ts';
import {
  deliveryAt,
  droppedOf,
  flagAt,
  instantAt,
  isRecord,
  neededInstant,
  neededText,
  statusAt,
  textAt,
  valueAt,
} from '../record/values.ts';

const statuses = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
  'incomplete',
  'incomplete_expired',
] as const;

type Status = (typeof statuses)[number];

/** Milliseconds of access since a payment is missing, as `STRIPE_UNPAID_ACCESS` has them by default. */
const unpaidAccess = 21 * day;

/** Until when one that is past due keeps access. An invoice that is sent to the buyer is due some days after the start. */
function unpaidUntilOf(record: VendorRecord, start: Date): Date {
  const daysUntilDue = Number(textAt(record, 'days_until_due') ?? 0) || 0;
  return new Date(start.getTime() + daysUntilDue * day + unpaidAccess);
}

/** The id in the map of a subscription that names no price. */
const noPrice = 'no price';

/**
 * Subscriptions of Stripe, as JSON pages of the API, in events, or as the CSV of the dashboard. They have no keys, so
 * keys are made.
 */
export const stripe: Vendor = {
  name: 'Stripe',
  prefix: 'stripe',
  form: 'JSON pages of its subscriptions, its events, or the CSV of its subscriptions',
  columns: [
    'id',
    'Plan',
    'Interval',
    'Status',
    'Current Period Start (UTC)',
    'Current Period End (UTC)',
    'Canceled At (UTC)',
    'Ended At (UTC)',
  ],
  isJson: true,
  makesKeys: true,
  mayOutliveEnd: false,
  lastRow: null,
  unpack,
  note: null,
  read: (record) => (valueAt(record, 'Plan') === undefined ? readObject(record) : readRow(record)),
  dropped: (record) =>
    droppedOf(record, {
      emails: [['Customer Email'], ['customer', 'email']],
      names: [['Customer Name'], ['Customer Description'], ['customer', 'name']],
      activations: [],
    }),
};

/**
 * The place of an event among those of its second, in milliseconds. A page of the API has the newest first: there, the
 * creation of a subscription stands behind its payment.
 */
const placeInSecond: ReadonlyMap<string | null, number> = new Map([
  ['customer.subscription.created', 0],
  ['customer.subscription.deleted', 2],
]);

/** An event has the object as it was then. */
function unpack(record: VendorRecord): Delivered | null {
  if (textAt(record, 'object') !== 'event') return null;
  const object = valueAt(record, 'data', 'object');
  const place = placeInSecond.get(textAt(record, 'type')) ?? 1;
  return {
    records: isRecord(object) ? [object] : [],
    at: new Date(deliveryAt(record, 'created').getTime() + place),
  };
}

function readObject(record: VendorRecord): VendorReading {
  if (!isOwn(record)) return { kind: 'foreign' };
  if (valueAt(record, 'livemode') === false) return testSale;
  const status = statusAt(record, statuses, 'status');
  const items = itemsOf(record).map((item) => itemOf(record, item));
  const isPaused = (valueAt(record, 'pause_collection') ?? null) !== null;
  return readingOf(record, status, items, instantAt(record, 'ended_at'), isPaused);
}

/** Others have objects that are called subscription. Those of Stripe have a list of items, or in old versions a plan. */
function isOwn(record: VendorRecord): boolean {
  const hasItems = Array.isArray(valueAt(record, 'items', 'data')) || textAt(record, 'plan', 'interval') !== null;
  return textAt(record, 'object') === 'subscription' && (hasItems || typeof valueAt(record, 'livemode') === 'boolean');
}

/** The product and price of one item of a subscription. */
interface Item {
  readonly products: readonly string[];
  readonly start: Date | null;
  readonly end: SoldEnd;
  readonly interval: SoldInterval;
}

function itemOf(record: VendorRecord, item: unknown): Item {
  // Since 2025 the period stands with the items.
  const period = textAt(record, 'current_period_end') === null ? item : record;
  const end = neededInstant(period, 'current_period_end');
  const cancelAt = instantAt(record, 'cancel_at') ?? (flagAt(record, 'cancel_at_period_end') ? end : null);
  const count = textAt(item, 'price', 'recurring', 'interval_count') ?? textAt(item, 'plan', 'interval_count');
  return {
    products: [
      textAt(item, 'price', 'id'),
      textAt(item, 'plan', 'id'),
      textAt(item, 'price', 'product', 'id') ?? textAt(item, 'price', 'product') ?? textAt(item, 'plan', 'product'),
    ].filter((id) => id !== null),
    start: neededInstant(period, 'current_period_start'),
    end: cancelAt !== null && cancelAt <= end ? { at: cancelAt, grace: '0s' } : { at: end, grace: null },
    interval: intervalOf(
      textAt(item, 'price', 'recurring', 'interval') ?? textAt(item, 'plan', 'interval'),
      count ?? '1',
    ),
  };
}

function readRow(row: VendorRecord): VendorReading {
  const endedAt = instantAt(row, 'Ended At (UTC)');
  const last = instantAt(row, 'Current Period End (UTC)') ?? instantAt(row, 'Trial End (UTC)') ?? endedAt;
  const end = last ?? neededInstant(row, 'Current Period End (UTC)');
  const isCanceled = instantAt(row, 'Canceled At (UTC)') !== null;
  const [, count, unit = ''] = /^(?:every\s+)?(\d+)?\s*([a-z]+?)(?:ly|s)?$/i.exec(neededText(row, 'Interval')) ?? [];
  const item = {
    products: [neededText(row, 'Plan'), textAt(row, 'Product')].filter((id) => id !== null),
    start: instantAt(row, 'Current Period Start (UTC)'),
    end: { at: end, grace: isCanceled ? '0s' : null },
    interval: intervalOf(unit.toLowerCase(), count ?? textAt(row, 'Interval Count')),
  };
  return readingOf(row, statusAt(row, statuses, 'Status'), [item], endedAt, false);
}

function readingOf(
  record: VendorRecord,
  status: Status,
  items: readonly Item[],
  endedAt: Date | null,
  isPaused: boolean,
): VendorReading {
  if (status === 'incomplete' || status === 'incomplete_expired') {
    return { kind: 'left out', reason: 'never paid' };
  }
  const id = neededText(record, 'id');
  const access = accessOf[status];
  const soldOf = ({ products, start, end, interval }: Item): Sold => ({
    id,
    products: products.length === 0 ? [noPrice] : products,
    listedAs: products[0] ?? noPrice,
    reference: id,
    key: null,
    start,
    end: access === 'ended' && endedAt !== null ? { at: endedAt, grace: '0s' } : end,
    isCanceled: false,
    interval,
    access,
    unpaidUntil: status === 'past_due' && start !== null && !isPaused ? unpaidUntilOf(record, start) : null,
    standing: status === 'trialing' || status === 'past_due' ? status : 'active',
  });
  return { kind: 'sold', sold: items.map(soldOf) };
}

/** While its payments are not collected, a subscription keeps its status, and the buyer keeps access. */
const accessOf: Readonly<Record<Exclude<Status, 'incomplete' | 'incomplete_expired'>, Access>> = {
  trialing: 'current',
  active: 'current',
  past_due: 'current',
  unpaid: 'suspended',
  paused: 'suspended',
  canceled: 'ended',
};

function itemsOf(record: VendorRecord): readonly unknown[] {
  const items = valueAt(record, 'items', 'data');
  return Array.isArray(items) && items.length > 0 ? items : [record];
}

/** The interval of a unit. Null stands for a count that Stripe does not name. Throws `BadRecord` for any other text. */
function intervalOf(text: string | null, count: string | null): SoldInterval {
  const unit = billingIntervals.find((each) => each === text);
  if (unit === undefined) throw new BadRecord(`The interval must be one of ${billingIntervals.join(', ')}.`);
  if (count === null) return { unit, count: null };
  if (!/^[1-9]\d{0,4}$/.test(count)) throw new BadRecord('The count of intervals must be a whole number, 1 or more.');
  const { billingInterval, billingIntervalCount } = nearestInterval(unit, Number(count));
  return { unit: billingInterval, count: billingIntervalCount };
}
