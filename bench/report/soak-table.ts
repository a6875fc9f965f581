import { medianOf } from '../comparisons/spread.ts';
import type { SoakResults, SoakSample, StoreSoak } from '../open-loop/soak.ts';
import { table } from './table.ts';

/** The table of the soak: its first and its last tenth, which is a minute of ten. */
export function soakTable({ stores }: SoakResults): string {
  return table(
    ['store', 'requests/s', 'requests', 'errors', 'RSS first', 'RSS last', 'RSS slope', 'p99 first', 'p99 last'],
    stores.map(({ store, rate, samples }) => {
      const tenth = Math.ceil(samples.length / 10);
      const [first, last] = [samples.slice(0, tenth), samples.slice(-tenth)];
      return [
        store,
        rate.toFixed(0),
        String(sumOf(samples, 'requests')),
        String(sumOf(samples, 'errors')),
        `${megabytes(medianOf(first, 'rss'))} MB`,
        `${megabytes(medianOf(last, 'rss'))} MB`,
        `${megabytes(slopeOf(samples) * 60)} MB/min`,
        `${medianOf(first, 'p99').toFixed(1)} ms`,
        `${medianOf(last, 'p99').toFixed(1)} ms`,
      ];
    }),
  );
}

/** Bytes of memory per second after the first tenth, by least squares. */
function slopeOf(samples: StoreSoak['samples']): number {
  const later = samples.slice(Math.ceil(samples.length / 10));
  const mean = (figure: (sample: SoakSample) => number): number =>
    later.reduce((sum, sample) => sum + figure(sample), 0) / later.length;
  const [second, rss] = [mean((sample) => sample.second), mean((sample) => sample.rss)];
  const covariance = mean((sample) => (sample.second - second) * (sample.rss - rss));
  return covariance / mean((sample) => (sample.second - second) ** 2);
}

function sumOf(samples: readonly SoakSample[], figure: keyof SoakSample): number {
  return samples.reduce((sum, sample) => sum + sample[figure], 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
