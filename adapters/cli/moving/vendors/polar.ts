import { jsonOnly, soldLicense, type Vendor, type VendorReading, type VendorRecord } from '../record/sold.ts';
import { deviceLimitAt, droppedOf, instantAt, neededText, statusAt, textAt, valueAt } from '../record/values.ts';

const statuses = ['granted', 'revoked', 'disabled'] as const;

/** Pages of license keys of Polar. A key belongs to a benefit, which can be part of several products. */
export const polar: Vendor = {
  ...jsonOnly,
  name: 'Polar',
  prefix: 'polar',
  form: 'JSON pages of its license keys',
  unpack: null,
  read,
  dropped: (record) =>
    droppedOf(record, {
      emails: [['customer', 'email']],
      names: [['customer', 'name']],
      activations: [['usage']],
    }),
};

function read(record: VendorRecord): VendorReading {
  const benefit = textAt(record, 'benefit_id');
  if (benefit === null || valueAt(record, 'key') === undefined) return { kind: 'foreign' };
  return soldLicense(
    {
      id: neededText(record, 'id'),
      products: [benefit],
      listedAs: benefit,
      reference: null,
      key: textAt(record, 'key'),
      start: instantAt(record, 'created_at'),
      access: statusAt(record, statuses, 'status') === 'granted' ? 'current' : 'revoked',
      deviceLimit: deviceLimitAt(record, 'limit_activations'),
    },
    instantAt(record, 'expires_at'),
  );
}
