import type { Db, IndexDescription } from 'mongodb';

/**
 * One step of the schema. It must be repeatable, also by two processes at once, because no transaction covers it. A step
 * that was released is never edited: a change is a step of its own.
 */
export interface Migration {
  /** Its number and what it adds. It never changes. */
  readonly name: string;
  /** Whether processes of the release before would damage a store that has this step. */
  readonly isExclusive?: boolean;
  readonly run: (db: Db) => Promise<void>;
}

/** Indexes by collection. */
export type Indexes = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

/** Creates indexes. Those that exist stay as they are. */
export async function createIndexes(db: Db, indexes: Indexes): Promise<void> {
  for (const [collection, wanted] of Object.entries(indexes)) {
    await db.collection(collection).createIndexes([...wanted]);
  }
}

/** The indexes of several migrations. */
export function together(...parts: readonly Indexes[]): Indexes {
  const all: Record<string, Indexes[string]> = {};
  for (const [collection, indexes] of parts.flatMap((part) => Object.entries(part))) {
    all[collection] = [...(all[collection] ?? []), ...indexes];
  }
  return all;
}
