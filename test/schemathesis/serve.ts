import { writeFile } from 'node:fs/promises';
import { startPopulated } from '../support/http/service-hooks.ts';
import { closed } from '../support/openapi/closed.ts';
import type { OpenApiDocument } from '../support/openapi/document.ts';

/**
 * The populated service in memory; writes its OpenAPI document, with closed answers, to the named file and its address to
 * stdout, and serves until it is killed.
 */
const [file = ''] = process.argv.slice(2);
const service = await startPopulated();
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
await writeFile(file, JSON.stringify(closed(document)));
console.log(service.url);
