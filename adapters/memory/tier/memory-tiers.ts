import type { Call } from '../../../core/call.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import { isDeclared, type DeclaredTier, type Tier } from '../../../core/tier/tier.ts';
import type { Tiers } from '../../../core/tier/tiers.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';
import { appendEvents } from '../event/memory-events.ts';

export class MemoryTiers implements Tiers {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(productId: string, id: string): Promise<Tier | null> {
    return this.#store.tiers.get(productId)?.get(id) ?? null;
  }

  async page(productId: string, after: string | null, limit: number): Promise<readonly DeclaredTier[]> {
    const all = [...(this.#store.tiers.get(productId)?.values() ?? [])];
    return all
      .filter(isDeclared)
      .filter(({ id }) => after === null || compareCodePoints(id, after) > 0)
      .toSorted((a, b) => compareCodePoints(a.id, b.id))
      .slice(0, limit);
  }

  async all(): Promise<readonly DeclaredTier[]> {
    return [...this.#store.tiers.values()].flatMap((tiers) => [...tiers.values()].filter(isDeclared));
  }

  async replace(next: Tier, event: TierEvent, call: Call): Promise<ReplaceOutcome> {
    const tiers = this.#store.tiers.get(next.productId) ?? new Map<string, Tier>();
    if ((tiers.get(next.id)?.revision ?? 0) !== next.revision - 1) return { kind: 'stale' };
    this.#store.tiers.set(next.productId, tiers.set(next.id, next));
    appendEvents(this.#store, next.productId, [event], call.now);
    return { kind: 'replaced' };
  }
}
