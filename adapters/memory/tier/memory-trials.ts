import { compareCodePoints } from '../../../core/code-points.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Trial } from '../../../core/trial/trial.ts';
import type { TrialPart, Trials } from '../../../core/trial/trials.port.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryTrials implements Trials {
  readonly #trials: Map<string, Trial>;

  constructor({ trials }: MemoryStore) {
    this.#trials = trials;
  }

  async find(id: string): Promise<Trial | null> {
    return this.#trials.get(id) ?? null;
  }

  async page({ productId, entitlementId, after, limit }: TrialPart): Promise<readonly Trial[]> {
    return [...this.#trials.values()]
      .filter((trial) => trial.productId === productId)
      .filter(({ converted }) => entitlementId === null || converted?.entitlementId === entitlementId)
      .toSorted(newestFirst)
      .filter((trial) => after === null || newestFirst(trial, after) > 0)
      .slice(0, limit);
  }

  async add(trial: Trial): Promise<void> {
    if (!this.#trials.has(trial.id)) this.#trials.set(trial.id, trial);
  }

  async replace(next: Trial): Promise<ReplaceOutcome> {
    if (this.#trials.get(next.id)?.revision !== next.revision - 1) return { kind: 'stale' };
    this.#trials.set(next.id, next);
    return { kind: 'replaced' };
  }

  async prune(end: Date): Promise<number> {
    const gone = [...this.#trials.values()].filter(({ endsAt }) => endsAt <= end).slice(0, 500);
    for (const { id } of gone) this.#trials.delete(id);
    return gone.length;
  }
}

type Place = Pick<Trial, 'id' | 'startedAt'>;

function newestFirst(a: Place, b: Place): number {
  return b.startedAt.getTime() - a.startedAt.getTime() || compareCodePoints(b.id, a.id);
}
