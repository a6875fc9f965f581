import { setImmediate } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import type { ImportListings } from '../../../core/catalog/administration/import-listings.ts';
import { errorOf, readListingCsv } from './listing-csv.ts';
import { runImport, type ImportRun } from './run-import.ts';

/** Imports the listings of a CSV text as the command imports those of a file. */
export function importPastedListings(csv: string, importAll: ImportListings, call: Call): Promise<ImportRun> {
  const { signal } = new AbortController();
  return runImport(
    readListingCsv(bytesOf(csv)),
    async (drafts) => (await importAll(drafts, call)).map(errorOf),
    signal,
  );
}

/** Bytes that are read before other requests get their turn: up to 5 ms of CPU, if every one of them begins a wrong line. */
const sliceSize = 1024;

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += sliceSize) {
    await setImmediate();
    yield bytes.subarray(start, start + sliceSize);
  }
}
