import type { Call } from '../../../core/call.ts';
import { referenceKey } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import { oneOf } from '../driver/find.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** References of one query: at most 200 KB. */
const maxBatch = 1000;

interface Found {
  readonly productId: string;
  readonly reference: string;
}

/** Returns those of the references that entitlements have, each with its product as `referenceKey` writes them. */
export async function existingReferences(
  database: MongoDatabase,
  references: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const [productId, own] of Map.groupBy(references, (key) => key.slice(0, key.indexOf('/')))) {
    for (let start = 0; start < own.length; start += maxBatch) {
      const batch = own.slice(start, start + maxBatch).map((key) => key.slice(key.indexOf('/') + 1));
      const filter = { productId, reference: oneOf(batch) };
      const query = { filter, projection: { _id: 0, productId: 1, reference: 1 }, limit: batch.length };
      const found = await database.find<Found>('entitlements', query, call);
      for (const { reference } of found) existing.add(referenceKey(productId, reference));
    }
  }
  return existing;
}
