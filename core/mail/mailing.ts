import { isIdAtStripe } from '../billing/sold-by-stripe.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import { day } from '../parsing/duration.ts';
import { ownEndpoint, type OwnReceiver } from '../receiver/own-receiver.ts';

/** The mails that follow from events: the key of a purchase, and the notice of another key. */
export type EventMailKind = 'grant' | 'replaced';

/** The mail that an event of a sale at Stripe asks for. Null for any other event. */
export function mailOf({ type, by, entitlement }: EntitlementEvent): EventMailKind | null {
  if (!isIdAtStripe(entitlement.id)) return null;
  // What a command grants was sold long ago, or by somebody else.
  if (type === 'entitlement.granted') return by === 'stripe' ? 'grant' : null;
  return type === 'license.rotated' ? 'replaced' : null;
}

/** The buyers' mail as a receiver: the log is its outbox. */
export const mailing: OwnReceiver = {
  endpoint: ownEndpoint('@mail', ['entitlement.granted', 'license.rotated']),
  wants: (event) => mailOf(event) !== null,
  // As long as a mail that fails is tried again: nobody expects a mail about what was bought while mail was off for weeks.
  maxAge: 3 * day,
  sendsState: false,
};

/**
 * Everything that is mailed, as it is counted: `lost` are keys that buyers have asked for, `desk` those that operators have, and
 * `sent` what an operator sends.
 */
export const mailKinds = ['grant', 'replaced', 'lost', 'desk', 'sent'] as const;

export type MailKind = (typeof mailKinds)[number];

/**
 * What becomes of a mail. `failed` ones are tried again, and so are `unconfirmed` ones, which may have been sent; `refused`
 * ones are not: their mailbox is unknown. Nobody knows the address of those with `no_address`.
 */
export const mailOutcomes = ['sent', 'failed', 'unconfirmed', 'refused', 'no_address'] as const;

export type MailOutcome = (typeof mailOutcomes)[number];

/** Why an event is not followed by a mail although it is of a kind that is. */
export const unmailedReasons = [
  'keys_not_mailed',
  'no_license',
  'license_replaced',
  'license_revoked',
  'entitlement_ended',
  'not_sold_by_stripe',
] as const;

export type UnmailedReason = (typeof unmailedReasons)[number];

/** What is kept of the last attempt of a mail that is over: how it ended. An attempt that has failed keeps its code. */
export type MailEnd = Exclude<MailOutcome, 'failed' | 'unconfirmed'> | UnmailedReason;

const ends: ReadonlySet<string> = new Set<MailEnd>(['sent', 'refused', 'no_address', ...unmailedReasons]);

export function isMailEnd(answer: string | null): answer is MailEnd {
  return answer !== null && ends.has(answer);
}
