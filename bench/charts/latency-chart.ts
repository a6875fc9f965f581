import type { LatencyCurve, LatencyResults } from '../open-loop/latency.ts';
import type { Chart, Spec } from './chart.ts';
import type { Palette } from './palette.ts';

export function latencyChart({ curves }: LatencyResults): Chart {
  const described = curves.flatMap(({ store, operation, points }) =>
    points.map(
      ({ rate, p50, p99 }) =>
        `${store}, ${operation}, ${rate.toFixed(0)} requests a second: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    ),
  );
  return {
    name: 'latency',
    title: 'Latency over the rate of an open loop',
    subtitle: 'From the time a request was due; dashed: 32 requests always in flight',
    description: described.join('; '),
    view: (palette) => ({
      concat: curves.map((curve) => view(curve, palette)),
      columns: 2,
      spacing: 36,
    }),
  };
}

function view({ store, operation, saturation, points }: LatencyCurve, { ink, series }: Palette): Spec {
  const values = points.flatMap(({ rate, p50, p99 }) => [
    { rate, quantile: 'p50', latency: p50 },
    { rate, quantile: 'p99', latency: p99 },
  ]);
  const domain = ['p50', 'p99'];
  const legend = { orient: 'top', title: null };
  return {
    title: { text: `${operation}, ${store}`, fontSize: 13, color: ink, fontWeight: 'normal', offset: 6 },
    width: 290,
    height: 170,
    data: { values },
    layer: [
      {
        mark: { type: 'line', point: { size: 50, filled: true }, strokeWidth: 2 },
        encoding: {
          x: {
            field: 'rate',
            type: 'quantitative',
            scale: { domainMin: 0 },
            axis: { tickCount: 4, grid: false, labelFlush: false },
            title: 'Requests per second',
          },
          y: {
            field: 'latency',
            type: 'quantitative',
            scale: { type: 'log' },
            axis: { tickCount: 4, format: '~g' },
            title: 'Latency (ms)',
          },
          color: { field: 'quantile', type: 'nominal', scale: { domain, range: [series[0], series[2]] }, legend },
          shape: { field: 'quantile', type: 'nominal', scale: { domain }, legend },
        },
      },
      { mark: { type: 'rule', strokeDash: [4, 4] }, encoding: { x: { datum: saturation, type: 'quantitative' } } },
    ],
  };
}
