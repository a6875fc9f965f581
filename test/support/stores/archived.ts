import type { Entry } from '../../../core/copy/archive.port.ts';
import { aCall, anEntry, aRecord, aSubscription } from '../builders.ts';
import { range } from '../range.ts';

/**
 * An archived entitlement with `count` records and some changes. Each record takes about 230 bytes and its correlation
 * id in MongoDB.
 */
export function withRecords(index: number, count: number, changes = 0, correlationId = aCall().correlationId): Entry {
  const entitlement = aSubscription({ id: `recorded-${index}` });
  // Keys of one length are in the order of their numbers.
  const keys = range(count).map((number) => `key-${index}-${1000 + number}`);
  const records = keys.map((key) => aRecord(entitlement, { key, correlationId }));
  return {
    section: 'entitlements',
    id: entitlement.id,
    value: {
      entitlement,
      records,
      history: range(changes).map((number) => anEntry(entitlement, { version: changes - number })),
    },
  };
}
