import type { SizesOfOperation, SizesResults } from '../comparisons/sizes.ts';
import { medianOf } from '../comparisons/spread.ts';
import type { Chart, Spec } from './chart.ts';
import type { Palette } from './palette.ts';

/** One figure of a line. */
interface Point {
  readonly operation: string;
  readonly size: number;
  readonly cpu: number;
}

export function sizesChart({ listings, licenses }: SizesResults): Chart {
  const [ofListings, ofLicenses] = [pointsOf(listings), pointsOf(licenses)];
  return {
    name: 'sizes',
    title: 'CPU per request over the size of the store',
    subtitle: 'Microseconds of the server process on SQLite, median; a flat line is better',
    description: [...described('listings', ofListings), ...described('licenses', ofLicenses)].join('; '),
    view: (palette) => ({
      hconcat: [view('listings', ofListings, palette), view('licenses', ofLicenses, palette)],
      spacing: 40,
      resolve: { scale: { color: 'independent', shape: 'independent' }, legend: { color: 'independent' } },
    }),
  };
}

function pointsOf(operations: readonly SizesOfOperation[]): readonly Point[] {
  return operations.flatMap(({ operation, sizes }) =>
    sizes.map(({ name, rounds }) => ({ operation, size: Number(name), cpu: medianOf(rounds, 'cpu') })),
  );
}

function described(what: string, points: readonly Point[]): readonly string[] {
  return points.map(({ operation, size, cpu }) => `${operation}, ${size} ${what}: ${cpu.toFixed(0)} µs`);
}

function view(what: string, values: readonly Point[], { series }: Palette): Spec {
  const domain = [...new Set(values.map(({ operation }) => operation))];
  const legend = { orient: 'top', direction: 'vertical', title: null };
  const range = [series[0], series[2], series[3]];
  return {
    width: 290,
    height: 240,
    data: { values },
    mark: { type: 'line', point: { size: 70, filled: true }, strokeWidth: 2 },
    encoding: {
      x: {
        field: 'size',
        type: 'quantitative',
        scale: { type: 'log', nice: false },
        axis: { values: [...new Set(values.map(({ size }) => size))], format: ',', labelFlush: true, grid: false },
        title: `Number of ${what}`,
      },
      y: { field: 'cpu', type: 'quantitative', scale: { zero: true }, title: 'CPU for one request (µs)' },
      color: { field: 'operation', type: 'nominal', scale: { domain, range }, legend },
      shape: { field: 'operation', type: 'nominal', scale: { domain }, legend },
    },
  };
}
