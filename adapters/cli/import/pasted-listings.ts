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

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
