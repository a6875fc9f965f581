import type { LatencyResults } from '../open-loop/latency.ts';
import { table } from './table.ts';

/** The table of latency over the rate of the open loop. */
export function latencyTable({ curves }: LatencyResults): string {
  return table(
    ['store', 'operation', 'requests/s', 'of saturation', 'answers/s', 'p50', 'p99'],
    curves.flatMap(({ store, operation, saturation, points }) =>
      points.map(({ rate, answered, p50, p99 }) => [
        store,
        operation,
        rate.toFixed(0),
        `${((100 * rate) / saturation).toFixed(0)} %`,
        answered.toFixed(0),
        `${p50.toFixed(1)} ms`,
        `${p99.toFixed(1)} ms`,
      ]),
    ),
  );
}
