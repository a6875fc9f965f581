import type { Access, Vendor, VendorReading, VendorRecord } from '../record/sold.ts';
import { droppedOf, instantAt, neededText, statusAt, textAt, valueAt } from '../record/values.ts';

const statuses = ['inactive', 'active', 'expired', 'disabled'] as const;

const accessOf: Readonly<Record<(typeof statuses)[number], Access>> = {
  inactive: 'current',
  active: 'current',
  expired: 'ended',
  disabled: 'revoked',
};

/** License objects of Creem's API. One that names no product has the id `license` in the map. */
export const creem: Vendor = {
  name: 'Creem',
  prefix: 'creem',
  form: 'JSON with license objects of its API',
  columns: null,
  isJson: true,
  makesKeys: false,
  lastRow: null,
  note: null,
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

function read(record: VendorRecord): VendorReading {
  const object = textAt(record, 'object') ?? 'license';
  if (object !== 'license' || valueAt(record, 'key') === undefined) return { kind: 'foreign' };
  if (valueAt(record, 'benefit_id') !== undefined) return { kind: 'foreign' };
  const named = textAt(record, 'product_id') ?? textAt(record, 'product', 'id') ?? textAt(record, 'product');
  const order = textAt(record, 'order_id') ?? textAt(record, 'order', 'id') ?? textAt(record, 'order');
  const expiry = instantAt(record, 'expires_at');
  return {
    kind: 'sold',
    sold: [
      {
        id: neededText(record, 'id'),
        products: named === null ? ['license'] : [named],
        listedAs: named ?? 'license',
        reference: textAt(record, 'subscription_id') ?? order,
        key: textAt(record, 'key'),
        start: instantAt(record, 'created_at'),
        end: expiry === null ? null : { at: expiry, grace: '0s' },
        canceledAt: null,
        interval: null,
        access: accessOf[statusAt(record, statuses, 'status')],
        standing: 'active',
      },
    ],
  };
}
