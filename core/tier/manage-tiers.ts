import type { Call, NewCall } from '../call.ts';
import { untilStored } from '../compare-and-set.ts';
import type { NewId } from '../identifier.ts';
import { cursorAt, textIn } from '../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../paging/page.ts';
import { walk } from '../paging/walk.ts';
import type { Products } from '../product/products.port.ts';
import { Refusal } from '../refusal.ts';
import { tierEvent } from './tier-event.ts';
import { areSameTerms, isDeclared, type DeclaredTier, type Tier, type TierTerms } from './tier.ts';
import type { Tiers } from './tiers.port.ts';

/** The name of a tier. */
export interface TierName {
  readonly productId: string;
  readonly id: string;
}

export interface PutTierAnswer {
  readonly tier: DeclaredTier;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

/**
 * Sets the allowance of a tier of a product: the whole of it. The same again changes nothing. Refuses with
 * `product_not_found`, with `trial_exists` if another tier of the product has a trial, and with `changed_meanwhile` if
 * others keep changing the tier until the deadline.
 */
export type PutTier = (name: TierName, terms: TierTerms, call: Call) => Promise<PutTierAnswer>;

export function putTier(tiers: Tiers, products: Pick<Products, 'find'>, newEventId: NewId): PutTier {
  const save = saveTier(tiers, products, newEventId);
  return (name, terms, call) => save(name, terms, 'any', call);
}

/**
 * Does the same if the tier has the revision that was seen: null if it was not declared then, and `any` for each. Refuses
 * with `changed_meanwhile` if it has another one, and other terms.
 */
export type SaveTier = (
  name: TierName,
  terms: TierTerms,
  seen: number | null | 'any',
  call: Call,
) => Promise<PutTierAnswer>;

export function saveTier(tiers: Tiers, products: Pick<Products, 'find'>, newEventId: NewId): SaveTier {
  return async (name, terms, revision, call) => {
    if ((await products.find(name.productId, call)) === null) throw new Refusal('product_not_found');
    if (terms.trial !== null) await requireOnlyTrial(tiers, name, call);
    return untilStored(call, async () => {
      const seen = await tiers.find(name.productId, name.id, call);
      const before = seen?.terms ?? null;
      if (isDeclared(seen) && areSameTerms(before, terms)) return { tier: seen, outcome: 'unchanged' };
      const isSeen = revision === 'any' || revision === (isDeclared(seen) ? seen.revision : null);
      if (!isSeen) throw new Refusal('changed_meanwhile');
      const tier = { ...name, terms, revision: (seen?.revision ?? 0) + 1 };
      const outcome = await tiers.replace(tier, tierEvent(seen, tier, call, newEventId), call);
      return outcome.kind === 'stale' ? 'stale' : { tier, outcome: before === null ? 'added' : 'replaced' };
    });
  };
}

/**
 * Deletes a tier, which then allows nothing by itself. Returns whether it was declared. The own values of entitlements
 * stay. Refuses with `changed_meanwhile` if others keep changing the tier until the deadline.
 */
export type DeleteTier = (name: TierName, call: Call) => Promise<boolean>;

export function deleteTier(tiers: Tiers, newEventId: NewId): DeleteTier {
  return ({ productId, id }, call) =>
    untilStored(call, async () => {
      const seen = await tiers.find(productId, id, call);
      if (!isDeclared(seen)) return false;
      const next: Tier = { ...seen, terms: null, revision: seen.revision + 1 };
      const outcome = await tiers.replace(next, tierEvent(seen, next, call, newEventId), call);
      return outcome.kind === 'stale' ? 'stale' : true;
    });
}

/** Shows the allowance of a tier. Refuses with `tier_not_found`. */
export type ShowTier = (name: TierName, call: Call) => Promise<DeclaredTier>;

export function showTier(tiers: Pick<Tiers, 'find'>): ShowTier {
  return async ({ productId, id }, call) => {
    const tier = await tiers.find(productId, id, call);
    if (!isDeclared(tier)) throw new Refusal('tier_not_found');
    return tier;
  };
}

/**
 * Lists the declared tiers of a product by id in code-point order. Refuses with `product_not_found`, and with
 * `invalid_parameter` for a cursor of another list.
 */
export type ListTiers = (productId: string, page: PageRequest, call: Call) => Promise<Page<DeclaredTier>>;

export function listTiers(tiers: Pick<Tiers, 'page'>, products: Pick<Products, 'find'>): ListTiers {
  return async (productId, page, call) => {
    const list = ['tiers', productId] as const;
    const after = textIn(list, page.after);
    if ((await products.find(productId, call)) === null) throw new Refusal('product_not_found');
    const found = await tiers.page(productId, after, page.limit + 1, call);
    return pageOf(found, page, ({ id }) => cursorAt(list, [id]));
  };
}

/** Walks over the declared tiers of a product in the order of `ListTiers`. Refuses with `product_not_found`. */
export type EveryTier = (productId: string, newCall: NewCall) => AsyncIterable<DeclaredTier>;

export function everyTier(tiers: Pick<Tiers, 'page'>, products: Pick<Products, 'find'>): EveryTier {
  return async function* (productId, newCall) {
    if ((await products.find(productId, newCall())) === null) throw new Refusal('product_not_found');
    yield* walk<DeclaredTier>((after, limit, call) => tiers.page(productId, after?.id ?? null, limit, call), newCall);
  };
}

async function requireOnlyTrial(tiers: Pick<Tiers, 'all'>, { productId, id }: TierName, call: Call): Promise<void> {
  const others = (await tiers.all(call)).filter((tier) => tier.productId === productId && tier.id !== id);
  if (others.some(({ terms }) => terms.trial !== null)) throw new Refusal('trial_exists');
}
