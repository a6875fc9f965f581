import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Sales } from '../../core/affiliate/sale/sales.port.ts';
import type { StripeCases } from '../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../core/call.ts';
import type { LastBackup } from '../../core/maintenance/maintenance.port.ts';
import type { ReadReceiverBacklog } from '../../core/receiver/own-receiver.ts';
import { DeviceCounter } from './device-counter.ts';
import { EventMetrics, type EventSources } from './event-metrics.ts';
import { BackupGauge, showCatalogAge } from './gauges.ts';
import { MailMetrics } from './mail-metrics.ts';
import type { Readings } from './merged-metrics.ts';
import { ReceiptMetrics } from './receipt-metrics.ts';
import { batchReports } from './reports.ts';
import { SaleMetrics } from './sale-metrics.ts';
import { StripeMetrics } from './stripe-metrics.ts';
import { TrialCounter } from './trial-counter.ts';
import { VerificationCounter } from './verification-counter.ts';

/** A finished request. */
export interface MeasuredRequest {
  /** Undefined where the path belongs to no operation. */
  readonly operation: string | undefined;
  readonly edition: string;
  /** Null if the client closed the connection before its request was complete. */
  readonly status: number | null;
  /** The value of the `Error-Code` header; undefined for a success. */
  readonly errorCode: string | undefined;
  /** Milliseconds. */
  readonly duration: number;
  readonly replayed: boolean;
}

/** The facts that the metrics report besides their counts. */
export interface MetricsSources extends EventSources {
  readonly outgoingBacklog: ReadReceiverBacklog;
  readonly mailBacklog: ReadReceiverBacklog;
  readonly stripeCases: Pick<StripeCases, 'count'>;
  readonly sales: Pick<Sales, 'toLookAt'>;
  /** The version of the release, and the current edition of the API. */
  readonly build: { readonly version: string; readonly edition: string };
  /** The age of the catalog in milliseconds, Infinity before it is loaded. Null in a process that loads no catalog. */
  readonly catalogAge: (() => number) | null;
  readonly lastBackup: (call: Call) => Promise<LastBackup>;
  /** Since when the present signing key has signed; null without keys. */
  readonly signingSince: (call: Call) => Promise<Date | null>;
}

/** The errors that are worth an alert at their first occurrence. */
const faultCodes = ['internal_error', 'store_unavailable'];

/**
 * Milliseconds between two samples of the delay and the utilization of the event loop. The defaults wake an idle process
 * 110 times a second, which takes more CPU than all its other work.
 */
const samplingIntervals = { eventLoopMonitoringPrecision: 20, eventLoopUtilizationTimeout: 1000 };

let nodeMetrics: Registry | null = null;

/** The metrics of Node, which belong to the process. They are made once, because nothing ends their samples. */
function metricsOfNode(): Registry {
  if (nodeMetrics !== null) return nodeMetrics;
  nodeMetrics = new Registry();
  collectDefaultMetrics({ register: nodeMetrics, ...samplingIntervals });
  return nodeMetrics;
}

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const batchSizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The metrics of one server: requests, verifications, devices, receipts, store calls, catalog, events and more. */
export class Metrics {
  readonly #registry = new Registry();
  readonly verifications = new VerificationCounter(this.#registry);
  readonly devices = new DeviceCounter(this.#registry);
  readonly trials = new TrialCounter(this.#registry);
  readonly #requests = new Counter({
    name: 'latchkey_requests_total',
    help: 'Requests by operation, edition and status.',
    labelNames: ['operation', 'edition', 'status'],
    registers: [this.#registry],
  });
  readonly #errors = new Counter({
    name: 'latchkey_errors_total',
    help: 'Error responses by operation and Error-Code.',
    labelNames: ['operation', 'code'],
    registers: [this.#registry],
  });
  readonly #latency = new Histogram({
    name: 'latchkey_request_duration_seconds',
    help: 'Time from the header section of a request to its response.',
    labelNames: ['operation'],
    buckets: secondsBuckets,
    registers: [this.#registry],
  });
  readonly #replays = new Counter({
    name: 'latchkey_replays_total',
    help: 'Responses replayed for an idempotency key.',
    labelNames: ['operation'],
    registers: [this.#registry],
  });
  readonly #refusedConnections = new Counter({
    name: 'latchkey_refused_connections_total',
    help: 'Connections to the public port that were closed because MAX_CONNECTIONS, or the share of an address, was reached.',
    registers: [this.#registry],
  });
  readonly #store = new Histogram({
    name: 'latchkey_store_duration_seconds',
    help: 'Time of store calls by port and method.',
    labelNames: ['port', 'method'],
    buckets: secondsBuckets,
    registers: [this.#registry],
  });
  readonly #batches = new Histogram({
    name: 'latchkey_store_batch_size',
    help: 'Lookups or writes sent to the store, or events moved to the feed, as one batch.',
    labelNames: ['kind'],
    buckets: batchSizeBuckets,
    registers: [this.#registry],
  });

  readonly #backup: BackupGauge;
  readonly #receipts: ReceiptMetrics;
  readonly #stripe: StripeMetrics;
  readonly #mail: MailMetrics;
  readonly sales: SaleMetrics;
  readonly events: EventMetrics;
  readonly #endBatches: () => void;

  constructor({
    build,
    catalogAge,
    lastBackup,
    signingSince,
    outgoingBacklog,
    mailBacklog,
    stripeCases,
    sales,
    ...events
  }: MetricsSources) {
    this.#backup = new BackupGauge(lastBackup, this.#registry);
    this.#receipts = new ReceiptMetrics(signingSince, this.#registry);
    this.events = new EventMetrics(events, this.#registry);
    this.#stripe = new StripeMetrics({ outgoingBacklog, stripeCases }, this.#registry);
    this.#mail = new MailMetrics(mailBacklog, this.#registry);
    this.sales = new SaleMetrics(sales, this.#registry);
    // Its samples begin with the service.
    metricsOfNode();
    const info = { name: 'latchkey_build_info', help: 'The running release; the value is 1.' };
    const labelNames = ['version', 'edition'];
    new Gauge({ ...info, labelNames, registers: [this.#registry], aggregator: 'first' }).set(build, 1);
    if (catalogAge !== null) showCatalogAge(catalogAge, this.#registry);
    this.#endBatches = batchReports.listen(({ kind, size }) => this.#batches.observe({ kind }, size));
  }

  /** Starts the counters of faults at 0, so that a query for their increase sees the first one. */
  expectOperations(operations: readonly string[]): void {
    for (const operation of operations) for (const code of faultCodes) this.#errors.inc({ operation, code }, 0);
  }

  readonly request = (request: MeasuredRequest): void => {
    const { operation = 'none', edition, status, errorCode, duration, replayed } = request;
    this.#requests.inc({ operation, edition, status: status ?? 'gone' });
    this.#latency.observe({ operation }, duration / 1000);
    if (errorCode !== undefined) this.#errors.inc({ operation, code: errorCode });
    if (replayed) this.#replays.inc({ operation });
    this.#receipts.count(request);
  };

  readonly refusedConnection = (): void => this.#refusedConnections.inc();

  /** Wraps a port so that the time of each call is measured. */
  timed<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function') return member;
        const labels = { port: name, method: String(property) };
        return (...parameters: unknown[]): unknown => {
          const startedAt = performance.now();
          const result: unknown = Reflect.apply(member, target, parameters);
          if (!(result instanceof Promise)) return result;
          const observe = (): void => this.#store.observe(labels, (performance.now() - startedAt) / 1000);
          result.then(observe, observe); // beside the caller: `finally` would make it wait for more promises
          return result;
        };
      },
    });
  }

  /** Renders the metrics in the Prometheus text format. */
  async text(call: Call): Promise<string> {
    await this.#refresh(call);
    return this.#all().metrics();
  }

  /** Returns the metrics to be merged with those of other processes; with a call, those of the store are read first. */
  async readings(call: Call | null): Promise<Readings> {
    if (call !== null) await this.#refresh(call);
    return this.#all().getMetricsAsJSON();
  }

  #all(): Registry {
    return Registry.merge([this.#registry, metricsOfNode()]);
  }

  close(): void {
    this.#endBatches();
    this.events.close();
    this.#stripe.close();
    this.#mail.close();
    this.#registry.clear();
  }

  async #refresh(call: Call): Promise<void> {
    await Promise.all([
      this.#stripe.refresh(call),
      this.#mail.refresh(call),
      this.sales.refresh(call),
      this.#backup.refresh(call),
      this.#receipts.refresh(call),
      this.events.refresh(call),
    ]);
  }
}
