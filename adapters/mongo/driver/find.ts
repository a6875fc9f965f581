import type { Db, Document } from 'mongodb';
import type { Call, NewCall } from '../../../core/call.ts';
import { retryRead } from './retry-read.ts';
import { within } from './deadline.ts';

/**
 * What a `find` names besides its collection; `batchSize` bounds the answer, from which the server leaves out what is
 * beyond 16 MB.
 */
interface FindParts {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Document;
  readonly batchSize: number;
}

/**
 * The documents of one majority read, as one plain command: the driver's cursors cost a third more, and it repeats
 * reads by itself without knowing the caller's deadline.
 */
export async function findDocuments<T>(database: Db, collection: string, parts: FindParts): Promise<readonly T[]> {
  const { filter, projection, sort, batchSize } = parts;
  const { cursor } = await database.command({
    find: collection,
    filter,
    ...(projection !== undefined && { projection }),
    ...(sort !== undefined && { sort }),
    limit: batchSize,
    batchSize,
    singleBatch: true,
    readConcern: { level: 'majority' },
  });
  const documents: readonly T[] = cursor.firstBatch;
  return documents;
}

/** The same for a caller by itself: asked twice where that can help, and given up at the deadline. */
export function findInTime<T>(database: Db, collection: string, parts: FindParts, call: Call): Promise<readonly T[]> {
  return within(
    call,
    retryRead(() => findDocuments<T>(database, collection, parts)),
  );
}

/** A filter's value: one by itself takes the server's shortest path. */
export function oneOf(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

/** Documents read at a time: about 100 KB. */
const pageSize = 200;

/**
 * All documents of a collection that pass the filter, by id in code-point order. Other work goes on between two pages, each
 * of which has a call of its own.
 */
export async function* readPages<T extends { readonly _id: string }>(
  database: Db,
  collection: string,
  { filter, projection }: { readonly filter: Document; readonly projection?: Document },
  newCall: NewCall,
): AsyncIterable<T> {
  let last = '';
  for (;;) {
    const parts = {
      filter: { ...filter, _id: { $gt: last } },
      ...(projection !== undefined && { projection }),
      sort: { _id: 1 },
      batchSize: pageSize,
    };
    const page = await findInTime<T>(database, collection, parts, newCall());
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end._id;
  }
}
