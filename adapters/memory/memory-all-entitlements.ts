import type { Call } from '../../core/call.ts';
import { compareCodePoints } from '../../core/code-points.ts';
import type { ReplaceOutcome } from '../../core/compare-and-set.ts';
import {
  referenceKey,
  type Addition,
  type AddOutcome,
  type AllEntitlements,
  type EntitlementHistory,
  type EntitlementKeys,
  type EntitlementPart,
  type LicenseTaken,
  type NewestPart,
} from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../core/entitlement/event/change-record.ts';
import type { HistoryEntry } from '../../core/entitlement/history-entry.ts';
import type { LicenseMoves, Replacement } from '../../core/entitlement/license/license-moves.port.ts';
import { ageKey, idOfAge, type EntitlementTable } from './data/entitlement-table.ts';
import type { MemoryStore } from './data/memory-store.ts';
import { remember } from './event/memory-change-records.ts';

export class MemoryAllEntitlements implements AllEntitlements, LicenseMoves {
  readonly #store: MemoryStore;
  readonly #entitlements: EntitlementTable;

  constructor(store: MemoryStore) {
    this.#store = store;
    this.#entitlements = store.entitlements;
  }

  async find(id: string): Promise<Entitlement | null> {
    return this.#entitlements.get(id) ?? null;
  }

  async findByLicense(digest: string): Promise<Entitlement | null> {
    return this.find(this.#entitlements.licenses.get(digest) ?? '');
  }

  async page(part: EntitlementPart | NewestPart): Promise<readonly Entitlement[]> {
    const found: Entitlement[] = [];
    for (const id of this.#idsIn(part)) {
      if (found.length === part.limit) break;
      const entitlement = this.#entitlements.get(id);
      if (entitlement !== undefined && isIn(part, entitlement)) found.push(entitlement);
    }
    return found;
  }

  /** The ids of a part in their order, and perhaps others, by the index that has the fewest. */
  #idsIn(part: EntitlementPart | NewestPart): Iterable<string> {
    const { ids, idsOfProducts, ages, agesOfProducts, idsOfLastFour } = this.#entitlements;
    const { productId, lastFour = null } = part;
    if ('order' in part) {
      const before = part.after === null ? null : ageKey(part.after);
      if (lastFour === null) {
        return idsOfAges((productId === null ? ages : agesOfProducts.get(productId))?.before(before) ?? []);
      }
      const all = lastFour.flatMap((each) => [...(idsOfLastFour.get(each)?.after(null) ?? [])]);
      const keys = all.flatMap((id) => this.#entitlements.get(id) ?? []).map(ageKey);
      return idsOfAges(
        keys
          .filter((key) => before === null || compareCodePoints(key, before) < 0)
          .toSorted(compareCodePoints)
          .toReversed(),
      );
    }
    const { after } = part;
    if (lastFour === null) return (productId === null ? ids : idsOfProducts.get(productId))?.after(after) ?? [];
    return lastFour.flatMap((each) => [...(idsOfLastFour.get(each)?.after(after) ?? [])]).toSorted(compareCodePoints);
  }

  async add(additions: readonly Addition[], call: Call): Promise<readonly AddOutcome[]> {
    return additions.map((addition) => this.#add(addition, call));
  }

  async findExisting({
    ids,
    digests,
    references,
  }: EntitlementKeys<readonly string[]>): Promise<EntitlementKeys<ReadonlySet<string>>> {
    const { byId, licenses, references: known } = this.#entitlements;
    return {
      ids: new Set(ids.filter((id) => byId.has(id))),
      digests: new Set(digests.filter((digest) => licenses.has(digest))),
      references: new Set(references.filter((reference) => known.has(reference))),
    };
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    changeRecord: ChangeRecord,
    call: Call,
  ): Promise<ReplaceOutcome<LicenseTaken>> {
    return this.#replace({ seen, next, changeRecord }, call);
  }

  async move(from: Replacement, to: Replacement | Addition, call: Call): ReturnType<LicenseMoves['move']> {
    if (this.#entitlements.get(from.seen.id)?.revision !== from.seen.revision) return { kind: 'stale' };
    this.#entitlements.set(from.seen.id, from.next);
    const outcome = 'seen' in to ? this.#replace(to, call) : this.#add(to, call);
    if (outcome.kind !== 'replaced' && outcome.kind !== 'added') {
      this.#entitlements.set(from.seen.id, from.seen);
      return outcome;
    }
    remember(this.#store, from.seen, from.changeRecord, call.now);
    return { kind: 'replaced' };
  }

  #add({ entitlement, changeRecord }: Addition, call: Call): AddOutcome {
    const outcome = this.#outcomeOf(entitlement);
    if (outcome.kind === 'added') {
      this.#entitlements.set(entitlement.id, entitlement);
      remember(this.#store, entitlement, changeRecord, call.now);
    }
    return outcome;
  }

  #replace({ seen, next, changeRecord }: Replacement, call: Call): ReplaceOutcome<LicenseTaken> {
    if (this.#entitlements.get(seen.id)?.revision !== seen.revision) return { kind: 'stale' };
    const holder = next.license === null ? undefined : this.#entitlements.licenses.get(next.license.digest);
    if (holder !== undefined && holder !== seen.id) return { kind: 'license taken' };
    this.#entitlements.set(seen.id, next);
    remember(this.#store, seen, changeRecord, call.now);
    return { kind: 'replaced' };
  }

  #outcomeOf({ id, productId, license, reference }: Entitlement): AddOutcome {
    const { byId, licenses, references } = this.#entitlements;
    if (byId.has(id)) return { kind: 'id taken' };
    if (license !== null && licenses.has(license.digest)) return { kind: 'license taken' };
    const isKnown = reference !== null && references.has(referenceKey(productId, reference));
    return { kind: isKnown ? 'reference taken' : 'added' };
  }
}

function isIn(part: EntitlementPart | NewestPart, { productId, reference }: Entitlement): boolean {
  if (part.productId !== null && part.productId !== productId) return false;
  return 'order' in part || part.reference === null || part.reference === reference;
}

function* idsOfAges(keys: Iterable<string>): Iterable<string> {
  for (const key of keys) yield idOfAge(key);
}

export class MemoryEntitlementHistory implements EntitlementHistory {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async list(entitlementId: string): Promise<readonly HistoryEntry[]> {
    return this.#store.history.get(entitlementId) ?? [];
  }
}
