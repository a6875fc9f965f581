import type { SizesOfOperation, SizesResults } from '../comparisons/sizes.ts';
import { cpu, table } from './table.ts';

/** The table of CPU per request over sizes: of the catalog, and of the licenses. */
export function sizesTable({ listings, licenses }: SizesResults): string {
  return table(
    ['operation', 'number of', '10,000', '100,000', '300,000 listings or 1,000,000 licenses'],
    [...rowsOf('listings', listings), ...rowsOf('licenses', licenses)],
  );
}

function rowsOf(what: string, operations: readonly SizesOfOperation[]): readonly (readonly string[])[] {
  return operations.map(({ operation, sizes }) => [operation, what, ...sizes.map(({ rounds }) => cpu(rounds))]);
}
