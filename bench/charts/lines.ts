import type { Spec } from './chart.ts';
import type { Palette } from './palette.ts';

/** Lines over one quantity, one for each name in a field. */
interface Lines {
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
  /** The size of the points of a line; without it, lines differ by their dashes. */
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
