import type { SizesOfOperation, SizesResults } from '../comparisons/sizes.ts';
import { cpu, table } from './table.ts';

/** The tables of CPU per request over sizes: of the catalog, and of the licenses. */
export function sizesTables({ listings, licenses }: SizesResults): string {
  return `${tableOf('listings', listings)}\n\n${tableOf('licenses', licenses)}`;
}

function tableOf(what: string, operations: readonly SizesOfOperation[]): string {
  const sizes = operations[0]?.sizes.map(({ name }) => `${Number(name).toLocaleString('en-US')} ${what}`) ?? [];
  return table(
    ['operation', ...sizes],
    operations.map((each) => [each.operation, ...each.sizes.map(({ rounds }) => cpu(rounds))]),
  );
}
