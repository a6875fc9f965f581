import {
  jsonOnly,
  soldLicense,
  type Access,
  type Delivered,
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
  neededText,
  statusAt,
  textAt,
  valueAt,
} from '../record/values.ts';

const statuses = ['active', 'inactive', 'expiring', 'expired', 'suspended', 'banned'] as const;

/** The id in the map of a license that names neither policy nor product. */
const noPolicy = 'no policy';

/** Pages of licenses of Keygen, in the form of JSON:API. A signed key is too long for the service, as any other long key. */
export const keygen: Vendor = {
  ...jsonOnly,
  name: 'Keygen',
  prefix: 'keygen',
  form: 'JSON pages or events of its licenses',
  mayOutliveEnd: true,
  unpack,
  read,
  dropped: (record) =>
    droppedOf(record, {
      emails: [
        ['attributes', 'metadata', 'email'],
        ['attributes', 'metadata', 'customerEmail'],
      ],
      names: [['attributes', 'name']],
      activations: [
        ['attributes', 'uses'],
        ['relationships', 'machines', 'meta', 'count'],
      ],
    }),
};

/** An event has the license as it was then, as a text. */
function unpack(record: VendorRecord): Delivered | null {
  const data = valueAt(record, 'data');
  const event = isRecord(data) ? data : record;
  if (textAt(event, 'type') !== 'webhook-events') return null;
  const license = valueAt(payloadOf(event), 'data');
  const isDeleted = textAt(event, 'attributes', 'event') === 'license.deleted';
  return {
    records: [isRecord(license) ? { ...license, isDeleted } : event],
    at: deliveryAt(event, 'attributes', 'created'),
  };
}

function payloadOf(event: VendorRecord): unknown {
  const payload = valueAt(event, 'attributes', 'payload');
  if (typeof payload !== 'string') return payload;
  try {
    return JSON.parse(payload);
  } catch {
    return null;
  }
}

function read(record: VendorRecord): VendorReading {
  if (textAt(record, 'type') !== 'licenses') return { kind: 'foreign' };
  if (valueAt(record, 'isDeleted') === true) return { kind: 'left out', reason: 'deleted' };
  const policy = textAt(record, 'relationships', 'policy', 'data', 'id');
  const product = textAt(record, 'relationships', 'product', 'data', 'id');
  const products = [policy, product].filter((id) => id !== null);
  return soldLicense(
    {
      id: neededText(record, 'id'),
      products: products.length === 0 ? [noPolicy] : products,
      listedAs: products[0] ?? noPolicy,
      reference: null,
      key: textAt(record, 'attributes', 'key'),
      start: instantAt(record, 'attributes', 'created'),
      access: accessOf(record),
      deviceLimit: deviceLimitAt(record, 'attributes', 'maxMachines'),
    },
    instantAt(record, 'attributes', 'expiry'),
  );
}

/** A license that was not used for 90 days is INACTIVE, and valid. The user of a BANNED one is shut out permanently. */
function accessOf(record: VendorRecord): Access {
  const status = statusAt(record, statuses, 'attributes', 'status');
  if (status === 'banned') return 'revoked';
  if (status === 'suspended' || flagAt(record, 'attributes', 'suspended')) return 'suspended';
  return status === 'expired' ? 'ended' : 'current';
}
