import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../adapters/sqlite/open-sqlite-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';

let bytes: Promise<Buffer> | null = null;

/** Writes an empty store to a file that does not exist: those bytes that the first one of this process has after all migrations. */
export async function writeEmptyStore(path: string): Promise<void> {
  await writeFile(path, await (bytes ??= makeEmptyStore()), { mode: 0o600, flag: 'wx' });
}

async function makeEmptyStore(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const path = join(folder, 'latchkey.db');
    const store = await openSqliteStore(path, { create: true }, retentionFor(defaultTtl), aCall());
    await store.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
