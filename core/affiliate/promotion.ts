import type { Call } from '../call.ts';
import { textRule, type ValueRule } from '../parsing/value-rule.ts';
import { foldedCode, type Promoted } from './sale/attribution.ts';
import { lastTerms, type Terms, type TermsVersion } from './sale/terms.ts';

export const promotionStates = ['asked', 'live', 'ended'] as const;

export type PromotionState = (typeof promotionStates)[number];

/** The agreement between an affiliate and a listing. */
export interface Promotion extends Promoted {
  readonly state: PromotionState;
  readonly askedAt: Date;
  /** Counts the changes from 1. */
  readonly revision: number;
}

/** The maximum numbers of promotions of an affiliate, and of codes and versions of terms of a promotion. */
export const maxPromotions = 200;
export const maxCodes = 20;
export const maxVersions = 50;

/** The form of a promotion code that Stripe accepts, for the documents of the interface. */
export const codePattern = '^[A-Za-z0-9-]{1,64}$';

const codeForm = new RegExp(codePattern);

/** The rule for a code, which it folds. */
export const codeRule = textRule(
  (text) => (codeForm.test(text) ? foldedCode(text) : null),
  'must be 1 to 64 characters out of A-Z, a-z, 0-9 and "-"',
);

/** The rule for a list of codes. In a text, spaces separate them. */
export const codesRule: ValueRule<readonly string[]> = {
  parse: (text) => codesIn(text.split(/\s+/).filter((code) => code !== '')),
  read: (member) => (Array.isArray(member) ? codesIn(member) : null),
  rule: `must be at most ${maxCodes} promotion codes, each of 1 to 64 characters out of A-Z, a-z, 0-9 and "-"`,
};

function codesIn(given: readonly unknown[]): readonly string[] | null {
  const codes = given.map((code) => codeRule.read(code));
  return codes.length > maxCodes || codes.includes(null) ? null : codes.filter((code) => code !== null);
}

/** Begins a promotion, which an affiliate has asked for. */
export function askedPromotion(named: Pick<Promotion, 'handle' | 'slug' | 'productId'>, { now }: When): Promotion {
  return { ...named, state: 'asked', codes: [], terms: [], askedAt: now, revision: 1 };
}

type By = TermsVersion['by'];
type When = Pick<Call, 'now'>;

/** Asks for a promotion that had ended. */
export function askedAgain(promotion: Promotion, { now }: When): Promotion {
  return changed(promotion, { state: 'asked', askedAt: now });
}

/**
 * Agrees on terms, which count from now on, and makes the promotion live. The same promotion if it is live with them.
 * `too many` if only one more version fits: it is reserved for the end of the agreement.
 */
export function agreed(promotion: Promotion, terms: Terms, by: By, when: When): Promotion | 'too many' {
  if (promotion.state === 'live' && areSameTerms(lastTerms(promotion.terms), terms)) return promotion;
  if (promotion.terms.length >= maxVersions - 1) return 'too many';
  return changed(promotion, { state: 'live', terms: [...promotion.terms, version(promotion, terms, by, when)] });
}

/** Ends a promotion. Its codes stay, so that a late look finds the affiliate. The same promotion if it has ended. */
export function endedPromotion(promotion: Promotion, by: By, when: When): Promotion {
  if (promotion.state === 'ended') return promotion;
  const isAgreed = lastTerms(promotion.terms) !== null;
  const terms = isAgreed ? [...promotion.terms, version(promotion, noTerms, by, when)] : promotion.terms;
  return changed(promotion, { state: 'ended', terms });
}

/** Adds the folded codes that it does not have. `too many` if they do not fit. */
export function withCodes(promotion: Promotion, codes: readonly string[]): Promotion | 'too many' {
  const all = [...new Set([...promotion.codes, ...codes])];
  if (all.length > maxCodes) return 'too many';
  return all.length === promotion.codes.length ? promotion : changed(promotion, { codes: all });
}

const noTerms = { commissionPercent: null, commissionFor: null, holdDays: null };

/** A version that counts from now on, but never from before the version that it follows. */
function version({ terms }: Promotion, next: Terms | typeof noTerms, by: By, { now }: When): TermsVersion {
  const last = terms.at(-1)?.from ?? now;
  return { from: last > now ? last : now, by, ...next };
}

/** Whether two terms pay the same. */
export function areSameTerms(a: Terms | null, b: Terms | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.commissionPercent === b.commissionPercent && a.commissionFor === b.commissionFor && a.holdDays === b.holdDays
  );
}

function changed(promotion: Promotion, change: Partial<Promotion>): Promotion {
  return { ...promotion, ...change, revision: promotion.revision + 1 };
}
