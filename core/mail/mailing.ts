import { stateOf, type Statement } from '../affiliate/statement/statement.ts';
import { isIdAtStripe } from '../billing/sold-by-stripe.ts';
import type { Ending } from '../entitlement/event/ending-soon.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import { isOfEntitlement, type LoggedEvent } from '../feed/logged-event.ts';
import { day } from '../parsing/duration.ts';
import { ownEndpoint, type OwnReceiver } from '../receiver/own-receiver.ts';

/**
 * The mails to buyers that follow from events: the key of a purchase, the notice of another key, and the notice of an
 * end that is near.
 */
export type EventMailKind = 'grant' | 'replaced' | 'ending';

/** The mail that an event of a sale at Stripe asks for. Null for any other event. */
export function mailOf({ type, by, entitlement, ending }: EntitlementEvent): EventMailKind | null {
  if (!isIdAtStripe(entitlement.id)) return null;
  // An entitlement that a command grants was sold long ago, or by somebody else.
  if (type === 'entitlement.granted') return by === 'stripe' ? 'grant' : null;
  if (type === 'license.rotated') return 'replaced';
  return ending !== null && isMailedEnding(ending) ? 'ending' : null;
}

/** Whether an end of access is mailed: Stripe itself writes of trials and of payments that are missing. */
export function isMailedEnding({ reason }: Ending): boolean {
  return reason === 'canceled' || reason === 'fixed_term';
}

/** The statement that an event has mailed to its affiliate: one that was closed with a balance to pay. Null for any other. */
export function statementToMail(event: LoggedEvent): Statement | null {
  return event.type === 'statement.closed' && stateOf(event.statement) === 'to_pay' ? event.statement : null;
}

function mailKindOf(event: LoggedEvent): EventMailKind | 'statement' | null {
  if (isOfEntitlement(event)) return mailOf(event);
  return statementToMail(event) === null ? null : 'statement';
}

/** The mail that follows from events as a receiver: the log is its outbox. */
export const mailing: OwnReceiver = {
  endpoint: ownEndpoint('@mail', [
    'entitlement.granted',
    'license.rotated',
    'entitlement.ending_soon',
    'statement.closed',
  ]),
  wants: (event) => mailKindOf(event) !== null,
  // The time for which a mail that fails is retried: nobody expects a mail about a purchase that was made while mail
  // was off for weeks. An end that is still to come is worth a mail at any age, and an event without a mail needs
  // nobody's attention.
  maxAge: (event) => {
    const kind = mailKindOf(event);
    return kind === null || kind === 'ending' ? Infinity : 3 * day;
  },
  sendsState: false,
};

/**
 * The kinds of mail, as they are counted: `lost` are keys that buyers have asked for, `desk` keys that operators have
 * asked for, `invite` invitations of the waitlist, `affiliate` links of affiliates, `statement` their statements, and
 * `sent` every other mail that an operator sends.
 */
export const mailKinds = [
  'grant',
  'replaced',
  'ending',
  'lost',
  'desk',
  'sent',
  'invite',
  'affiliate',
  'statement',
] as const;

export type MailKind = (typeof mailKinds)[number];

/**
 * The outcome of a mail. `failed` mails are tried again, and so are `unconfirmed` ones, which may have been sent.
 * `refused` ones are not: their mailbox is unknown. `no_address`: the sale or the affiliate has no address.
 */
export const mailOutcomes = ['sent', 'failed', 'unconfirmed', 'refused', 'no_address'] as const;

export type MailOutcome = (typeof mailOutcomes)[number];

/** Why an event is not followed by a mail although events of its kind are. */
const unmailedReasons = [
  'keys_not_mailed',
  'no_license',
  'license_replaced',
  'license_revoked',
  'entitlement_ended',
  'not_sold_by_stripe',
  'ending_not_mailed',
  'end_has_moved',
] as const;

export type UnmailedReason = (typeof unmailedReasons)[number];

/** The outcome that is stored for a finished mail. A failed attempt keeps its code. */
export type MailEnd = Exclude<MailOutcome, 'failed' | 'unconfirmed'> | UnmailedReason;

const ends: ReadonlySet<string> = new Set<MailEnd>(['sent', 'refused', 'no_address', ...unmailedReasons]);

export function isMailEnd(answer: string | null): answer is MailEnd {
  return answer !== null && ends.has(answer);
}
