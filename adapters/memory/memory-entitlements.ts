import type { Call } from '../../core/call.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../core/entitlement/event/change-record.ts';
import type { IdempotencyRecord } from '../../core/entitlement/idempotency/idempotency-record.ts';
import { expiredAt, roomAt } from '../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../core/entitlement/idempotency/shared-retention.ts';
import type { Licenses } from '../../core/entitlement/license/licenses.port.ts';
import type { Entitlements, NoRecord } from '../../core/entitlement/merchant/entitlements.port.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { remember } from './event/memory-change-records.ts';
import { liveRecord, recordHolder, removeExpired } from './memory-idempotency.ts';

export class MemoryEntitlements implements Entitlements {
  readonly #store: MemoryStore;
  readonly #retention: SharedRetention;

  constructor(store: MemoryStore, retention: SharedRetention) {
    this.#store = store;
    this.#retention = retention;
  }

  async find(id: string, productId: string): Promise<Entitlement | null> {
    const entitlement = this.#store.entitlements.get(id);
    return entitlement?.productId === productId ? entitlement : null;
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    record: IdempotencyRecord,
    changeRecord: ChangeRecord | null,
    call: Call,
  ): Promise<ReplaceOutcome<NoRecord>> {
    const retention = await this.#retention.current(call);
    const expired = expiredAt(retention, call.now);
    if (liveRecord(this.#store, record.productId, record.key, expired) !== null) return { kind: 'key taken' };
    const stored = this.#store.entitlements.get(seen.id);
    if (stored?.revision !== seen.revision) return { kind: 'stale' };
    const records = this.#store.records.get(seen.id) ?? new Map<string, IdempotencyRecord>();
    const live = [...records.values()].filter(({ at }) => at > expired);
    if (live.length >= retention.recordsPerEntitlement) {
      const madeAt = live.map(({ at }) => at);
      return { kind: 'full', roomAt: roomAt(retention, madeAt) };
    }
    removeExpired(this.#store, seen.id, expired);
    this.#store.entitlements.set(seen.id, next);
    if (changeRecord !== null) remember(this.#store, seen, changeRecord, call.now);
    this.#store.records.set(seen.id, records.set(record.key, record));
    this.#store.recordHolders.set(recordHolder(record.productId, record.key), seen.id);
    return { kind: 'replaced' };
  }
}

export class MemoryLicenses implements Licenses {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(digest: string): Promise<Entitlement | null> {
    const id = this.#store.entitlements.licenses.get(digest);
    return (id === undefined ? undefined : this.#store.entitlements.get(id)) ?? null;
  }
}
