import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorKeys } from '../support/http/fixtures.ts';
import { startPopulated } from '../support/http/service-hooks.ts';
import { closed } from '../support/openapi/closed.ts';
import type { OpenApiDocument } from '../support/openapi/document.ts';

/**
 * The populated service in memory, until it is killed. For each of its interfaces it writes the OpenAPI document, with closed
 * answers, and then the address to a file in the named folder.
 */
const [folder = ''] = process.argv.slice(2);
const service = await startPopulated({ adminPort: 0 });
await service.addOperatorKey(operatorKeys.full);

await describe('public', service.url, '/openapi.json');
await describe('admin', service.adminUrl ?? '', '/admin/openapi.json');

async function describe(name: string, address: string, path: string): Promise<void> {
  const document = (await (await fetch(address + path)).json()) as OpenApiDocument;
  await writeFile(join(folder, `${name}.json`), JSON.stringify(closed(document)));
  await writeFile(join(folder, `${name}.new`), address);
  await rename(join(folder, `${name}.new`), join(folder, `${name}.address`));
}
