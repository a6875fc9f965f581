import { Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';

/** Shows for how long the oldest event has been waiting for its position. */
export class OutboxGauge {
  readonly #oldest: (call: Call) => Promise<Date | null>;
  readonly #gauge: Gauge;

  constructor(oldest: (call: Call) => Promise<Date | null>, registry: Registry) {
    this.#oldest = oldest;
    this.#gauge = new Gauge({
      name: 'latchkey_outbox_oldest_seconds',
      help: 'Time for which the oldest event has been waiting for its position in the feed; 0 if no event waits.',
      registers: [registry],
    });
  }

  /** Keeps the last known time if the store cannot be read. */
  async refresh(call: Call): Promise<void> {
    const oldest = await this.#oldest(call).catch(() => undefined);
    if (oldest === undefined) return;
    // Another process may have stored it, whose clock is ahead.
    this.#gauge.set(oldest === null ? 0 : Math.max(0, call.now.getTime() - oldest.getTime()) / 1000);
  }
}
