import type { CaseKind, CasePlace, StripeCase, StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { MemoryStore } from '../data/memory-store.ts';

export class MemoryStripeCases implements StripeCases {
  readonly #cases: MemoryStore['stripeCases'];

  constructor({ stripeCases }: MemoryStore) {
    this.#cases = stripeCases;
  }

  async find(id: string): Promise<readonly StripeCase[]> {
    return this.#sorted()
      .filter((each) => each.id === id)
      .toSorted((a, b) => compareCodePoints(a.kind, b.kind));
  }

  async page(after: CasePlace | null, limit: number): Promise<readonly StripeCase[]> {
    return this.#sorted()
      .filter((each) => after === null || comparePlaces(each, after) > 0)
      .slice(0, limit);
  }

  async count(): Promise<ReadonlyMap<CaseKind, number>> {
    const byKind = Map.groupBy(this.#cases.values(), ({ kind }) => kind);
    return new Map([...byKind].map(([kind, { length }]) => [kind, length]));
  }

  async put(found: StripeCase): Promise<void> {
    const key = keyOf(found.id, found.kind);
    this.#cases.set(key, { ...found, since: this.#cases.get(key)?.since ?? found.since });
  }

  async remove(id: string, kinds: readonly CaseKind[]): Promise<void> {
    for (const kind of kinds) this.#cases.delete(keyOf(id, kind));
  }

  #sorted(): readonly StripeCase[] {
    return [...this.#cases.values()].toSorted(comparePlaces);
  }
}

function keyOf(id: string, kind: CaseKind): string {
  return `${id}/${kind}`;
}

function comparePlaces(a: CasePlace, b: CasePlace): number {
  return a.since.getTime() - b.since.getTime() || compareCodePoints(a.id, b.id) || compareCodePoints(a.kind, b.kind);
}
