import type { Database as Connection } from 'better-sqlite3';
import { UnusableStore, type OnUpgrade } from '../../../core/store/store.port.ts';
import { migrations, oldestSchema, stepsAfter } from './migrations/migrations.ts';

/** 'LKEY' in ASCII: marks a SQLite file as a Latchkey store. */
const applicationId = 0x4c4b4559;

/** The schema version that this release uses. */
export const currentSchemaVersion = oldestSchema + migrations.length - 1;

/** Throws as `readSchemaVersion` does, and without `onUpgrade` for a file with an older schema. */
export function checkSchema(connection: Connection, file: string, onUpgrade: OnUpgrade | undefined): void {
  const version = readSchemaVersion(connection, file);
  if (version === 0 && connection.readonly) throw new UnusableStore(`${file} is not a Latchkey store.`);
  if (version > 0 && version < currentSchemaVersion && onUpgrade === undefined) {
    throw new UnusableStore(
      `${file} has schema ${version}; this release needs ${currentSchemaVersion}. Run \`latchkey store migrate\` first.`,
    );
  }
}

/**
 * Runs the migrations that the file lacks, in one transaction. An empty file gets its schema without a call of
 * `onUpgrade`. Throws as `readSchemaVersion` does.
 */
export function migrate(connection: Connection, file: string, onUpgrade: OnUpgrade | undefined): void {
  if (readSchemaVersion(connection, file) === currentSchemaVersion) return;
  const begun = performance.now();
  const from = connection
    .transaction(() => {
      // Read again: another process may have migrated the file before this transaction began.
      const version = readSchemaVersion(connection, file);
      for (const { sql } of stepsAfter(version)) connection.exec(sql);
      connection.pragma(`application_id = ${applicationId}`);
      connection.pragma(`user_version = ${currentSchemaVersion}`);
      return version;
    })
    .immediate();
  if (from === 0 || from === currentSchemaVersion) return;
  onUpgrade?.({ from, to: currentSchemaVersion, duration: Math.round(performance.now() - begun) });
}

/**
 * Returns the schema version of a file, 0 for an empty one. Throws `UnusableStore` if the file belongs to another
 * program, or has a schema that is newer or too old. Everything is read in one transaction, so that a file that another
 * process is creating is seen either empty or complete.
 */
export function readSchemaVersion(connection: Connection, file: string): number {
  const { version, id, isEmpty } = connection.transaction(() => ({
    version: Number(connection.pragma('user_version', { simple: true })),
    id: Number(connection.pragma('application_id', { simple: true })),
    isEmpty: connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0,
  }))();
  if (id !== applicationId && !isEmpty) throw new UnusableStore(`${file} is not a Latchkey store.`);
  if (version > currentSchemaVersion) {
    throw new UnusableStore(
      `${file} has schema ${version}; this release knows schemas up to ${currentSchemaVersion}. Use a newer release.`,
    );
  }
  if (version > 0 && version < oldestSchema) {
    throw new UnusableStore(
      `${file} has schema ${version}; this release upgrades schemas from ${oldestSchema} on. Run \`latchkey store migrate\` of release 0.2.0 first.`,
    );
  }
  return version;
}
