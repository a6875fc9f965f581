import type { Call } from '../../../core/call.ts';
import { findInTime, oneOf } from './find.ts';
import type { MongoStore } from './mongo-store.ts';

/** Values of one question: about 100 KB. */
const sliceSize = 1000;

/** Which of the values a field has that has a unique index. */
export async function presentValues(
  { database }: MongoStore,
  collection: string,
  field: string,
  values: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (let start = 0; start < values.length; start += sliceSize) {
    const slice = values.slice(start, start + sliceSize);
    const filter = { [field]: oneOf(slice) };
    const parts = { filter, projection: { _id: 0, value: `$${field}` }, batchSize: slice.length };
    const found = await findInTime<{ readonly value: string }>(database, collection, parts, call);
    for (const { value } of found) present.add(value);
  }
  return present;
}
