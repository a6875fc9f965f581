import type { Chart, Spec } from '../charts/chart.ts';
import { lines } from '../charts/lines.ts';
import type { Palette } from '../charts/palette.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { medianOf, type Measured } from '../measure/figures.ts';
import { measure, type Effort } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { cpu, table } from '../report/table.ts';
import type { Site } from '../servers/site.ts';

/** The cost of one operation over the size of the store. */
interface OverSizes {
  readonly operation: string;
  /** One for each size, which is its name. */
  readonly sizes: readonly Measured[];
}

/** By what grows. */
interface SizesFigures {
  readonly listings: readonly OverSizes[];
  readonly licenses: readonly OverSizes[];
}

const measured = {
  listings: {
    sizes: [10_000, 100_000, 300_000],
    operations: ['slug', 'first page', 'search, a new one each time'],
  },
  licenses: {
    sizes: [10_000, 100_000, 1_000_000],
    operations: ['verification', 'entitlement read', 'durable cancel'],
  },
} as const;

/** Operations on SQLite over the size of the catalog, and over the number of licenses; the sizes take turns. */
export const sizes = part({
  name: 'sizes',
  about: cpuOfRequests,
  isLong: true,
  measure: async (site, { effort }) => ({
    listings: await overSizes(site, 'listings', effort),
    licenses: await overSizes(site, 'licenses', effort),
  }),
  table: ({ listings, licenses }) => `${tableOf('listings', listings)}\n\n${tableOf('licenses', licenses)}`,
  chart: ({ listings, licenses }) => ({
    name: 'sizes',
    title: 'CPU per request over the size of the store',
    subtitle: 'Microseconds of the server process on SQLite, median; a flat line is better',
    alternative: 'Lines: CPU per request over the number of listings and of licenses',
    description: [...descriptionOf('listings', listings), ...descriptionOf('licenses', licenses)],
    view: (palette) => ({
      hconcat: [panel('listings', listings, palette), panel('licenses', licenses, palette)],
      spacing: 40,
      resolve: { scale: { color: 'independent', shape: 'independent' }, legend: { color: 'independent' } },
    }),
  }),
});

async function overSizes(site: Site, what: keyof SizesFigures, effort: Effort): Promise<readonly OverSizes[]> {
  const served = [];
  for (const size of measured[what].sizes) {
    const store = site.sqlite(`${what}-${size}`);
    const isCatalog = what === 'listings';
    const { data, server } = await site.seeded(store, isCatalog ? 1000 : size, isCatalog ? { listings: size } : {});
    served.push({ name: String(size), server, workloads: publicWorkloads(data) });
  }
  const figures: OverSizes[] = [];
  for (const operation of measured[what].operations) {
    const contenders = served.map(({ workloads, ...each }) => ({ ...each, workload: workloads[operation] }));
    figures.push({ operation, sizes: await measure(contenders, effort) });
  }
  await Promise.all(served.map(({ server }) => server.stop()));
  return figures;
}

function tableOf(what: string, operations: readonly OverSizes[]): string {
  const ofSizes = operations[0]?.sizes ?? [];
  return table(operations, [
    ['operation', ({ operation }) => operation],
    ...ofSizes.map(({ name }, index) => {
      const cell = (each: OverSizes): string => cpu(each.sizes[index]?.rounds ?? []);
      return [`${Number(name).toLocaleString('en-US')} ${what}`, cell] as const;
    }),
  ]);
}

function pointsOf(operations: readonly OverSizes[]) {
  return operations.flatMap(({ operation, sizes: ofOperation }) =>
    ofOperation.map(({ name, rounds }) => ({ operation, size: Number(name), cpu: medianOf(rounds, 'cpu') })),
  );
}

function descriptionOf(what: string, operations: readonly OverSizes[]): Chart['description'] {
  return pointsOf(operations).map(
    ({ operation, size, cpu: each }) => `${operation}, ${size} ${what}: ${each.toFixed(0)} µs`,
  );
}

function panel(what: string, operations: readonly OverSizes[], palette: Palette): Spec {
  const values = pointsOf(operations);
  const ticks = { values: [...new Set(values.map(({ size }) => size))], format: ',', labelFlush: true, grid: false };
  const colors = [0, 2, 3];
  return lines(
    {
      values,
      width: 290,
      height: 240,
      x: { field: 'size', scale: { type: 'log', nice: false }, axis: ticks, title: `Number of ${what}` },
      y: { field: 'cpu', scale: { zero: true }, title: 'CPU for one request (µs)' },
      field: 'operation',
      colors: Object.fromEntries(operations.map(({ operation }, index) => [operation, colors[index] ?? 0])),
      points: 70,
      legend: { direction: 'vertical' },
    },
    palette,
  );
}
