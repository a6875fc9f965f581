import type { Palette } from './palette.ts';

/** A part of a Vega-Lite specification (vega.github.io/vega-lite/docs/spec.html). */
export type Spec = Readonly<Record<string, unknown>>;

/** A chart, and what it says to people who cannot see it. */
export interface Chart {
  /** The name of its files. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  /** What it shows, where the table below it has the figures. */
  readonly alternative: string;
  /** Its figures. */
  readonly description: readonly string[];
  /** Everything but titles and configuration. */
  view(palette: Palette): Spec;
}

/** Bars of several contenders for each operation. */
export interface Bars {
  /** One for each bar. */
  readonly values: readonly { readonly operation: string; readonly label: string; readonly cpu: number }[];
  /** The labels of the contenders in their order, with their colors in the palette. */
  readonly colors: Readonly<Record<string, number>>;
  /** A longer bar is cut. */
  readonly longest: number;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Bars of microseconds, each with its figure at its end. */
export function bars({ values, colors, longest }: Bars, { series }: Palette): Spec {
  const limit = Math.max(...values.map(({ cpu }) => cpu).filter((cpu) => cpu <= longest)) * 1.1;
  const domain = Object.keys(colors);
  return {
    width: 520,
    height: { step: 15, for: 'offset' },
    data: {
      values: values.map(({ operation, label, cpu }) => {
        const figure = `${whole.format(cpu)}${cpu > limit ? ' → cut' : ''}`;
        return { operation, label, shown: Math.min(cpu, limit), figure };
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
            scale: { domain, range: Object.values(colors).map((color) => series[color]) },
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

/** Lines over one quantity, one for each name in a field. */
export interface Lines {
  readonly values: readonly object[];
  readonly width: number;
  readonly height: number;
  /** Encodings of Vega-Lite. */
  readonly x: Spec;
  readonly y: Spec;
  /** The field whose values are the lines. */
  readonly field: string;
  /** The names of the lines, with their colors in the palette. */
  readonly colors: Readonly<Record<string, number>>;
  /** The size of the points of a line; without it, lines are told apart by their dashes. */
  readonly points?: number;
  readonly legend?: Spec;
}

export function lines(
  { values, width, height, x, y, field, colors, points, legend }: Lines,
  { series }: Palette,
): Spec {
  const domain = Object.keys(colors);
  const range = Object.values(colors).map((color) => series[color]);
  const told = { field, type: 'nominal', legend: { orient: 'top', title: null, ...legend } };
  return {
    width,
    height,
    data: { values },
    mark: { type: 'line', strokeWidth: 2, ...(points && { point: { size: points, filled: true } }) },
    encoding: {
      x: { type: 'quantitative', ...x },
      y: { type: 'quantitative', ...y },
      color: { ...told, scale: { domain, range } },
      [points ? 'shape' : 'strokeDash']: { ...told, scale: { domain } },
    },
  };
}
