import { Registry } from '@prometheus-io/client';

/** A metric of one process. */
export interface Reading {
  readonly name: string;
  readonly type: string;
  /** The function by which readings of several processes become one; undefined means their sum. */
  readonly aggregator?: string;
}

/** The metrics of one process, in a form that can be sent to another. */
export type Readings = readonly Reading[];

/** Merges the metrics of the processes of one server. */
export class MergedMetrics {
  #ended: Promise<Readings> = Promise.resolve([]);

  /**
   * Renders the metrics in the Prometheus text format. What only one process can know is read from the first. `read` is
   * called at once: a process that ends while others are read counts as one that runs, and not as both.
   */
  async text(read: () => Promise<readonly Readings[]>): Promise<string> {
    const ended = this.#ended;
    const processes = await read();
    return merge([...processes.map((readings) => readings.map(merging)), await ended]).metrics();
  }

  /** Keeps the counts of an ended process: a sum that falls would look to Prometheus like a restart of the server. */
  keep(last: Readings): void {
    const counted = last.filter(({ type }) => type === 'counter' || type === 'histogram');
    this.#ended = this.#ended.then((ended) => merge([ended, counted]).getMetricsAsJSON());
  }
}

function merge(processes: readonly Readings[]): Registry {
  return Registry.aggregate(processes.map((readings) => [...readings]));
}

/** Shows the lag of the slowest event loop, because a mean hides one, and when the first process started. */
function merging(reading: Reading): Reading {
  if (reading.name === 'process_start_time_seconds') return { ...reading, aggregator: 'first' };
  const isMean = reading.aggregator === 'average' && reading.name.startsWith('nodejs_eventloop_lag_');
  return isMean ? { ...reading, aggregator: 'max' } : reading;
}
