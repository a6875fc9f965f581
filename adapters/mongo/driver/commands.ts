import type { Collection, Document, Filter } from 'mongodb';
import type { Call, NewCall } from '../../../core/call.ts';
import { duplicateField } from './errors.ts';
import type { CollectionName, MongoDatabase } from './mongo-database.ts';

/** Documents of one page: about 100 KB. */
const pageSize = 200;

/** Values of one query of `existingValues`: about 100 KB. */
const valuesOfQuery = 1000;

/** The condition that a field has one of these values. A single value takes the server's fastest path. */
export function oneOf(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

/** All documents that pass the filter, by id in code-point order, in pages with a call each. */
export async function* readPages<T extends { readonly _id: string }>(
  database: MongoDatabase,
  collection: CollectionName,
  { filter, projection }: { readonly filter: Document; readonly projection?: Document },
  newCall: NewCall,
): AsyncIterable<T> {
  let last = '';
  for (;;) {
    const query = {
      filter: { ...filter, _id: { $gt: last } },
      ...(projection !== undefined && { projection }),
      sort: { _id: 1 },
      limit: pageSize,
    };
    const page = await database.find<T>(collection, query, newCall());
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end._id;
  }
}

/** Those of the values that a field with a unique index has in some document. */
export async function existingValues(
  database: MongoDatabase,
  collection: CollectionName,
  field: string,
  values: readonly string[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (let start = 0; start < values.length; start += valuesOfQuery) {
    const slice = values.slice(start, start + valuesOfQuery);
    const filter = { [field]: oneOf(slice) };
    const query = { filter, projection: { _id: 0, value: `$${field}` }, limit: slice.length };
    const found = await database.find<{ readonly value: string }>(collection, query, call);
    for (const { value } of found) existing.add(value);
  }
  return existing;
}

/**
 * Adds a document, and returns whether its id was free. Sent once: if the first attempt was applied, a second one would
 * find the id taken.
 */
export function insertNew(
  database: MongoDatabase,
  collection: CollectionName,
  document: Document & { readonly _id: string },
  call: Call,
): Promise<boolean> {
  const documents = database.collection<Document & { readonly _id: string }>(collection);
  return database.writeOnce(call, (session) =>
    unlessTaken(async () => {
      await documents.insertOne(document, { session });
      return true;
    }),
  );
}

/**
 * Replaces a document that still has the revision that was seen, and returns whether it had, and no other had a value that
 * is unique. Sent once: a second attempt would find the first.
 */
export function replaceSeen<Stored extends { readonly _id: string }>(
  database: MongoDatabase,
  documents: Collection<Stored>,
  revision: number,
  { _id, ...document }: Stored,
  call: Call,
): Promise<boolean> {
  const filter = { _id, revision } as unknown as Filter<Stored>;
  return database.writeOnce(call, (session) =>
    unlessTaken(async () => {
      const { modifiedCount } = await documents.updateOne(filter, { $set: document } as object, { session });
      return modifiedCount > 0;
    }),
  );
}

/** Runs a write. False if another document has a value that is unique. */
async function unlessTaken(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    if (duplicateField(error) === null) throw error;
    return false;
  }
}
