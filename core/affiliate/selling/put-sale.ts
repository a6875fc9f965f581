import type { IsSoldByStripe } from '../../billing/sold-by-stripe.ts';
import type { Call } from '../../call.ts';
import { maxDifference } from '../../clock/clock-state.ts';
import { untilStored } from '../../compare-and-set.ts';
import type { AllEntitlements } from '../../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../entitlement/entitlement.ts';
import type { NewId } from '../../identifier.ts';
import { Refusal } from '../../refusal.ts';
import type { Digest } from '../../secret.ts';
import type { Affiliates } from '../affiliates.port.ts';
import type { Promotion } from '../promotion.ts';
import type { Promotions } from '../promotions.port.ts';
import { attribute, compareBeginnings, type Attribution } from '../sale/attribution.ts';
import { compareAges } from '../sale/commission.ts';
import { assignedSale, newSale, withPayments } from '../sale/decide-sale.ts';
import { saleEvent } from '../sale/sale-event.ts';
import { neverConfirmed, saleId, unknownCurrency, type Payment, type Sale } from '../sale/sale.ts';
import type { Sales } from '../sale/sales.port.ts';
import { firstTerms, termsAt, type Terms } from '../sale/terms.ts';
import type { ChangedSale } from './manage-sales.ts';
import { shownSale, type ShownSale } from './shown-sale.ts';

/** Who has brought a sale. */
export interface Seller {
  readonly entitlementId: string;
  readonly handle: string;
  /** The promoted listing; null for that of the affiliate's promotion of the product that was agreed first. */
  readonly slug: string | null;
}

/** A sale that was not made at Stripe: the whole of it. */
export interface PutSaleRequest extends Seller {
  readonly currency: string;
  /** Null for the instant of the first payment or, for a known sale, for the one that it has. */
  readonly attributedAt: Date | null;
  readonly payments: readonly Payment[];
}

export interface PutSaleAnswer {
  readonly sale: ShownSale;
  readonly outcome: 'added' | 'replaced' | 'unchanged';
}

export interface SellingParts {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly promotions: Pick<Promotions, 'find' | 'ofAffiliate'>;
  readonly sales: Pick<Sales, 'find' | 'replace'>;
  readonly isSold: IsSoldByStripe;
  readonly digest: Digest;
  readonly newEventId: NewId;
}

/**
 * Stores a sale, or other payments of it. Refuses with `invalid_body` for an instant that is later than now,
 * `entitlement_not_found`, `managed_by_stripe`, `affiliate_not_found`; `promotion_not_found` without terms at
 * `attributedAt`; `sale_attributed` if it is known with another affiliate, currency or instant; and `changed_meanwhile`.
 */
export type PutSale = (request: PutSaleRequest, call: Call) => Promise<PutSaleAnswer>;

export function putSale(parts: SellingParts): PutSale {
  return async (request, call) => {
    const { entitlementId, payments } = request;
    requirePast(request, call.now);
    const entitlement = await existing(parts, entitlementId, call);
    if (await parts.isSold(entitlementId, call)) {
      throw new Refusal('managed_by_stripe', { message: 'Stripe has the payments of this sale.' });
    }
    return untilStored(call, async () => {
      const seen = await parts.sales.find(entitlementId, call);
      if (seen !== null) requireSame(seen, request);
      const known = seen ?? (await begun(parts, entitlement, request, call));
      const next = withPayments({ ...known, currency: request.currency }, payments, call.now);
      const isChanged = seen === null || next.revision !== seen.revision || seen.currency !== next.currency;
      if (!isChanged) return { sale: shownSale(seen, call), outcome: 'unchanged' };
      const stored = { ...next, revision: (seen?.revision ?? 0) + 1 };
      if ((await store(parts, seen, stored, call)) === 'stale') return 'stale';
      return { sale: shownSale(stored, call), outcome: seen === null ? 'added' : 'replaced' };
    });
  };
}

/** The clock of a vendor may be as far ahead of the service's as that of a store's server. */
function requirePast({ attributedAt, payments }: PutSaleRequest, now: Date): void {
  const latest = new Date(now.getTime() + maxDifference);
  const isLater = (at: Date | null): boolean => at !== null && at > latest;
  const member = isLater(attributedAt) ? 'attributedAt' : 'paidAt';
  if (isLater(attributedAt) || payments.some(({ paidAt }) => isLater(paidAt)))
    throw new Refusal('invalid_body', { message: `${member} must not be later than now.` });
}

function requireSame(seen: Sale, { handle, slug, currency, attributedAt }: PutSaleRequest): void {
  const isSame =
    seen.handle === handle &&
    (slug === null || seen.slug === slug) &&
    (seen.currency === currency || seen.currency === unknownCurrency) &&
    (attributedAt === null || seen.attributedAt.getTime() === attributedAt.getTime());
  if (!isSame) throw new Refusal('sale_attributed');
}

async function begun(
  parts: SellingParts,
  entitlement: Entitlement,
  { attributedAt: given, payments, ...seller }: PutSaleRequest,
  call: Call,
): Promise<Sale> {
  const [first] = payments.toSorted(compareAges);
  const attributedAt = given ?? first?.paidAt ?? call.now;
  const { versions, terms, ...named } = await sellerOf(parts, entitlement, seller, attributedAt, call);
  if (terms === null) throw withoutTerms(versions, attributedAt);
  return newSale({
    ...factsOf(parts, entitlement),
    ...named,
    by: 'put',
    terms,
    attributedAt,
    currency: seller.currency,
    confirmedAt: null,
  });
}

/**
 * Gives a sale to an affiliate who says to have brought it: with the terms at the checkout, else with those that were
 * agreed first. Of what Stripe sells, a look reads the payments then. Refuses with `entitlement_not_found`,
 * `affiliate_not_found`, `promotion_not_found`, `sale_stated` if a statement has a line of it, and `changed_meanwhile`.
 */
export type AssignSale = (seller: Seller, call: Call) => Promise<ChangedSale>;

export function assignSale(parts: SellingParts): AssignSale {
  return async (seller, call) => {
    const entitlement = await existing(parts, seller.entitlementId, call);
    const isSold = await parts.isSold(seller.entitlementId, call);
    return untilStored(call, async () => {
      const seen = await parts.sales.find(seller.entitlementId, call);
      const attributedAt = seen?.attributedAt ?? begunAt(entitlement);
      const { versions, ...named } = await sellerOf(parts, entitlement, seller, attributedAt, call);
      const terms = named.terms ?? firstTerms(versions);
      if (terms === null) throw withoutTerms(versions, attributedAt);
      const attribution: Attribution = { ...named, by: 'operator', terms };
      const next =
        seen === null
          ? newSale({
              ...factsOf(parts, entitlement),
              ...attribution,
              attributedAt,
              currency: unknownCurrency,
              confirmedAt: isSold ? neverConfirmed : null,
            })
          : assignedSale(seen, attribution);
      if (next === 'stated') throw new Refusal('sale_stated');
      if (next !== seen && (await store(parts, seen, next, call)) === 'stale') return 'stale';
      return { sale: shownSale(next, call), changed: next !== seen };
    });
  };
}

/** When the period began that was granted, as far as an entitlement says. */
function begunAt({ createdAt, currentPeriodStart }: Entitlement): Date {
  return createdAt < currentPeriodStart ? createdAt : currentPeriodStart;
}

function factsOf({ digest }: SellingParts, { id, productId }: Entitlement) {
  return { entitlementId: id, id: saleId(id, digest), productId };
}

/** The promotion that a seller means, its terms at an instant, and all versions of them. */
async function sellerOf(
  { affiliates, promotions }: SellingParts,
  { productId }: Entitlement,
  { handle, slug }: Pick<Seller, 'handle' | 'slug'>,
  at: Date,
  call: Call,
): Promise<
  Omit<Attribution, 'by' | 'terms'> & { readonly terms: Terms | null; readonly versions: Promotion['terms'] }
> {
  if ((await affiliates.find(handle, call)) === null) throw new Refusal('affiliate_not_found');
  const all = slug === null ? await promotions.ofAffiliate(handle, call) : [await promotions.find(handle, slug, call)];
  const own = all.filter((each) => each !== null && each.productId === productId) as readonly Promotion[];
  const said = { at, productId, code: null, metadata: handle, reference: null };
  const named = attribute(said, own)?.slug;
  const promotion = own.find((each) => each.slug === named) ?? own.toSorted(compareBeginnings)[0];
  if (promotion === undefined) throw new Refusal('promotion_not_found');
  const { slug: promoted, terms: versions } = promotion;
  return { handle, slug: promoted, terms: termsAt(versions, at), versions };
}

/** Refuses a sale of an instant at which its promotion has no terms, and says when it has. */
function withoutTerms([first]: Promotion['terms'], at: Date): Refusal {
  const before = first !== undefined && first.from >= at;
  const when = before ? `; its first count from after ${first.from.toISOString()}` : '';
  return new Refusal('promotion_not_found', {
    message: `The promotion has no terms at ${at.toISOString()}${when}.`,
  });
}

async function store(
  { sales, newEventId }: SellingParts,
  seen: Sale | null,
  next: Sale,
  call: Call,
): Promise<'replaced' | 'stale'> {
  const event = seen === null ? saleEvent(next, call, newEventId) : null;
  return (await sales.replace(seen, next, event, call)).kind;
}

async function existing({ entitlements }: SellingParts, id: string, call: Call): Promise<Entitlement> {
  const entitlement = await entitlements.find(id, call);
  if (entitlement === null) throw new Refusal('entitlement_not_found');
  return entitlement;
}
