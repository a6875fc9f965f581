import { compareCodePoints } from '../../code-points.ts';
import type { Sale, SaleSource } from './sale.ts';
import { termsAt, type TermsVersion } from './terms.ts';

/** The part of a promotion that an attribution needs. */
export interface Promoted {
  readonly handle: string;
  readonly slug: string;
  readonly productId: string;
  /** Promotion codes, folded by `foldedCode`. Each belongs to one promotion of a product. */
  readonly codes: readonly string[];
  /** The oldest first. Empty until it is approved. */
  readonly terms: readonly TermsVersion[];
}

/** The facts of a checkout that can name the affiliate who has brought the buyer. Null where it has none. */
export interface Said {
  /** When the checkout began. */
  readonly at: Date;
  /** The product that is sold. */
  readonly productId: string;
  /** A promotion code, as it was typed. */
  readonly code: string | null;
  /** `metadata.latchkey_via`: `HANDLE` or `HANDLE_SLUG`, with or without `via_` before it. */
  readonly metadata: string | null;
  /** The `client_reference_id`, which is the seller's own unless it begins with `via_`. */
  readonly reference: string | null;
}

export type Attribution = Pick<Sale, 'handle' | 'slug' | 'by' | 'terms'>;

/** Folds a promotion code: Stripe takes it in any case. */
export function foldedCode(code: string): string {
  return code.toLowerCase();
}

/**
 * Decides which affiliate has brought the sale of a checkout. A code that the buyer has typed wins over the metadata of
 * the seller's site, and that over the link. The first of them that names a promotion of the product with terms in
 * force at the checkout decides; one that names none is passed over. A handle without a slug of the product means the
 * promotion that was agreed first.
 */
export function attribute(said: Said, promotions: readonly Promoted[]): Attribution | null {
  const ofProduct = promotions.filter(({ productId }) => productId === said.productId);
  const code = said.code === null ? null : foldedCode(said.code);
  const byCode = ofProduct.find(({ codes }) => code !== null && codes.includes(code));
  const byName = namesIn(said).map(({ by, ...named }) => ({ by, promotion: promotionOf(named, said.at, ofProduct) }));
  for (const { by, promotion } of [{ by: 'code', promotion: byCode } as const, ...byName]) {
    const terms = promotion === undefined ? null : termsAt(promotion.terms, said.at);
    if (promotion !== undefined && terms !== null) return { handle: promotion.handle, slug: promotion.slug, by, terms };
  }
  return null;
}

/** The promotion of an affiliate that a name means: that of the slug, else the one that was agreed first. */
function promotionOf({ handle, slug }: Named, at: Date, promotions: readonly Promoted[]): Promoted | undefined {
  const own = promotions.filter((one) => one.handle === handle && termsAt(one.terms, at) !== null);
  return own.find((one) => one.slug === slug) ?? own.toSorted(compareBeginnings)[0];
}

/** The order of promotions: the one that was agreed first. */
export function compareBeginnings(a: Promoted, b: Promoted): number {
  const begun = ({ terms: [first] }: Promoted): number => first?.from.getTime() ?? Infinity;
  return begun(a) - begun(b) || compareCodePoints(a.slug, b.slug);
}

/** An affiliate, and the listing if the name has one. */
interface Named {
  readonly handle: string;
  readonly slug: string | null;
}

/** The affiliates that a checkout names by handle, the one that wins first. */
export function namesIn({ metadata, reference }: Said): readonly (Named & { readonly by: SaleSource })[] {
  const names = [
    { by: 'metadata', named: metadata === null ? null : nameIn(metadata) },
    { by: 'link', named: reference?.startsWith(prefix) === true ? nameIn(reference) : null },
  ] as const;
  return names.flatMap(({ by, named }) => (named === null ? [] : [{ by, ...named }]));
}

const prefix = 'via_';

/** A handle has no `_`, so the first `_` separates it from the slug. */
const nameForm = /^(?:via_)?([a-z0-9][a-z0-9-]{1,28}[a-z0-9])(?:_([A-Za-z0-9-]+))?$/;

function nameIn(text: string): Named | null {
  const [, handle, slug = null] = nameForm.exec(text) ?? [];
  return handle === undefined ? null : { handle, slug };
}
