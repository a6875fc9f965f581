import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';
import type { RecordClockEvents } from '../../core/entitlement/event/record-clock-events.ts';
import type { DeliveryBacklog } from '../../core/webhook/delivery-backlog.ts';
import { deliveryOutcomes } from '../../core/webhook/send-delivery.ts';
import { OldestGauge } from './gauges.ts';
import { deliveryReports } from './reports.ts';

/** The sources of those metrics of events that are read and not counted. */
export interface EventSources {
  /** When the oldest event that waits for its position was stored; null if none waits. */
  readonly oldestWaitingEvent: (call: Call) => Promise<Date | null>;
  /** The instant of the oldest change by the clock that has no event yet; null if each has one. */
  readonly oldestClockChange: (call: Call) => Promise<Date | null>;
  readonly deliveryBacklog: (call: Call) => Promise<DeliveryBacklog>;
  /** The number of requests of the feed that are held now. */
  readonly heldRequests: () => number;
}

/** The metrics of events on their way: outboxes, the sweep, the feed and the deliveries. */
export class EventMetrics {
  readonly #sources: EventSources;
  readonly #outbox: OldestGauge;
  readonly #sweep: OldestGauge;
  readonly #undelivered: OldestGauge;
  readonly #clockChanges: Counter;
  readonly #deliveries: Counter<'outcome'>;
  readonly #backlog: Gauge<'state'>;
  readonly #endpoints: Gauge<'state' | 'reason'>;
  readonly #endDeliveries: () => void;

  constructor(sources: EventSources, registry: Registry) {
    this.#sources = sources;
    const registers = [registry];
    this.#outbox = new OldestGauge(
      'latchkey_outbox_oldest_seconds',
      'Time for which the oldest event has been waiting for its position in the feed; 0 if no event waits.',
      registry,
    );
    this.#sweep = new OldestGauge(
      'latchkey_sweep_oldest_seconds',
      'Time since the oldest change by the clock that has no event yet; 0 if each has one.',
      registry,
    );
    this.#undelivered = new OldestGauge(
      'latchkey_delivery_oldest_seconds',
      'Age of the oldest event that an enabled webhook endpoint has not received, without parked ones; 0 if it has all.',
      registry,
    );
    const changes = 'Entitlements whose changes by the clock this process has stored as events.';
    this.#clockChanges = new Counter({ name: 'latchkey_clock_changes_total', help: changes, registers });
    const deliveries = { name: 'latchkey_deliveries_total', help: 'Webhook deliveries by outcome.', registers };
    this.#deliveries = new Counter({ ...deliveries, labelNames: ['outcome'] });
    for (const outcome of deliveryOutcomes) this.#deliveries.inc({ outcome }, 0);
    const backlog = { name: 'latchkey_delivery_backlog', help: 'Webhook deliveries to be made, by state.', registers };
    this.#backlog = new Gauge({ ...backlog, labelNames: ['state'] });
    const endpoints = { name: 'latchkey_webhook_endpoints', help: 'Webhook endpoints by state.', registers };
    this.#endpoints = new Gauge({ ...endpoints, labelNames: ['state', 'reason'] });
    const held: Gauge = new Gauge({
      name: 'latchkey_feed_held_requests',
      help: 'Requests for events that wait for one.',
      registers,
      collect: (): void => held.set(sources.heldRequests()),
    });
    this.#endDeliveries = deliveryReports.listen((outcome) => this.#deliveries.inc({ outcome }));
  }

  /** Wraps the sweep so that the events that it stores are counted. */
  counting(recordClockEvents: RecordClockEvents): RecordClockEvents {
    return async (...parameters) => {
      const recorded = await recordClockEvents(...parameters);
      this.#clockChanges.inc(recorded);
      return recorded;
    };
  }

  /** Reads the values of the store. A value that cannot be read stays as it was. */
  async refresh(call: Call): Promise<void> {
    const { oldestWaitingEvent, oldestClockChange, deliveryBacklog } = this.#sources;
    await Promise.allSettled([
      oldestWaitingEvent(call).then((oldest) => this.#outbox.set(oldest, call)),
      oldestClockChange(call).then((oldest) => this.#sweep.set(oldest, call)),
      deliveryBacklog(call).then((backlog) => this.#setBacklog(backlog, call)),
    ]);
  }

  close(): void {
    this.#endDeliveries();
  }

  #setBacklog({ endpoints, pending, parked, oldest }: DeliveryBacklog, call: Call): void {
    this.#undelivered.set(oldest, call);
    this.#backlog.set({ state: 'pending' }, pending);
    this.#backlog.set({ state: 'parked' }, parked);
    const { enabled, ...disabled } = endpoints;
    this.#endpoints.set({ state: 'enabled' }, enabled);
    for (const [reason, count] of Object.entries(disabled)) this.#endpoints.set({ state: 'disabled', reason }, count);
  }
}
