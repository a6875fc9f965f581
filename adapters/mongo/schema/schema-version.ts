import type { Collection, Db } from 'mongodb';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { checkIndexes, migrations, type Migration } from './indexes.ts';

interface SchemaDocument {
  readonly _id: 'latchkey';
  /** How many migrations were carried out to their end. */
  readonly version: number;
}

/**
 * Makes an empty database ready where that is allowed, and checks any other. Throws `UnusableStore` for one that is
 * not Latchkey's, of another schema, or without an index that it needs.
 */
export async function makeReady(
  database: Db,
  may: { readonly create: boolean },
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const version = await versionOf(database, steps);
  if (version === null && !may.create) {
    throw new UnusableStore(`There is no store in the database ${database.databaseName}.`, { isMissing: true });
  }
  if (version !== null && version > 0 && version < steps.length) {
    throw new UnusableStore(
      `The store has schema ${version}; this release needs ${steps.length}. Run \`latchkey store migrate\` first.`,
    );
  }
  if (version === steps.length) await checkIndexes(database);
  else await migrate(database, steps);
}

/**
 * Brings a store up to date. The schema document is written before anything else, with version 0, so that a database
 * whose maker was killed is known for what it is; the steps can be repeated, also by two processes at once.
 */
export async function migrate(database: Db, steps: readonly Migration[] = migrations): Promise<void> {
  const from = (await versionOf(database, steps)) ?? 0;
  const schema = schemaOf(database);
  await schema.updateOne({ _id: 'latchkey' }, { $setOnInsert: { version: 0 } }, { upsert: true });
  for (const [index, step] of steps.slice(from).entries()) {
    await step(database);
    await schema.updateOne({ _id: 'latchkey' }, { $max: { version: from + index + 1 } });
  }
  await checkIndexes(database);
}

/** The version in the schema document; null for an empty database. */
async function versionOf(database: Db, steps: readonly Migration[]): Promise<number | null> {
  // In this order: another process that makes the store ready writes the document before it makes a collection.
  const others = await database.listCollections({ name: { $ne: 'schema' } }, { nameOnly: true }).toArray();
  const document = await schemaOf(database).findOne({ _id: 'latchkey' });
  if (document === null && others.length > 0) {
    throw new UnusableStore(`The database ${database.databaseName} is not a Latchkey store.`);
  }
  if (document !== null && document.version > steps.length) {
    throw new UnusableStore(
      `The store has schema ${document.version}; this release knows schemas up to ${steps.length}. Use a newer release.`,
    );
  }
  return document?.version ?? null;
}

function schemaOf(database: Db): Collection<SchemaDocument> {
  return database.collection<SchemaDocument>('schema');
}
