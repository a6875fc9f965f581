import { Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';

/** Shows for how long the oldest of something has been waiting. */
export class OldestGauge {
  readonly #gauge: Gauge;

  constructor(name: string, help: string, registry: Registry) {
    this.#gauge = new Gauge({ name, help, registers: [registry], aggregator: 'max' });
  }

  /** Sets the time from an instant to the call; 0 if nothing waits. */
  set(oldest: Date | null, { now }: Call): void {
    // Another process may have stored it, whose clock is ahead.
    this.#gauge.set(oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime()) / 1000);
  }
}
