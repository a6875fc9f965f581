import { medianOf, roundsOf, type Comparison } from '../measure/figures.ts';
import type { Chart } from './chart.ts';

/** Contenders that took turns with Latchkey. */
interface Contenders extends Pick<Chart, 'name' | 'title' | 'alternative'> {
  readonly comparisons: readonly Comparison[];
  /** Who is drawn, how the legend calls them, and their colors in the palette. */
  readonly bars: readonly { readonly contender: string; readonly label: string; readonly color: number }[];
}

/** A bar that is longer than this multiple of Latchkey's longest one is cut. */
const maxTimesLatchkey = 5;

/** Bars with the CPU of each contender by operation. */
export function barChart({ comparisons, bars, ...texts }: Contenders): Chart {
  const values = comparisons.flatMap(({ operation, contenders }) =>
    bars.map(({ contender, label }) => {
      const cpu = medianOf(roundsOf(contenders, contender), 'cpu');
      return { operation, label, cpu, figure: Math.round(cpu).toLocaleString('en-US') };
    }),
  );
  const ours = values.filter(({ label }) => label === 'Latchkey').map(({ cpu }) => cpu);
  const whole = values.map(({ cpu }) => cpu).filter((cpu) => cpu <= maxTimesLatchkey * Math.max(...ours));
  const limit = Math.max(...whole) * 1.1;
  const domain = bars.map(({ label }) => label);
  return {
    ...texts,
    subtitle: 'Microseconds of the server process, median; a shorter bar is better',
    description: values.map(({ operation, label, figure }) => `${operation}, ${label}: ${figure} µs`),
    view: ({ series }) => ({
      width: 520,
      height: { step: 15, for: 'offset' },
      data: {
        values: values.map(({ operation, label, cpu, figure }) => {
          return { operation, label, shown: Math.min(cpu, limit), figure: cpu > limit ? `${figure} → cut` : figure };
        }),
      },
      encoding: {
        y: { field: 'operation', type: 'nominal', sort: null, title: null, axis: { ticks: false, domain: false } },
        yOffset: { field: 'label', type: 'nominal', sort: domain },
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
              scale: { domain, range: bars.map(({ color }) => series[color]) },
              legend: { orient: 'top' },
            },
          },
        },
        {
          mark: { type: 'text', align: 'left', baseline: 'middle', dx: 4 },
          encoding: { text: { field: 'figure', type: 'nominal' } },
        },
      ],
    }),
  };
}
