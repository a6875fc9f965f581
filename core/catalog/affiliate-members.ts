import type { Mistake } from '../parsing/read-members.ts';
import type { PageMembers } from './page-members.ts';

/** Whether affiliates may promote a listing: nobody, each that is approved, or everybody at once. */
export const affiliatePolicies = ['none', 'ask', 'open'] as const;

export type AffiliatePolicy = (typeof affiliatePolicies)[number];

/** The maximum of `holdDays`. */
export const maxHoldDays = 180;

/** The members of a listing by which affiliates of this service sell it. No public answer has them. */
export interface AffiliateMembers {
  readonly affiliates: AffiliatePolicy;
  /** Where a sale begins: a Payment Link, or the page of the seller. An https URL. */
  readonly saleUrl: string | null;
  /** For how many days after a payment no commission is due. */
  readonly holdDays: number;
}

/** Their defaults. */
export const noAffiliateMembers: AffiliateMembers = { affiliates: 'none', saleUrl: null, holdDays: 30 };

/** Their names, in the order in which exports have them. */
export const affiliateMembers = Object.keys(noAffiliateMembers) as readonly (keyof AffiliateMembers)[];

/** The members of a listing that decide whether affiliates can sell it. */
export interface PromotedListing extends Pick<AffiliateMembers, 'affiliates' | 'saleUrl'> {
  readonly productId: string | null;
  readonly commissionFor: PageMembers['commissionFor'];
  readonly compensationType: string;
}

/**
 * Finds the members that a listing lacks to be promoted by affiliates. It lacks nothing if it has no affiliates: a sale
 * needs a product and a place where it begins, and a commission needs terms that say how long it is paid.
 */
export function missingForAffiliates(listing: PromotedListing): readonly Mistake[] {
  const { affiliates, compensationType } = listing;
  if (affiliates === 'none') return [];
  const needed = (['productId', 'saleUrl', 'commissionFor'] as const).filter((member) => listing[member] === null);
  return [
    ...needed.map((member) => ({ member, problem: 'is missing, which a listing with affiliates needs' })),
    ...(compensationType === 'upfront'
      ? [{ member: 'compensationType', problem: 'must be commission or both in a listing with affiliates' }]
      : []),
  ];
}
