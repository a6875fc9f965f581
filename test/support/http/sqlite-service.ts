import { openConnection } from '../../../adapters/sqlite/engine/connection.ts';
import { SqliteDatabase } from '../../../adapters/sqlite/engine/sqlite-database.ts';
import { sharedRetention, sqliteStore } from '../../../adapters/sqlite/open-sqlite-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { writeEmptyStore } from '../stores/empty-sqlite.ts';
import { temporaryFile } from '../stores/sqlite-file.ts';
import { populate } from './fixtures.ts';
import { send, type Reply } from './http-client.ts';
import { bearer, idempotencyKey } from './requests.ts';
import { TestService } from './test-service.ts';

/** A populated service, and the SQLite file under it. */
export interface SqliteService {
  readonly service: TestService;
  readonly database: SqliteDatabase;
  /** The path of the store, or of another file in its folder. */
  readonly path: (name?: string) => string;
}

/** Starts a populated service on a new SQLite file for each test of the calling suite. */
export function sqliteService(): () => SqliteService {
  const path = temporaryFile();
  let started: SqliteService | null = null;
  beforeEach(async () => {
    await writeEmptyStore(path());
    const database = new SqliteDatabase(await openConnection(path(), { create: false }, aCall()));
    const store = sqliteStore(database, sharedRetention(database, retentionFor(defaultTtl)));
    await populate(store.ports);
    started = { service: await TestService.start(store), database, path };
  });
  afterEach(() => started?.service.stop());
  return () => {
    if (started === null) throw new Error('the service runs during a test only');
    return started;
  };
}

/** Cancels or resumes the subscription of a populated service. */
export function change(url: string, operation: 'cancel' | 'resume', key: string): Promise<Reply> {
  const headers = [bearer(), idempotencyKey(key)];
  return send(`${url}/api/app-entitlements/ent_1/${operation}`, { method: 'POST', headers });
}

/** Reads the subscription of a populated service. */
export function read(url: string): Promise<Reply> {
  return send(`${url}/api/app-entitlements/ent_1`, { headers: [bearer()] });
}
