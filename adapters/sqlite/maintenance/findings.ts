import type { Database as Connection } from 'better-sqlite3';
import type { Finding } from '../../../core/maintenance/maintenance.port.ts';
import { currentSchemaVersion } from '../engine/migrate.ts';

/** Checks that the file has the schema of this release. */
export function schemaFinding(connection: Connection): Finding {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const message = `The schema is version ${version}; this release uses version ${currentSchemaVersion}.`;
  return { check: 'schema', ok: version === currentSchemaVersion, message };
}

/**
 * Checks that every page, row and index of the file is consistent. Reads the whole file in one turn of the event loop;
 * other processes are not blocked. SQLite's own description of the damage is left out, because it can quote stored data.
 */
export function integrityFinding(connection: Connection): Finding {
  const ok = isIntact(connection);
  const message = ok
    ? 'Every page, row and index of the file is sound.'
    : 'The file is damaged: restore it from a backup.';
  return { check: 'integrity', ok, message };
}

/** Returns whether the file passes SQLite's integrity check. */
export function isIntact(connection: Connection): boolean {
  try {
    return connection.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch {
    return false;
  }
}
