import type { SoakResults } from '../open-loop/soak.ts';
import type { Chart, Spec } from './chart.ts';
import type { Palette } from './palette.ts';

interface Sample {
  readonly store: string;
  readonly minute: number;
  readonly memory: number;
  readonly p99: number;
  readonly errors: number;
}

const rows = [
  { field: 'memory', title: 'RSS (MB)', bottom: false },
  { field: 'p99', title: 'p99 (ms)', bottom: false },
  { field: 'errors', title: 'Errors', bottom: true },
];

export function soakChart({ stores }: SoakResults): Chart {
  const samples = stores.flatMap((soak) =>
    soak.samples.map(({ second, rss, p99, errors }) => {
      return { store: soak.store, minute: second / 60, memory: rss / 1_000_000, p99, errors };
    }),
  );
  return {
    name: 'soak',
    title: 'Mixed traffic at 70 % of saturation',
    subtitle: 'Latency counts from the time a request was due; a flat line is better',
    description: samples
      .map(
        ({ store, minute, memory, p99, errors }) =>
          `${store}, minute ${minute.toFixed(1)}: ${memory.toFixed(0)} MB, p99 ${p99.toFixed(1)} ms, ${errors} errors`,
      )
      .join('; '),
    view: (palette) => ({
      vconcat: rows.map((row) => view(row, samples, palette)),
      spacing: 16,
      resolve: { legend: { color: 'shared' } },
    }),
  };
}

function view(row: (typeof rows)[number], values: readonly Sample[], { series }: Palette): Spec {
  const domain = [...new Set(values.map(({ store }) => store))];
  const isErrors = row.field === 'errors';
  return {
    width: 640,
    height: isErrors ? 60 : 110,
    data: { values },
    mark: { type: 'line', strokeWidth: 2 },
    encoding: {
      x: {
        field: 'minute',
        type: 'quantitative',
        title: row.bottom ? 'Minutes' : null,
        axis: { grid: false, format: '~g' },
      },
      y: {
        field: row.field,
        type: 'quantitative',
        title: row.title,
        scale: isErrors ? { domain: [0, Math.max(10, ...values.map(({ errors }) => errors))] } : { zero: true },
        axis: { tickCount: isErrors ? 2 : 4, ...(isErrors && { format: 'd', tickMinStep: 1 }) },
      },
      color: {
        field: 'store',
        type: 'nominal',
        scale: { domain, range: [series[0], series[2]] },
        legend: { orient: 'top', title: null },
      },
      strokeDash: { field: 'store', type: 'nominal', scale: { domain }, legend: { orient: 'top', title: null } },
    },
  };
}
