import type { IsSoldByStripe } from '../../billing/sold-by-stripe.ts';
import type { StripeCases } from '../../billing/stripe-cases.port.ts';
import type { Call } from '../../call.ts';
import type { AllEntitlements } from '../../entitlement/administration/all-entitlements.port.ts';
import { existing } from '../../entitlement/administration/show-entitlement.ts';
import { Refusal } from '../../refusal.ts';
import type { RandomBytes } from '../../secret.ts';
import { addressOfBuyer } from '../address-of-buyer.ts';
import type { BuyerAddresses } from '../buyer-addresses.port.ts';
import { settleRefused } from '../mail-cases.ts';
import { newMailId } from '../mail-id.ts';

/** A mail of every key of a buyer, which an operator asks for. */
export interface DeskMail {
  /** The address as Stripe has it. */
  readonly email: string;
  /** The id of the mail: a mail that is asked for twice is sent once. */
  readonly id: string;
  /** The sale whose buyer it is for. */
  readonly entitlementId: string;
}

/**
 * Takes a mail of keys, which is sent later, under the limits of `/license/lost`. The mail names the products that the call
 * reaches. Refuses with `rate_limited`.
 */
export type AskAtDesk = (mail: DeskMail, call: Call) => Promise<void>;

export interface MailKeysRequest {
  readonly entitlementId: string;
  /** The id of the mail; null for a new one. */
  readonly id: string | null;
}

/**
 * Mails the buyer of a sale what `/license/lost` mails: every key that works, and a link to each license. Nothing is kept of
 * the address, which Stripe is asked for. Refuses with `entitlement_not_found`, `not_sold_by_stripe`, `stripe_unavailable`,
 * `buyer_address_unknown`, `rate_limited`, and `mail_unavailable` in a process that mails no keys.
 */
export type MailKeys = (request: MailKeysRequest, call: Call) => Promise<void>;

interface Parts {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly cases: Pick<StripeCases, 'remove'>;
  readonly isSold: IsSoldByStripe;
  readonly randomBytes: RandomBytes;
  readonly addresses: Pick<BuyerAddresses, 'ofSale'> | null;
  /** Null in a process that mails no keys. */
  readonly askAtDesk: AskAtDesk | null;
}

export function mailKeys({ cases, entitlements, randomBytes, askAtDesk, ...parts }: Parts): MailKeys {
  return async ({ entitlementId, id }, call) => {
    const entitlement = await existing(entitlements, entitlementId, call);
    if (!(await parts.isSold(entitlementId, call))) throw new Refusal('not_sold_by_stripe');
    if (askAtDesk === null) throw new Refusal('mail_unavailable', { message: notMailedHere });
    const email = await addressOfBuyer(parts, entitlement, call);
    await askAtDesk({ email, id: id ?? newMailId(randomBytes), entitlementId }, call);
    await settleRefused(cases, entitlementId, call);
  };
}

const notMailedHere =
  'No keys are mailed here: only a server with STRIPE_API_KEY, SMTP_URL and pages for buyers mails them.';
