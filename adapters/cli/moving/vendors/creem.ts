import { instantOf } from '../../../../core/parsing/instant.ts';
import {
  jsonOnly,
  soldLicense,
  testSale,
  type Access,
  type Delivered,
  type Vendor,
  type VendorReading,
  type VendorRecord,
} from '../record/sold.ts';
import {
  deviceLimitAt,
  droppedOf,
  instantAt,
  isRecord,
  neededText,
  statusAt,
  textAt,
  valueAt,
} from '../record/values.ts';

const statuses = ['inactive', 'active', 'expired', 'disabled'] as const;

/** The mode of what was sold. There are test, sandbox, and others in Creem's own samples. */
const liveMode = 'prod';

const accessOf: Readonly<Record<(typeof statuses)[number], Access>> = {
  inactive: 'current',
  active: 'current',
  expired: 'ended',
  disabled: 'revoked',
};

/**
 * License objects of Creem's API, and those in the checkouts that its webhooks bring. One that names no product has the
 * id `license` in the map.
 */
export const creem: Vendor = {
  ...jsonOnly,
  name: 'Creem',
  prefix: 'creem',
  form: 'JSON with license objects of its API, checkouts or webhooks',
  unpack,
  read,
  dropped: (record) =>
    droppedOf(record, {
      emails: [['customer', 'email'], ['customer_email']],
      names: [
        ['customer', 'name'],
        ['instance', 'name'],
      ],
      activations: [['activation']],
    }),
};

/**
 * A webhook has a checkout as it was then, with its licenses twice: as a list, and each with its feature. The checkout
 * names their order and their buyer.
 */
function unpack(record: VendorRecord): Delivered | null {
  const isWebhook = valueAt(record, 'eventType') !== undefined;
  const object = isWebhook ? valueAt(record, 'object') : record;
  if (!isWebhook && textAt(record, 'object') !== 'checkout') return null;
  const features = listAt(object, 'feature').map((feature) => valueAt(feature, 'license_key'));
  const licenses = [...listAt(object, 'license_keys'), ...features].filter(isRecord);
  const byId = new Map(licenses.map((license) => [textAt(license, 'id'), license]));
  const shared = {
    order_id: textAt(object, 'order', 'id'),
    subscription_id: textAt(object, 'subscription', 'id'),
    customer: valueAt(object, 'customer'),
    mode: valueAt(object, 'mode'),
  };
  const records = [...byId.values()].map((license) => ({ ...shared, ...license }));
  // In milliseconds, unlike the instants of its objects.
  const at = Number(valueAt(record, 'created_at'));
  return {
    records: records.length > 0 || !isRecord(object) ? records : [object],
    at: instantOf(at) ?? new Date(0),
  };
}

function listAt(record: unknown, name: string): readonly unknown[] {
  const list = valueAt(record, name);
  return Array.isArray(list) ? list : [];
}

function read(record: VendorRecord): VendorReading {
  if (!isOwn(record)) return { kind: 'foreign' };
  if ((textAt(record, 'mode') ?? liveMode) !== liveMode) return testSale;
  const named = textAt(record, 'product_id') ?? textAt(record, 'product', 'id') ?? textAt(record, 'product');
  const order = textAt(record, 'order_id') ?? textAt(record, 'order', 'id') ?? textAt(record, 'order');
  return soldLicense(
    {
      id: neededText(record, 'id'),
      products: named === null ? ['license'] : [named],
      listedAs: named ?? 'license',
      reference: textAt(record, 'subscription_id') ?? order,
      key: textAt(record, 'key'),
      start: instantAt(record, 'created_at'),
      access: accessOf[statusAt(record, statuses, 'status')],
      deviceLimit: deviceLimitAt(record, 'activation_limit'),
    },
    instantAt(record, 'expires_at'),
  );
}

/** Others have keys with a status and a product too. A license of Creem says that it is one, or has members of its own. */
function isOwn(record: VendorRecord): boolean {
  const object = textAt(record, 'object');
  const hasOwnMembers = ['mode', 'activation', 'instance'].some((name) => valueAt(record, name) !== undefined);
  return (object === 'license' || (object === null && hasOwnMembers)) && valueAt(record, 'key') !== undefined;
}
