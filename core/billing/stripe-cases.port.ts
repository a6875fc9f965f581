import type { Call } from '../call.ts';
import type { OutgoingChange } from './outgoing-stream.ts';

/** Why a sale needs a person: Stripe and the store cannot settle it by themselves. The most pressing comes first. */
export const caseKinds = [
  /** A buyer has paid, and no price of the sale is mapped. */
  'unmapped_price',
  /** A buyer has paid for several products, and only the first one is granted. */
  'several_products',
  /** The mail of a sale was refused, or Stripe has no address of the buyer. */
  'mail_refused',
  /** The entitlement is revoked here, and the buyer is charged at Stripe. */
  'revoked_here',
  /** An operator suspends access, and the buyer is charged at Stripe. */
  'suspended_here',
  /** A pause by Latchkey is left at Stripe although no operator suspends access, so that nothing is collected. */
  'paused_here',
  /** A change is parked: all attempts to send it to Stripe have failed. */
  'not_sent',
  /** A mail to the buyer is parked: all attempts to send it have failed. */
  'mail_parked',
  /** Stripe has refused a change. */
  'refused_by_stripe',
  /** The price is mapped to another product than the entitlement's. */
  'other_product',
  /** The entitlement with the id of a subscription is a purchase, or the other way round. */
  'other_kind',
  /** A refund that failed had revoked a purchase. */
  'refund_failed',
  /** The sale could not be granted. */
  'grant_refused',
  /** A comparison has found that both sides differ in another way. */
  'differs',
] as const;

export type CaseKind = (typeof caseKinds)[number];

/** The kinds that are about a mail, of which Stripe says nothing. */
export const mailCaseKinds = ['mail_refused', 'mail_parked'] as const satisfies readonly CaseKind[];

export function isOfMail(kind: CaseKind): kind is (typeof mailCaseKinds)[number] {
  return mailCaseKinds.some((each) => each === kind);
}

/** A payment that Stripe takes next. */
export interface NextCharge {
  readonly at: Date;
  /** In minor units; null if the parts of the price do not say it. */
  readonly amount: number | null;
  /** Three lowercase letters, such as `usd`. */
  readonly currency: string;
}

/** A sale that needs a person. A sale has at most one case of a kind. */
export interface StripeCase {
  /** The id of the subscription or the checkout session. */
  readonly id: string;
  readonly kind: CaseKind;
  readonly since: Date;
  /** The details that a person needs beside the kind: the prices, the answer or the words of Stripe, a code. */
  readonly detail: string | null;
  /** The change that Stripe was asked for. Null unless it was not sent, or was refused. */
  readonly change: OutgoingChange | null;
  /** The buyer's next charge. Null without one, or if it is unknown. */
  readonly charge: NextCharge | null;
}

/** The place of a case in the list. */
export type CasePlace = Pick<StripeCase, 'since' | 'id' | 'kind'>;

/** The sales that need a person. Copies of a store leave them out: the looks at its sales find them again. */
export interface StripeCases {
  /** The cases of a sale, by kind. */
  find(id: string, call: Call): Promise<readonly StripeCase[]>;

  /** Lists at most `limit` cases after another one, or the first ones: the oldest first, then by id and kind. */
  page(after: CasePlace | null, limit: number, call: Call): Promise<readonly StripeCase[]>;

  /** Counts the cases of each kind that there are. */
  count(call: Call): Promise<ReadonlyMap<CaseKind, number>>;

  /** Adds a case. One of its sale and kind is replaced, but keeps since when it is there. Safe to repeat. */
  put(found: StripeCase, call: Call): Promise<void>;

  /** Removes the cases of a sale of these kinds. Safe to repeat. */
  remove(id: string, kinds: readonly CaseKind[], call: Call): Promise<void>;
}
