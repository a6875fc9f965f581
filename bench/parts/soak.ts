import type { Spec } from '../charts/chart.ts';
import { lines } from '../charts/lines.ts';
import type { Palette } from '../charts/palette.ts';
import { openLoop } from '../load/load.ts';
import { mixedRequests } from '../load/workloads.ts';
import { medianOf, quantile } from '../measure/figures.ts';
import { saturationOf, targetOf } from '../measure/rounds.ts';
import { part } from '../report/part.ts';
import { ms, table } from '../report/table.ts';

/** One sixtieth of a soak: ten seconds of ten minutes. */
interface Sample {
  /** Seconds from the start to the end of the sample. */
  readonly second: number;
  /** Bytes of resident memory. */
  readonly rss: number;
  /** Milliseconds from the time a request was due. */
  readonly p99: number;
  readonly requests: number;
  readonly errors: number;
}

interface StoreSoak {
  readonly store: string;
  /** Requests a second. */
  readonly rate: number;
  readonly samples: readonly Sample[];
}

const shareOfSaturation = 0.7;
const sampleCount = 60;

/** Mixed traffic at 70 % of saturation for some minutes, on each store. */
export const soak = part({
  name: 'soak',
  about: 'mixed traffic',
  isLong: true,
  async measure(site, { effort, soakSeconds: seconds }) {
    const stores: StoreSoak[] = [];
    for await (const kind of site.stores()) {
      const { data, server } = await site.seeded(kind.url('soak'), 100_000, { log: '/dev/null' });
      const target = targetOf(kind, server, mixedRequests(data));
      const rate = shareOfSaturation * (await saturationOf(target, effort, effort.seconds * effort.rounds));
      const samples: Sample[] = [];
      for (let index = 1; index <= sampleCount; index += 1) {
        const { latencies, errors } = await openLoop({ ...target, rate, seconds: seconds / sampleCount });
        const figures = { p99: quantile(latencies, 0.99), requests: latencies.length, errors };
        samples.push({ second: (index * seconds) / sampleCount, rss: await server.rss(), ...figures });
      }
      await server.stop();
      stores.push({ store: kind.store, rate, samples });
    }
    return { seconds, stores };
  },
  table: ({ stores }) =>
    table(stores, [
      ['store', ({ store }) => store],
      ['requests/s', ({ rate }) => rate.toFixed(0)],
      ['requests', ({ samples }) => String(sumOf(samples, 'requests'))],
      ['errors', ({ samples }) => String(sumOf(samples, 'errors'))],
      ['RSS first', ({ samples }) => `${megabytes(medianOf(samples.slice(0, tenthOf(samples)), 'rss'))} MB`],
      ['RSS last', ({ samples }) => `${megabytes(medianOf(samples.slice(-tenthOf(samples)), 'rss'))} MB`],
      ['RSS slope', ({ samples }) => `${megabytes(slopeOf(samples.slice(tenthOf(samples))) * 60)} MB/min`],
      ['p99 first', ({ samples }) => ms(medianOf(samples.slice(0, tenthOf(samples)), 'p99'))],
      ['p99 last', ({ samples }) => ms(medianOf(samples.slice(-tenthOf(samples)), 'p99'))],
    ]),
  length: (_, { seconds }) => `; ${seconds} s on each store`,
  chart: ({ stores }) => ({
    name: 'soak',
    title: 'Mixed traffic at 70 % of saturation',
    subtitle: 'Latency counts from the time a request was due; a flat line is better',
    alternative: 'Lines: memory, latency and errors over the minutes of a soak',
    description: stores.flatMap(({ store, samples }) =>
      samples.map(
        ({ second, rss, p99, errors }) =>
          `${store}, minute ${(second / 60).toFixed(1)}: ${(rss / 1e6).toFixed(0)} MB, p99 ${ms(p99)}, ${errors} errors`,
      ),
    ),
    view: (palette) => ({
      vconcat: panels(stores, palette),
      spacing: 16,
      resolve: { legend: { color: 'shared' } },
    }),
  }),
});

function panels(stores: readonly StoreSoak[], palette: Palette): readonly Spec[] {
  const values = stores.flatMap(({ store, samples }) =>
    samples.map(({ second, rss, p99, errors }) => ({ store, minute: second / 60, memory: rss / 1e6, p99, errors })),
  );
  const colors = Object.fromEntries(stores.map(({ store }, index) => [store, index * 2]));
  const panel = (height: number, minutes: string | null, y: Spec): Spec => {
    const x = { field: 'minute', title: minutes, axis: { grid: false, format: '~g' } };
    return lines({ values, width: 640, height, x, y, field: 'store', colors }, palette);
  };
  const fromZero = { scale: { zero: true }, axis: { tickCount: 4 } };
  return [
    panel(110, null, { field: 'memory', title: 'RSS (MB)', ...fromZero }),
    panel(110, null, { field: 'p99', title: 'p99 (ms)', ...fromZero }),
    panel(60, 'Minutes', {
      field: 'errors',
      title: 'Errors',
      scale: { domain: [0, Math.max(10, ...values.map(({ errors }) => errors))] },
      axis: { tickCount: 2, format: 'd', tickMinStep: 1 },
    }),
  ];
}

function tenthOf({ length }: readonly Sample[]): number {
  return Math.ceil(length / 10);
}

/** Bytes of memory per second, by least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (figure: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + figure(sample), 0) / samples.length;
  const [second, rss] = [mean((sample) => sample.second), mean((sample) => sample.rss)];
  const covariance = mean((sample) => (sample.second - second) * (sample.rss - rss));
  return covariance / mean((sample) => (sample.second - second) ** 2);
}

function sumOf(samples: readonly Sample[], figure: keyof Sample): number {
  return samples.reduce((sum, sample) => sum + sample[figure], 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
