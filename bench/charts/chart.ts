import type { Palette } from './palette.ts';

/** A part of a Vega-Lite specification (vega.github.io/vega-lite/docs/spec.html). */
export type Spec = Readonly<Record<string, unknown>>;

/** A chart, and what it tells people who cannot see it. */
export interface Chart {
  /** The name of its files. */
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  /** Everything but titles and configuration. */
  view(palette: Palette): Spec;
}

/** The whole specification of a chart in the colors of a palette. */
export function specOf(chart: Chart, palette: Palette): Spec {
  const { ink, quietInk, grid, background } = palette;
  const font = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
  const text = { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 'normal' };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background,
    padding: 16,
    title: { text: chart.title, subtitle: chart.subtitle, anchor: 'start', frame: 'bounds', offset: 16 },
    ...chart.view(palette),
    config: {
      aria: false,
      font,
      view: { stroke: null },
      title: { color: ink, fontSize: 16, subtitleColor: quietInk, subtitleFontSize: 12, subtitlePadding: 6 },
      axis: { ...text, gridColor: grid, domainColor: quietInk, tickColor: quietInk, labelLimit: 300 },
      legend: { ...text, labelLimit: 300, symbolSize: 90 },
      header: { labelColor: ink, labelFontSize: 13 },
      text: { color: ink, fontSize: 11 },
      rule: { color: quietInk },
    },
  };
}
