import { indexed, memoryAims, served, type MemoryResults } from '../comparisons/memory.ts';
import { spread, table } from './table.ts';

/** The table of the memory of an idle server, and of a listing in the index. */
export function memoryTable({ server, listing }: MemoryResults): string {
  return table(
    ['what', 'memory', 'aim'],
    [
      [`idle server with ${served} listings`, spread(server, ' MB'), `≤ ${memoryAims.server} MB`],
      [`a listing in the index, of ${indexed}`, spread(listing, ' bytes'), `< ${memoryAims.listing} bytes`],
    ],
  );
}
