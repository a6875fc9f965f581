import type { Standing } from '../../../../core/entitlement/entitlement.ts';
import { unreadable, type Noted } from '../record/noted.ts';
import {
  BadRecord,
  jsonOnly,
  testSale,
  type Access,
  type Delivered,
  type SoldEnd,
  type Vendor,
  type VendorReading,
  type VendorRecord,
} from '../record/sold.ts';
import {
  deliveryAt,
  deviceLimitAt,
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

const keyStatuses = ['inactive', 'active', 'expired', 'disabled'] as const;

const subscriptionStatuses = ['on_trial', 'active', 'paused', 'past_due', 'unpaid', 'cancelled', 'expired'] as const;

/** Lemon Squeezy tries a failed payment again for two weeks. */
const pastDueGrace = '14d';

/**
 * Pages of license keys of Lemon Squeezy, and of subscriptions where there are some. A subscription belongs to the keys of
 * its order, and says until when they give access.
 */
export const lemonSqueezy: Vendor = {
  ...jsonOnly,
  name: 'Lemon Squeezy',
  prefix: 'ls',
  form: 'JSON pages of its license keys or subscriptions',
  unpack,
  note,
  read,
  dropped: (record) =>
    droppedOf(record, {
      emails: [['attributes', 'user_email']],
      names: [['attributes', 'user_name']],
      activations: [['attributes', 'instances_count']],
    }),
};

/** A webhook has a record as it was then, which says itself when it was updated. */
function unpack(record: VendorRecord): Delivered | null {
  const data = valueAt(record, 'data');
  if (valueAt(record, 'meta', 'event_name') === undefined || !isRecord(data)) return null;
  return { records: [data], at: deliveryAt(data, 'attributes', 'updated_at') };
}

/** The facts of a subscription about the keys of its order. */
interface NotedSubscription {
  readonly id: string;
  readonly variant: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly grace: string | null;
  readonly access: Access;
  readonly standing: Standing;
}

function note(record: VendorRecord, noted: Noted): void {
  const type = textAt(record, 'type');
  const [order, item] = [textAt(record, 'attributes', 'order_id'), textAt(record, 'attributes', 'order_item_id')];
  if (type === 'license-keys' && order !== null) noted.set(keyOf(order), '');
  if (type !== 'subscriptions') return;
  const names = [
    order === null ? [] : [`order ${order}`],
    item === null ? [`whole order ${order ?? ''}`] : [`item ${item}`],
  ].flat();
  for (const name of names) noted.set(name, unreadable);
  const text = JSON.stringify(subscriptionOf(record));
  for (const name of names) noted.set(name, text);
}

/** The name under which the keys of an order are noted. */
function keyOf(order: string): string {
  return `keys of order ${order}`;
}

function subscriptionOf(record: VendorRecord): NotedSubscription {
  const status = statusAt(record, subscriptionStatuses, 'attributes', 'status');
  const isOver = status === 'cancelled' || status === 'expired';
  const access = accessOf(record, status);
  const endName = isOver ? 'ends_at' : 'renews_at';
  const trialEnd = status === 'on_trial' ? instantAt(record, 'attributes', 'trial_ends_at') : null;
  // A subscription with access and without an end would otherwise never end.
  const readEnd = access === 'current' && trialEnd === null ? neededInstant : instantAt;
  const end = readEnd(record, 'attributes', endName);
  return {
    id: neededText(record, 'id'),
    variant: textAt(record, 'attributes', 'variant_id'),
    start: instantAt(record, 'attributes', 'created_at')?.toISOString() ?? null,
    end: (trialEnd ?? end)?.toISOString() ?? null,
    grace: isOver ? '0s' : status === 'past_due' ? pastDueGrace : null,
    access,
    standing: status === 'on_trial' ? 'trialing' : status === 'past_due' ? 'past_due' : 'active',
  };
}

/** A pause keeps access only if the vendor gives it for free meanwhile. */
function accessOf(record: VendorRecord, status: (typeof subscriptionStatuses)[number]): Access {
  if (status === 'expired') return 'ended';
  if (status === 'unpaid') return 'suspended';
  return status === 'paused' && textAt(record, 'attributes', 'pause', 'mode') !== 'free' ? 'suspended' : 'current';
}

function read(record: VendorRecord, noted: Noted): VendorReading {
  const type = textAt(record, 'type');
  const order = textAt(record, 'attributes', 'order_id');
  if (!isOwn(record)) return { kind: 'foreign' };
  if (flagAt(record, 'attributes', 'test_mode')) return testSale;
  if (type === 'subscriptions') {
    subscriptionOf(record);
    const hasKey = order !== null && noted.find(keyOf(order)) !== null;
    return hasKey ? { kind: 'part' } : { kind: 'left out', reason: 'without a license key' };
  }
  const item = textAt(record, 'attributes', 'order_item_id');
  const text =
    item === null
      ? noted.find(`order ${order ?? ''}`)
      : (noted.find(`item ${item}`) ?? noted.find(`whole order ${order ?? ''}`));
  if (text === unreadable) throw new BadRecord('The subscription of this key cannot be read.');
  const subscription = text === null ? null : (JSON.parse(text) as NotedSubscription);
  const status = statusAt(record, keyStatuses, 'attributes', 'status');
  const isDisabled = status === 'disabled' || flagAt(record, 'attributes', 'disabled');
  const product = neededText(record, 'attributes', 'product_id');
  const variant = subscription?.variant ?? null;
  const start = subscription === null ? null : subscription.start;
  return {
    kind: 'sold',
    sold: [
      {
        id: neededText(record, 'id'),
        products: variant === null ? [product] : [variant, product],
        listedAs: product,
        reference: subscription?.id ?? order,
        key: textAt(record, 'attributes', 'key'),
        start: start === null ? instantAt(record, 'attributes', 'created_at') : new Date(start),
        end: endOf(record, subscription),
        isCanceled: false,
        isRetried: subscription?.standing === 'past_due',
        interval: null,
        access: isDisabled ? 'revoked' : status === 'expired' ? 'ended' : (subscription?.access ?? 'current'),
        standing: subscription?.standing ?? 'active',
        deviceLimit: deviceLimitAt(record, 'attributes', 'activation_limit'),
      },
    ],
  };
}

/** Others have JSON:API too. Every key and subscription of Lemon Squeezy names its order and its product. */
function isOwn(record: VendorRecord): boolean {
  const type = textAt(record, 'type');
  const names = ['store_id', 'order_id', 'product_id'].filter((name) => textAt(record, 'attributes', name) !== null);
  return (type === 'license-keys' || type === 'subscriptions') && names.length > 0;
}

function endOf(record: VendorRecord, subscription: NotedSubscription | null): SoldEnd | null {
  const expiry = instantAt(record, 'attributes', 'expires_at');
  if (subscription !== null && subscription.end !== null) {
    return { at: new Date(subscription.end), grace: subscription.grace };
  }
  return expiry === null ? null : { at: expiry, grace: '0s' };
}
