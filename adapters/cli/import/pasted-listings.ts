import { setImmediate } from 'node:timers/promises';
import type { Call } from '../../../core/call.ts';
import type { ImportListings } from '../../../core/catalog/administration/import-listings.ts';
import { Refusal } from '../../../core/refusal.ts';
import { errorOf, readListingCsv } from './listing-csv.ts';
import { runImport, type ImportRun } from './run-import.ts';

/** Listings that are stored at once: up to 3 ms of CPU. Twice as many take 6, and half as many need twice the time in all. */
const groupSize = 100;

/**
 * Imports the listings of a CSV text as the command imports those of a file. Other requests get their turn meanwhile. At the
 * deadline of the call it ends with the fault `store_unavailable`.
 */
export function importPastedListings(csv: string, importAll: ImportListings, call: Call): Promise<ImportRun> {
  const { signal } = new AbortController();
  return runImport(
    readListingCsv(bytesOf(csv, call)),
    async (drafts) => (await importAll(drafts, call)).map(errorOf),
    signal,
    groupSize,
  );
}

/** Milliseconds for which bytes are read before other requests get their turn. The last piece may take longer. */
const sliceLength = 2;

/** Bytes of a piece: up to 3 ms of CPU, if every other one of them begins a wrong line. */
const pieceSize = 128;

async function* bytesOf(text: string, { deadline }: Call): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  let end = 0;
  for (let start = 0; start < bytes.length; start += pieceSize) {
    if (performance.now() >= end) {
      await setImmediate();
      if (deadline.remaining() <= 0) throw new Refusal('store_unavailable');
      end = performance.now() + sliceLength;
    }
    yield bytes.subarray(start, start + pieceSize);
  }
}
