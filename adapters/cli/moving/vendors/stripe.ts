import { billingIntervals } from '../../../../core/entitlement/entitlement.ts';
import {
  BadRecord,
  type Access,
  type SoldEnd,
  type SoldInterval,
  type Vendor,
  type VendorReading,
  type VendorRecord,
} from '../record/sold.ts';
import {
  droppedOf,
  flagAt,
  instantAt,
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

/** Subscriptions of Stripe, as JSON pages of the API or as the CSV of the dashboard. They have no keys, so keys are made. */
export const stripe: Vendor = {
  name: 'Stripe',
  prefix: 'stripe',
  form: 'JSON pages of its subscriptions, or their CSV',
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
  lastRow: null,
  note: null,
  read: (record) => (valueAt(record, 'Plan') === undefined ? readObject(record) : readRow(record)),
  dropped: (record) =>
    droppedOf(record, {
      emails: [['Customer Email'], ['customer', 'email']],
      names: [['Customer Name'], ['Customer Description'], ['customer', 'name']],
      activations: [],
    }),
};

function readObject(record: VendorRecord): VendorReading {
  if (textAt(record, 'object') !== 'subscription') return { kind: 'foreign' };
  const items = itemsOf(record);
  const [item] = items;
  // Since 2025 the period stands with the items.
  const period = textAt(record, 'current_period_end') === null ? item : record;
  const products = items.flatMap((each) =>
    [
      textAt(each, 'price', 'id'),
      textAt(each, 'plan', 'id'),
      textAt(each, 'price', 'product', 'id') ?? textAt(each, 'price', 'product') ?? textAt(each, 'plan', 'product'),
    ].filter((id) => id !== null),
  );
  const end = neededInstant(period, 'current_period_end');
  const cancelAt = instantAt(record, 'cancel_at') ?? (flagAt(record, 'cancel_at_period_end') ? end : null);
  return readingOf(record, statusAt(record, statuses, 'status'), {
    products,
    start: neededInstant(period, 'current_period_start'),
    end: cancelAt !== null && cancelAt <= end ? { at: cancelAt, grace: '0s' } : { at: end, grace: null },
    interval: {
      unit: unitOf(textAt(item, 'price', 'recurring', 'interval') ?? textAt(item, 'plan', 'interval')),
      count: Number(
        textAt(item, 'price', 'recurring', 'interval_count') ?? textAt(item, 'plan', 'interval_count') ?? 1,
      ),
    },
    endedAt: instantAt(record, 'ended_at'),
  });
}

function readRow(row: VendorRecord): VendorReading {
  const endedAt = instantAt(row, 'Ended At (UTC)');
  const last = instantAt(row, 'Current Period End (UTC)') ?? instantAt(row, 'Trial End (UTC)') ?? endedAt;
  const end = last ?? neededInstant(row, 'Current Period End (UTC)');
  const isCanceled = instantAt(row, 'Canceled At (UTC)') !== null;
  const [, count, unit = ''] = /^(?:every\s+)?(\d+)?\s*([a-z]+?)(?:ly|s)?$/i.exec(neededText(row, 'Interval')) ?? [];
  const written = count ?? textAt(row, 'Interval Count');
  return readingOf(row, statusAt(row, statuses, 'Status'), {
    products: [neededText(row, 'Plan'), textAt(row, 'Product')].filter((id) => id !== null),
    start: instantAt(row, 'Current Period Start (UTC)'),
    end: { at: end, grace: isCanceled ? '0s' : null },
    interval: { unit: unitOf(unit.toLowerCase()), count: written === null ? null : Number(written) },
    endedAt,
  });
}

function readingOf(
  record: VendorRecord,
  status: Status,
  subscription: {
    readonly products: readonly string[];
    readonly start: Date | null;
    readonly end: SoldEnd;
    readonly interval: SoldInterval;
    readonly endedAt: Date | null;
  },
): VendorReading {
  if (status === 'incomplete' || status === 'incomplete_expired') {
    return { kind: 'left out', reason: 'never paid' };
  }
  const { products, start, interval, endedAt } = subscription;
  const id = neededText(record, 'id');
  const access: Access =
    status === 'canceled' ? 'ended' : status === 'unpaid' || status === 'paused' ? 'suspended' : 'current';
  return {
    kind: 'sold',
    sold: {
      id,
      products,
      listedAs: products[0] ?? 'no price',
      reference: id,
      key: null,
      start,
      end: access === 'ended' && endedAt !== null ? { at: endedAt, grace: '0s' } : subscription.end,
      canceledAt: null,
      interval,
      access,
      standing: status === 'trialing' || status === 'past_due' ? status : 'active',
    },
  };
}

function itemsOf(record: VendorRecord): readonly unknown[] {
  const items = valueAt(record, 'items', 'data');
  return Array.isArray(items) && items.length > 0 ? items : [record];
}

function unitOf(text: string | null): SoldInterval['unit'] {
  const unit = billingIntervals.find((each) => each === text);
  if (unit === undefined) throw new BadRecord(`The interval must be one of ${billingIntervals.join(', ')}.`);
  return unit;
}
