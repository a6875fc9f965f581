import { bars, type Chart } from '../charts/chart.ts';
import { medianOf, roundsOf, type Comparison } from '../measure/figures.ts';

/** Contenders that took turns with Latchkey. */
interface Contenders extends Pick<Chart, 'name' | 'title' | 'alternative'> {
  readonly comparisons: readonly Comparison[];
  /** Who is drawn, how the legend calls them, and their colors in the palette. */
  readonly bars: readonly { readonly contender: string; readonly label: string; readonly color: number }[];
}

/** A bar that is longer than this multiple of Latchkey's longest one is cut. */
const maxTimesLatchkey = 5;

/** Draws the CPU of contenders by operation. */
export function contendersChart({ comparisons, bars: drawn, ...texts }: Contenders): Chart {
  const values = comparisons.flatMap(({ operation, contenders }) =>
    drawn.map(({ contender, label }) => ({ operation, label, cpu: medianOf(roundsOf(contenders, contender), 'cpu') })),
  );
  const ours = values.filter(({ label }) => label === 'Latchkey').map(({ cpu }) => cpu);
  const colors = Object.fromEntries(drawn.map(({ label, color }) => [label, color]));
  return {
    ...texts,
    subtitle: 'Microseconds of the server process, median; a shorter bar is better',
    description: values.map(
      ({ operation, label, cpu }) => `${operation}, ${label}: ${Math.round(cpu).toLocaleString('en-US')} µs`,
    ),
    view: (palette) => bars({ values, colors, longest: maxTimesLatchkey * Math.max(...ours) }, palette),
  };
}
