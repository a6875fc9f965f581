import { writeFile } from 'node:fs/promises';
import { startPopulated } from '../support/http/service-hooks.ts';

/** The populated service in memory; writes its OpenAPI document to the named file and its address to stdout, and serves until it is killed. */
const [file = ''] = process.argv.slice(2);
const service = await startPopulated();
const document = await fetch(`${service.url}/openapi.json`);
await writeFile(file, await document.text());
console.log(service.url);
