import type { Call } from '../../core/call.ts';
import { expiredAt } from '../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type {
  BackupOutcome,
  Finding,
  LastBackup,
  Maintenance,
  Pruned,
} from '../../core/maintenance/maintenance.port.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { removeExpired } from './memory-idempotency.ts';

export class MemoryMaintenance implements Maintenance {
  readonly #store: MemoryStore;
  readonly #retention: SharedRetention;

  constructor(store: MemoryStore, retention: SharedRetention) {
    this.#store = store;
    this.#retention = retention;
  }

  async check(): Promise<readonly Finding[]> {
    return [
      { check: 'schema', ok: true, message: 'A store in memory has no schema.' },
      { check: 'integrity', ok: true, message: 'A store in memory has no file that could be damaged.' },
      { check: 'write', ok: true, message: 'A store in memory can be written.' },
    ];
  }

  async backup(): Promise<BackupOutcome> {
    return { kind: 'no file' };
  }

  async lastBackup(): Promise<LastBackup> {
    return { kind: 'unknown' };
  }

  async oldestWaitingEvent(): Promise<null> {
    return null;
  }

  async waitingSequences(): Promise<ReadonlyMap<string, number>> {
    return new Map();
  }

  async prune(_from: string | null, call: Call): Promise<Pruned> {
    const expired = expiredAt(await this.#retention.current(call), call.now);
    let removed = 0;
    for (const id of this.#store.records.keys()) removed += removeExpired(this.#store, id, expired);
    return { removed, next: null };
  }
}
