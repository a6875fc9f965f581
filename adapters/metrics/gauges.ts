import { Gauge, type Registry } from '@prometheus-io/client';
import type { Call } from '../../core/call.ts';
import type { LastBackup } from '../../core/maintenance/maintenance.port.ts';

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

/** Shows when the store was last backed up. Has no value where only others know that. */
export class BackupGauge {
  readonly #lastBackup: (call: Call) => Promise<LastBackup>;
  readonly #gauge: Gauge;

  constructor(lastBackup: (call: Call) => Promise<LastBackup>, registry: Registry) {
    this.#lastBackup = lastBackup;
    this.#gauge = new Gauge({
      name: 'latchkey_last_backup_timestamp_seconds',
      help: 'Time of the last backup by the store command, in seconds since 1970; 0 if no backup was made.',
      registers: [registry],
      aggregator: 'max',
    });
    this.#gauge.remove();
  }

  /** Keeps the known time if the store cannot be read. */
  async refresh(call: Call): Promise<void> {
    const last = await this.#lastBackup(call).catch(() => null);
    if (last === null || last.kind === 'unknown') return;
    this.#gauge.set(last.kind === 'none' ? 0 : last.at.getTime() / 1000);
  }
}

/** Shows the age of the catalog, which is given in milliseconds. */
export function showCatalogAge(catalogAge: () => number, registry: Registry): void {
  const age: Gauge = new Gauge({
    name: 'latchkey_catalog_age_seconds',
    help: 'Time since the catalog was last refreshed.',
    registers: [registry],
    aggregator: 'max',
    collect: (): void => age.set(catalogAge() / 1000),
  });
}
