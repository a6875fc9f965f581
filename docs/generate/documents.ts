import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { currentEdition } from '../../adapters/http/editions.ts';
import { openApiDocument } from '../../adapters/http/openapi/document.ts';
import { publicApi } from '../../adapters/http/openapi/public-api.ts';
import type { DescribedOperation } from '../../adapters/http/operations/operation.ts';
import { createContainer } from '../../app/service/container.ts';
import { publicOperations } from '../../app/server/operations.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { withBlock } from './marked-block.ts';
import { fileOf } from './repository.ts';
import {
  commandRefusalsTable,
  entitlementMembersTable,
  listingMembersTable,
  errorCodesTable,
  operationsTable,
  rateLimitsTable,
  settingsTable,
} from './tables.ts';

/** Every document with generated text, by its path in the repository, and how its whole text is made. */
export const documents: ReadonlyMap<string, (path: string) => Promise<string>> = new Map([
  [
    'README.md',
    async (path) =>
      withBlock(withBlock(await read(path), 'settings', settingsTable()), 'operations', operationsTable(described())),
  ],
  [
    'docs/errors.md',
    async (path) =>
      withBlock(
        withBlock(await read(path), 'error codes', errorCodesTable()),
        'command refusals',
        commandRefusalsTable(),
      ),
  ],
  [
    'docs/imports.md',
    async (path) =>
      withBlock(
        withBlock(await read(path), 'listing members', listingMembersTable()),
        'entitlement members',
        entitlementMembersTable(),
      ),
  ],
  ['docs/operating.md', async (path) => withBlock(await read(path), 'rate limits', rateLimitsTable(described()))],
  [`docs/openapi-${currentEdition}.json`, (path) => prettyJson(path, openApiDocument(described(), publicApi))],
]);

/** The operations that the service documents. Their handlers are never called. */
function described(): readonly DescribedOperation[] {
  const store = openMemoryStore(retentionFor(defaultTtl));
  const settings = { publicUrl: null, catalogMaxAge: 0 };
  const all = publicOperations(
    createContainer(store.ports),
    settings,
    () => '',
    async () => true,
  );
  return all.flatMap((operation) => (operation.docs === null ? [] : [{ ...operation, docs: operation.docs }]));
}

function read(path: string): Promise<string> {
  return readFile(fileOf(path), 'utf8');
}

async function prettyJson(path: string, value: unknown): Promise<string> {
  const options = await resolveConfig(fileOf(path));
  return format(JSON.stringify(value, null, 2), { ...options, filepath: fileOf(path) });
}
