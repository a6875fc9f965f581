import type { Spec } from '../charts/chart.ts';
import { lines } from '../charts/lines.ts';
import type { Palette } from '../charts/palette.ts';
import { openLoop } from '../load/load.ts';
import { inOrder, publicWorkloads } from '../load/workloads.ts';
import { quantile } from '../measure/figures.ts';
import { saturationOf, targetOf, type Effort, type Target } from '../measure/rounds.ts';
import { part } from '../report/part.ts';
import { ms, table } from '../report/table.ts';

/** Latency at one rate of the schedule. */
interface Point {
  /** Requests a second: due, and answered. */
  readonly rate: number;
  readonly answered: number;
  /** Milliseconds from the time a request was due. */
  readonly p50: number;
  readonly p99: number;
}

interface Curve {
  readonly store: string;
  readonly operation: string;
  /** Answers a second with 32 requests always in flight. */
  readonly saturation: number;
  readonly points: readonly Point[];
}

const sharesOfSaturation = [0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 1];

/** Latency over the rate of an open loop, up to saturation, on each store. */
export const latency = part({
  name: 'latency',
  about: 'milliseconds since a request was due',
  async measure(site, { effort }) {
    const curves: Curve[] = [];
    for await (const kind of site.stores()) {
      const { data, server } = await site.seeded(kind.url('latency'), 100_000);
      for (const operation of ['verification', 'durable cancel'] as const) {
        const next = inOrder(publicWorkloads(data)[operation]);
        const target = targetOf(kind, server, next);
        curves.push({ store: kind.store, operation, ...(await curveOf(target, effort)) });
      }
      await server.stop();
    }
    return { curves };
  },
  table: ({ curves }) => {
    const rows = curves.flatMap(({ points, ...curve }) => points.map((point) => ({ ...curve, ...point })));
    return table(rows, [
      ['store', ({ store }) => store],
      ['operation', ({ operation }) => operation],
      ['requests/s', ({ rate }) => rate.toFixed(0)],
      ['of saturation', ({ rate, saturation }) => `${((100 * rate) / saturation).toFixed(0)} %`],
      ['answers/s', ({ answered }) => answered.toFixed(0)],
      ['p50', ({ p50 }) => ms(p50)],
      ['p99', ({ p99 }) => ms(p99)],
    ]);
  },
  length: () => '',
  chart: ({ curves }) => ({
    name: 'latency',
    title: 'Latency over the rate of an open loop',
    subtitle: 'From the time a request was due; dashed: 32 requests always in flight',
    alternative: 'Lines: latency over the rate of requests, up to saturation',
    description: curves.flatMap(({ store, operation, points }) =>
      points.map(
        ({ rate, p50, p99 }) =>
          `${store}, ${operation}, ${rate.toFixed(0)} requests a second: p50 ${ms(p50)}, p99 ${ms(p99)}`,
      ),
    ),
    view: (palette) => ({ concat: curves.map((curve) => panel(curve, palette)), columns: 2, spacing: 36 }),
  }),
});

async function curveOf(target: Target, effort: Effort): Promise<Pick<Curve, 'saturation' | 'points'>> {
  const saturation = await saturationOf(target, effort, effort.seconds * 2);
  const seconds = (effort.seconds * effort.rounds) / 2;
  const points: Point[] = [];
  for (const share of sharesOfSaturation) {
    const rate = share * saturation;
    const { perSecond, latencies, errors } = await openLoop({ ...target, rate, seconds });
    if (errors > 0) throw new Error(`${errors} unexpected answers`);
    points.push({ rate, answered: perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
  }
  return { saturation, points };
}

function panel({ store, operation, saturation, points }: Curve, palette: Palette): Spec {
  const values = points.flatMap(({ rate, p50, p99 }) => [
    { rate, quantile: 'p50', latency: p50 },
    { rate, quantile: 'p99', latency: p99 },
  ]);
  const { width, height, data, ...layer } = lines(
    {
      values,
      width: 290,
      height: 170,
      x: {
        field: 'rate',
        scale: { domainMin: 0 },
        axis: { tickCount: 4, grid: false, labelFlush: false },
        title: 'Requests per second',
      },
      y: { field: 'latency', scale: { type: 'log' }, axis: { tickCount: 4, format: '~g' }, title: 'Latency (ms)' },
      field: 'quantile',
      colors: { p50: 0, p99: 2 },
      points: 50,
    },
    palette,
  );
  const title = { text: `${operation}, ${store}`, fontSize: 13, color: palette.ink, fontWeight: 'normal', offset: 6 };
  const atSaturation = { x: { datum: saturation, type: 'quantitative' } };
  const rule = { mark: { type: 'rule', strokeDash: [4, 4] }, encoding: atSaturation };
  return { title, width, height, data, layer: [layer, rule] };
}
