import type { ClientSession, Collection, Db } from 'mongodb';
import { UnusableStore, type OnUpgrade } from '../../../core/store/store.port.ts';
import { checkIndexes } from './check-indexes.ts';
import { migrations, oldestSchema, type Migration } from './migrations.ts';
import { refuseOtherProcesses } from './other-processes.ts';

/** The only document of the collection `schema`. */
interface SchemaDocument {
  readonly _id: 'latchkey';
  /** The number of the last migration that has run; 0 before the first one has. */
  readonly version: number;
}

const schemaId = 'latchkey';

/** The schema version that this release uses. */
export const currentSchemaVersion = versionAfter(migrations);

function versionAfter(steps: readonly Migration[]): number {
  return oldestSchema + steps.length - 1;
}

/**
 * Creates the store in an empty database if `create` is set, and checks any other. Throws `UnusableStore` for a
 * database that is not Latchkey's, for one of another schema, and for one without an index that it needs.
 */
export async function makeReady(
  db: Db,
  options: { readonly create: boolean },
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const version = await acceptedVersion(db, steps);
  if (version === null && !options.create) {
    throw UnusableStore.missing(`in the database ${db.databaseName}`);
  }
  const needed = versionAfter(steps);
  if (version !== null && version > 0 && version < needed) {
    throw new UnusableStore(
      `The store has schema ${version}; this release needs ${needed}. Run \`latchkey store migrate\` first.`,
    );
  }
  if (version === needed) await checkIndexes(db);
  else await migrate(db, { steps });
}

export interface MigrateOptions {
  readonly steps?: readonly Migration[];
  /** Whether to migrate although other processes are connected. */
  readonly force?: boolean;
  /** Not called for a store that is created. */
  readonly onUpgrade?: OnUpgrade;
}

/**
 * Runs the migrations that a store lacks. The schema document is written first, with version 0, so that the database is
 * recognized, and gets its version last: a process that starts meanwhile, or after this one was killed, runs them again.
 * Throws `UnusableStore` if a step needs other processes to be stopped and one is connected.
 */
export async function migrate(
  db: Db,
  { steps = migrations, force = false, onUpgrade }: MigrateOptions = {},
): Promise<void> {
  const begun = performance.now();
  const from = (await acceptedVersion(db, steps)) ?? 0;
  const to = versionAfter(steps);
  const lacking = steps.slice(from === 0 ? 0 : from - oldestSchema + 1);
  const isExclusive = from > 0 && lacking.some((step) => step.isExclusive === true);
  if (isExclusive && !force) await refuseOtherProcesses(db);
  const schema = schemaOf(db);
  await schema.updateOne({ _id: schemaId }, { $setOnInsert: { version: 0 } }, { upsert: true });
  for (const step of lacking) await step.run(db);
  await schema.updateOne({ _id: schemaId }, { $max: { version: to } });
  await checkIndexes(db);
  if (from === 0 || from === to) return;
  onUpgrade?.({ from, to, duration: Math.round(performance.now() - begun) });
}

/** The schema version of a store; null if the database has none. */
export async function readSchemaVersion(db: Db, session?: ClientSession): Promise<number | null> {
  const document = await schemaOf(db).findOne({ _id: schemaId }, { ...(session !== undefined && { session }) });
  return document?.version ?? null;
}

/** The schema version of a store, null for an empty database. Throws `UnusableStore` if these steps cannot migrate it. */
async function acceptedVersion(db: Db, steps: readonly Migration[]): Promise<number | null> {
  // In this order: a process that creates a store writes its version before it creates a collection.
  const others = await db.listCollections({ name: { $ne: 'schema' } }, { nameOnly: true }).toArray();
  const version = await readSchemaVersion(db);
  if (version === null && others.length > 0) {
    throw new UnusableStore(`The database ${db.databaseName} is not a Latchkey store.`);
  }
  if (version !== null && version > versionAfter(steps)) {
    throw new UnusableStore(
      `The store has schema ${version}; this release knows schemas up to ${versionAfter(steps)}. Use a newer release.`,
    );
  }
  if (version !== null && version > 0 && version < oldestSchema) {
    throw new UnusableStore(
      `The store has schema ${version}; this release upgrades schemas from ${oldestSchema} on. Run \`latchkey store migrate\` of release 0.2.0 first.`,
    );
  }
  return version;
}

function schemaOf(db: Db): Collection<SchemaDocument> {
  return db.collection<SchemaDocument>('schema');
}
