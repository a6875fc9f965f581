import { mongoNames, type MongoResults } from '../comparisons/mongo-comparison.ts';
import type { Measured } from '../comparisons/rounds.ts';
import { medianOf } from '../comparisons/spread.ts';
import { sqliteNames, type SqliteResults } from '../comparisons/sqlite-comparison.ts';
import type { Chart, Spec } from './chart.ts';
import type { Palette } from './palette.ts';

/** One operation and who was measured with it. */
interface Operation {
  readonly operation: string;
  readonly contenders: readonly Measured[];
}

/** A contender as the legend shows it. */
interface Bar {
  readonly contender: string;
  readonly label: string;
  readonly color: (palette: Palette) => string;
}

/** A bar that is longer than this multiple of Latchkey's longest one is cut. */
const maxTimesLatchkey = 5;
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function sqliteChart({ comparisons }: SqliteResults): Chart {
  return operationsChart('sqlite', 'CPU per request on SQLite', comparisons, sqliteNames.latchkey, [
    { contender: sqliteNames.ceiling, label: 'bare node:http, a constant', color: ({ series }) => series[1] },
    { contender: sqliteNames.latchkey, label: 'Latchkey', color: ({ series }) => series[0] },
    { contender: sqliteNames.express, label: 'Express + better-sqlite3', color: ({ series }) => series[2] },
  ]);
}

export function mongoChart({ comparisons }: MongoResults): Chart {
  const operations = comparisons.map(({ operation, together }) => ({ operation, contenders: together }));
  return operationsChart('mongodb', 'CPU per request on MongoDB', operations, mongoNames.latchkey, [
    { contender: mongoNames.latchkey, label: 'Latchkey', color: ({ series }) => series[0] },
    { contender: mongoNames.driver, label: 'node:http + driver, by hand (H)', color: ({ series }) => series[1] },
    { contender: mongoNames.mongoose, label: 'Express + mongoose (X)', color: ({ series }) => series[2] },
  ]);
}

function operationsChart(
  name: string,
  title: string,
  operations: readonly Operation[],
  latchkey: string,
  bars: readonly Bar[],
): Chart {
  const rows = operations.flatMap(({ operation, contenders }) =>
    bars.flatMap(({ contender, label }) => {
      const rounds = contenders.find((measured) => measured.name === contender)?.rounds;
      const cpu = rounds && medianOf(rounds, 'cpu');
      return cpu === undefined ? [] : [{ operation, contender, label, cpu }];
    }),
  );
  const ours = rows.filter(({ contender }) => contender === latchkey).map(({ cpu }) => cpu);
  const whole = rows.map(({ cpu }) => cpu).filter((cpu) => cpu <= maxTimesLatchkey * Math.max(...ours));
  const limit = Math.max(...whole) * 1.1;
  const values = rows.map(({ operation, label, cpu }) => {
    const isCut = cpu > limit;
    return { operation, label, shown: Math.min(cpu, limit), figure: `${number.format(cpu)}${isCut ? ' → cut' : ''}` };
  });
  return {
    name,
    title,
    subtitle: 'Microseconds of the server process, median; a shorter bar is better',
    description: rows.map(({ operation, label, cpu }) => `${operation}, ${label}: ${number.format(cpu)} µs`).join('; '),
    view: (palette) => view(values, limit, palette, bars),
  };
}

function view(values: readonly object[], limit: number, palette: Palette, bars: readonly Bar[]): Spec {
  const labels = bars.map(({ label }) => label);
  return {
    width: 520,
    height: { step: 15, for: 'offset' },
    data: { values },
    encoding: {
      y: { field: 'operation', type: 'nominal', sort: null, title: null, axis: { ticks: false, domain: false } },
      yOffset: { field: 'label', type: 'nominal', sort: labels },
      x: {
        field: 'shown',
        type: 'quantitative',
        scale: { domain: [0, limit], nice: false },
        title: 'CPU for one request (µs)',
      },
    },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        encoding: {
          color: {
            field: 'label',
            type: 'nominal',
            title: null,
            scale: { domain: labels, range: bars.map(({ color }) => color(palette)) },
            legend: { orient: 'top' },
          },
        },
      },
      {
        mark: { type: 'text', align: 'left', baseline: 'middle', dx: 4 },
        encoding: { text: { field: 'figure', type: 'nominal' } },
      },
    ],
  };
}
