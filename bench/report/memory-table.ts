import { indexed, memoryAims, served, type MemoryResults } from '../comparisons/memory.ts';
import { spreadOf } from '../comparisons/spread.ts';
import { table } from './report.ts';

/** The table of the memory of an idle server, and of a listing in the index. */
export function memoryTable({ servers, listing }: MemoryResults): string {
  return table(
    ['what', 'memory', 'aim'],
    [
      ...servers.map(({ options, rss }) => [
        `idle server with ${served} listings${options === '' ? '' : `, \`${options}\``}`,
        spread(rss, 'MB'),
        `≤ ${memoryAims.server} MB`,
      ]),
      [`a listing in the index, of ${indexed}`, spread(listing, 'bytes'), `< ${memoryAims.listing} bytes`],
    ],
  );
}

function spread(figures: readonly number[], unit: string): string {
  const { median, min, max } = spreadOf(figures);
  return `${median.toFixed(0)} ${unit} (${min.toFixed(0)}–${max.toFixed(0)})`;
}
