import type { Actor } from '../../call.ts';
import type { CommissionFor } from '../../catalog/page-members.ts';

/** The commission that an affiliate is paid for a sale. */
export interface Terms {
  /** In hundredths of a percent, 0 to 10000. */
  readonly commissionPercent: number;
  readonly commissionFor: CommissionFor;
  /** The days after a payment before its commission is due, 0 to 180. */
  readonly holdDays: number;
}

/** Terms, and the instant from which they count. The terms are null in a version that ends the agreement. */
export type TermsVersion = { readonly from: Date; readonly by: Actor } & (
  Terms | { readonly [Name in keyof Terms]: null }
);

/**
 * Finds the terms in force at an instant: those of the last version, oldest first, that counts from an instant strictly
 * before it. Stripe's instants have whole seconds, so that a version that is added later than a look never changes what
 * the look has found.
 */
export function termsAt(versions: readonly TermsVersion[], at: Date): Terms | null {
  const version = versions.findLast(({ from }) => from < at);
  return version === undefined ? null : termsIn(version);
}

/** Finds the terms of the last version: null without one, and after one that ends the agreement. */
export function lastTerms(versions: readonly TermsVersion[]): Terms | null {
  const last = versions.at(-1);
  return last === undefined ? null : termsIn(last);
}

/** Finds the terms that were agreed first. */
export function firstTerms(versions: readonly TermsVersion[]): Terms | null {
  return versions.map(termsIn).find((terms) => terms !== null) ?? null;
}

function termsIn(version: TermsVersion): Terms | null {
  if (version.commissionPercent === null) return null;
  const { commissionPercent, commissionFor, holdDays } = version;
  return { commissionPercent, commissionFor, holdDays };
}
