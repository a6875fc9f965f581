import type { Unattributed } from '../../../core/affiliate/selling/find-seller.ts';
import type { LookRefusal } from '../decision/decision.ts';
import type { Look } from './look.ts';

/** A report about Stripe, to be logged and counted. It contains no key, secret, session or address. */
export type StripeReport =
  | { readonly kind: 'looked'; readonly look: Look }
  /** `type` is null for a message whose signature is not valid. */
  | { readonly kind: 'event'; readonly type: string | null; readonly outcome: EventOutcome }
  /** A message that Stripe has signed is no event. */
  | { readonly kind: 'unknown message' }
  /** A subscription or purchase has no mapped price. `id` is absent for a session, whose id is a secret. */
  | { readonly kind: 'unmapped'; readonly id: string | null; readonly prices: readonly string[] }
  /** A subscription or purchase has prices of other products, too, which a person has to grant. */
  | { readonly kind: 'several products'; readonly id: string | null; readonly prices: readonly string[] }
  /** A subscription or purchase has several prices, some of which are not mapped. */
  | {
      readonly kind: 'several prices';
      readonly id: string | null;
      readonly used: string;
      readonly ignored: readonly string[];
    }
  /** A sale has payments that earn its affiliate nothing: in another currency, or more than a sale has. */
  | {
      readonly kind: 'payments left out';
      readonly sale: string;
      readonly otherCurrency: number;
      readonly tooMany: number;
    }
  /** A checkout names an affiliate, and is the sale of none. */
  | { readonly kind: 'unattributed'; readonly id: string | null; readonly reason: Unattributed }
  /** Stripe has a status for a subscription that this release does not know. */
  | { readonly kind: 'unknown status'; readonly id: string; readonly status: string }
  /** The outcome of a change that was sent to Stripe. */
  | { readonly kind: 'out'; readonly outcome: Exclude<OutgoingOutcome, 'refused' | 'dropped'> }
  /** A resumption is not sent, because the buyer has canceled at Stripe after it. */
  | { readonly kind: 'dropped'; readonly id: string }
  /** Stripe refuses a change of a subscription. `message` is Stripe's. */
  | { readonly kind: 'out refused'; readonly id: string; readonly status: number; readonly message: string }
  | { readonly kind: 'refused'; readonly id: string | null; readonly reason: LookRefusal; readonly code?: string };

/** The outcome of an event: `ignored` if it names nothing to look at. */
export type EventOutcome = 'looked' | 'ignored' | 'failed' | 'invalid_signature';

/** The outcome of a change: `agreed` if Stripe knew it, `dropped` if the buyer has canceled at Stripe after it. */
export type OutgoingOutcome = 'sent' | 'agreed' | 'dropped' | 'refused' | 'failed';

/** Passes a report on, with the correlation id of what caused it. */
export type ReportOnStripe = (report: StripeReport, correlationId: string) => void;
