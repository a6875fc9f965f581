import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { currentEdition } from '../../adapters/http/editions.ts';
import { adminApi } from '../../adapters/http/openapi/admin-api.ts';
import type { DocumentNode } from '../../adapters/http/openapi/components.ts';
import { openApiDocument } from '../../adapters/http/openapi/document.ts';
import { publicApi } from '../../adapters/http/openapi/public-api.ts';
import type { DescribedOperation, Operation } from '../../adapters/http/operations/operation.ts';
import { openMemoryStore } from '../../adapters/memory/open-memory-store.ts';
import { administrationTable, loggingAdministration } from '../../app/server/admin-port.ts';
import { servedPages } from '../../app/server/pages/page-operations.ts';
import { publicOperations } from '../../app/server/public-port.ts';
import { createContainer } from '../../app/service/container.ts';
import { loggerTo } from '../../app/service/logger.ts';
import { defaultSettings } from '../../app/settings/resolve.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { casesText } from '../../gates/write/cases.ts';
import { adminResources, adminRoots } from './admin-resources.ts';
import { adminModels, clientModels } from './client-models.ts';
import { withBlocks } from './marked-block.ts';
import { fileOf, formatted } from './repository.ts';
import {
  commandRefusalsTable,
  entitlementMembersTable,
  environmentExample,
  errorCodesTable,
  listingMembersTable,
  operationsTable,
  operatorScopesTable,
  rateLimitsTable,
  settingsTable,
} from './tables.ts';

type Tables = Readonly<Record<string, string>>;

/** Makes the whole text of a document. `form` gives JSON the form of this repository. */
type Write = (path: string, form?: typeof format) => Promise<string>;

/** Every document with generated text, by its path in the repository, and how its whole text is made. */
export const documents: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['docs/api.md', withTables(() => ({ operations: operationsTable(described()) }))],
  [
    'docs/reference/errors.md',
    withTables(() => ({ 'error codes': errorCodesTable(), 'command refusals': commandRefusalsTable() })),
  ],
  [
    'docs/imports.md',
    withTables(() => ({ 'listing members': listingMembersTable(), 'entitlement members': entitlementMembersTable() })),
  ],
  ['docs/administration.md', withTables(() => ({ 'operator scopes': operatorScopesTable(administration()) }))],
  ['docs/settings.md', withTables(() => ({ settings: settingsTable() }))],
  ['.env.example', async () => environmentExample()],
  ['gates/cases.json', async (_path, form = format) => form(casesText(), { printWidth: 120, parser: 'json' })],
  ['docs/scaling.md', withTables(() => ({ 'rate limits': rateLimitsTable([...described(), ...pages()]) }))],
  ['adapters/http/limits/admin-operation-ids.ts', (path) => operationIds(path, administration())],
  ['client/models.ts', async (path) => clientModels(path, await publicDocument())],
  [
    'client/admin/models.ts',
    async (path) => {
      const admin = await adminDocument();
      return adminModels(path, admin, await publicDocument(), adminRoots(admin));
    },
  ],
  ['client/admin/resources.ts', async (path) => adminResources(path, await adminDocument())],
  [`docs/openapi-${currentEdition}.json`, async (path, form) => prettyJson(path, await publicDocument(), form)],
  [`docs/admin-openapi-${currentEdition}.json`, async (path, form) => prettyJson(path, await adminDocument(), form)],
]);

/** Replaces the tables of a document, and leaves the rest of it as it is. */
function withTables(tables: () => Tables): (path: string) => Promise<string> {
  return async (path) => withBlocks(await readFile(fileOf(path), 'utf8'), tables());
}

function publicDocument(): Promise<DocumentNode> {
  return openApiDocument(described(), publicApi);
}

function adminDocument(): Promise<DocumentNode> {
  return openApiDocument(administration(), adminApi(administration()));
}

/** The operations of the administration. Their handlers are never called. */
function administration(): ReturnType<typeof administrationTable> {
  const container = newContainer();
  return administrationTable(
    container,
    loggingAdministration(container, () => {}, defaultSettings),
    defaultSettings,
    () => '',
  );
}

/** The operations that the service documents. Their handlers are never called. */
function described(): readonly DescribedOperation[] {
  const all: readonly Operation[] = publicOperations(
    newContainer(),
    defaultSettings,
    () => '',
    async () => true,
  );
  return all.filter((operation): operation is DescribedOperation => operation.docs !== null);
}

/** The pages, which no document describes as operations. */
function pages(): readonly Operation[] {
  const log = loggerTo({ write: () => undefined });
  return servedPages({ container: newContainer(), log }, defaultSettings, () => '', { keys: null, links: null })
    .operations;
}

function newContainer(): ReturnType<typeof createContainer> {
  return createContainer(openMemoryStore(retentionFor(defaultTtl)).ports);
}

async function prettyJson(path: string, value: unknown, form = format): Promise<string> {
  const options = await resolveConfig(fileOf(path));
  return form(JSON.stringify(value, null, 2), { ...options, filepath: fileOf(path) });
}

/** The operations of the administration as a list, which costs commands less than to load the operations. */
async function operationIds(path: string, operations: readonly Operation[]): Promise<string> {
  const ids = operations.map(({ id }) => `'${id}'`).join(', ');
  const text = `// Written by npm run docs.
/** The operations of the administration, which have no limits by default and may get some. */
export const adminOperationIds: readonly string[] = [${ids}];
`;
  return formatted(path, text);
}
