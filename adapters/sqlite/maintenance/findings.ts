import type { Finding } from '../../../core/maintenance/maintenance.port.ts';
import { migrations } from '../engine/migrations.ts';
import type { Connection } from '../engine/connection.ts';

/** Whether the file has the schema of this release. */
export function schemaFinding(connection: Connection): Finding {
  const version = Number(connection.pragma('user_version', { simple: true }));
  const ok = version === migrations.length;
  const message = `The schema is version ${version}; this release uses version ${migrations.length}.`;
  return { check: 'schema', ok, message };
}

/**
 * Whether every page, row and index of the file fits the others. Reads the whole file in one turn of the event loop;
 * other processes go on. What SQLite says about damage can quote what is stored, so only its extent is told.
 */
export function integrityFinding(connection: Connection): Finding {
  const ok = isWhole(connection);
  const message = ok
    ? 'Every page, row and index of the file is sound.'
    : 'The file is damaged: restore it from a backup.';
  return { check: 'integrity', ok, message };
}

/** Whether SQLite finds nothing wrong with the file. */
export function isWhole(connection: Connection): boolean {
  try {
    return connection.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch {
    return false;
  }
}
