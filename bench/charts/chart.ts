import type { Palette } from './palette.ts';

/** A part of a Vega-Lite specification (vega.github.io/vega-lite/docs/spec.html). */
export type Spec = Readonly<Record<string, unknown>>;

/** A chart, and what it says to people who cannot see it. */
export interface Chart {
  /** The name of its files. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  /** The text in place of the image. The table below it has the figures. */
  readonly alternative: string;
  /** Its figures. */
  readonly description: readonly string[];
  /** Everything but titles and configuration. */
  view(palette: Palette): Spec;
}
