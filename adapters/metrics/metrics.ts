import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { batchChannel, type Batch } from '../../core/store/batch.ts';

/** A request that is over. */
export interface MeasuredRequest {
  /** Absent for what belongs to no operation. */
  readonly operation: string | undefined;
  readonly edition: string;
  /** Null for a client that went away before its request was whole. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly replayed: boolean;
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What Prometheus is told: requests, stores, the catalog, and the process with its event loop. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'latchkey_requests_total',
    help: 'Requests by operation, edition and status.',
    labelNames: ['operation', 'edition', 'status'],
    registers: [this.#registry],
  });
  readonly #latency = new Histogram({
    name: 'latchkey_request_duration_seconds',
    help: 'From the head of a request to its answer.',
    labelNames: ['operation'],
    buckets: seconds,
    registers: [this.#registry],
  });
  readonly #replays = new Counter({
    name: 'latchkey_replays_total',
    help: 'Answers that were repeated to an idempotency key.',
    labelNames: ['operation'],
    registers: [this.#registry],
  });
  readonly #store = new Histogram({
    name: 'latchkey_store_duration_seconds',
    help: 'Calls of the store by port and method.',
    labelNames: ['port', 'method'],
    buckets: seconds,
    registers: [this.#registry],
  });
  readonly #batches = new Histogram({
    name: 'latchkey_store_batch_size',
    help: 'Look-ups or writes that were sent to the store as one.',
    labelNames: ['kind'],
    buckets: sizes,
    registers: [this.#registry],
  });

  readonly #noteBatch = (message: unknown): void => {
    if (isBatch(message)) this.#batches.observe({ kind: message.kind }, message.size);
  };

  /** `catalogAge` is in milliseconds; infinite before the catalog is loaded. */
  constructor(catalogAge: () => number) {
    collectDefaultMetrics({ register: this.#registry });
    const age: Gauge = new Gauge({
      name: 'latchkey_catalog_age_seconds',
      help: 'How old the catalog may be.',
      registers: [],
      collect: (): void => age.set(catalogAge() / 1000),
    });
    this.#registry.registerMetric(age);
    subscribe(batchChannel, this.#noteBatch);
  }

  readonly request = ({ operation = 'none', edition, status, duration, replayed }: MeasuredRequest): void => {
    this.#requests.inc({ operation, edition, status: status ?? 'gone' });
    this.#latency.observe({ operation }, duration / 1000);
    if (replayed) this.#replays.inc({ operation });
  };

  /** The port, with the time of each of its calls measured. */
  timed<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          const stop = this.#store.startTimer({ port: name, method: String(property) });
          const result: unknown = Reflect.apply(member, target, parameters);
          if (!(result instanceof Promise)) return result;
          return result.finally(stop);
        };
      },
    });
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    unsubscribe(batchChannel, this.#noteBatch);
    this.#registry.clear();
  }
}

function isBatch(message: unknown): message is Batch {
  return typeof message === 'object' && message !== null && 'kind' in message && 'size' in message;
}
