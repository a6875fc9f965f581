import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Affiliates } from '../../../core/affiliate/affiliates.port.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { addressOf } from '../../../core/waitlist/sign-up.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryAffiliates implements Affiliates {
  readonly #affiliates: MemoryStore['affiliates'];

  constructor({ affiliates }: MemoryStore) {
    this.#affiliates = affiliates;
  }

  async find(handle: string): Promise<Affiliate | null> {
    return this.#affiliates.get(handle) ?? null;
  }

  async findByAddress(email: string): Promise<Affiliate | null> {
    return this.#ofAddress(email);
  }

  async page(after: string | null, limit: number): Promise<readonly Affiliate[]> {
    return [...this.#affiliates.values()]
      .filter(({ handle }) => after === null || compareCodePoints(handle, after) > 0)
      .toSorted((a, b) => compareCodePoints(a.handle, b.handle))
      .slice(0, limit);
  }

  async replace(seen: Affiliate | null, next: Affiliate): Promise<ReplaceOutcome> {
    const { handle, email } = next;
    const owner = email === null ? null : this.#ofAddress(email);
    const isFree = owner === null || owner.handle === handle;
    if (!isFree || this.#affiliates.get(handle)?.revision !== seen?.revision) return { kind: 'stale' };
    this.#affiliates.set(handle, next);
    return { kind: 'replaced' };
  }

  #ofAddress(email: string): Affiliate | null {
    const address = addressOf(email);
    const all = [...this.#affiliates.values()];
    return all.find((one) => one.email !== null && addressOf(one.email) === address) ?? null;
  }
}
