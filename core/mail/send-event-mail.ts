import type { IsSoldByStripe } from '../billing/sold-by-stripe.ts';
import type { StripeCases } from '../billing/stripe-cases.port.ts';
import type { Call } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import { endingOf } from '../entitlement/event/ending-soon.ts';
import type { EntitlementEvent } from '../entitlement/event/entitlement-event.ts';
import { hasEnded, statusAt } from '../entitlement/status.ts';
import { isOfEntitlement } from '../feed/logged-event.ts';
import type { Products } from '../product/products.port.ts';
import type { DeliveryOutcome, SendDelivery } from '../webhook/send-delivery.ts';
import type { BuyerAddresses } from './buyer-addresses.port.ts';
import type { ReadCurrentKey } from './current-key.ts';
import { recordRefused, settleRefused } from './mail-cases.ts';
import type { MailResult, MailSender } from './mail-sender.port.ts';
import type { Bought, MailContent, MailWriter } from './mail-writer.port.ts';
import {
  isMailedEnding,
  mailOf,
  type EventMailKind,
  type MailEnd,
  type MailOutcome,
  type UnmailedReason,
} from './mailing.ts';
import type { FindReplaced } from './replaced-key.ts';

/** The outcome of a mail, for the log and the metrics. It contains neither an address nor a key. */
export type MailReport = Mailed & {
  readonly outcome: MailOutcome;
  /** The event that the mail follows from. It is logged because the log hides the ids of checkout sessions. */
  readonly eventId: string;
  /** The server's code; null where no mail was sent, or all went well. */
  readonly code: string | null;
};

type Mailed =
  | { readonly kind: EventMailKind; readonly entitlementId: string }
  | { readonly kind: 'statement'; readonly statementId: string };

export interface EventMailParts {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly products: Pick<Products, 'find'>;
  readonly isSold: IsSoldByStripe;
  readonly readKey: ReadCurrentKey;
  readonly findReplaced: FindReplaced;
  readonly addresses: Pick<BuyerAddresses, 'ofSale'>;
  readonly cases: Pick<StripeCases, 'put' | 'remove'>;
  readonly writer: Pick<MailWriter, 'key' | 'replaced' | 'ending'>;
  readonly sender: MailSender;
  /** The host in the ids of mails. */
  readonly host: string;
  /** Begins a call that leaves enough time for the sender. */
  readonly newCall: (correlationId: string) => Call;
  readonly report: (report: MailReport, correlationId: string) => void;
}

/**
 * Sends the mail that an event asks for, if it is still right: it describes the entitlement as it is now. Each attempt
 * has the same id, so that a copy is recognized. Throws faults of the store.
 */
export function sendEventMail(parts: EventMailParts): SendDelivery {
  return async ({ message, signal }) => {
    if (message.type === 'webhook.test' || !isOfEntitlement(message)) return ended('not for mail');
    const kind = mailOf(message);
    if (kind === null) return ended('not for mail');
    const call = parts.newCall(message.correlationId ?? message.id);
    return sendOne(parts, { kind, event: message, signal }, call);
  };
}

interface Asked {
  readonly kind: EventMailKind;
  readonly event: EntitlementEvent;
  readonly signal: AbortSignal | undefined;
}

async function sendOne(parts: EventMailParts, { kind, event, signal }: Asked, call: Call): Promise<DeliveryOutcome> {
  const entitlementId = event.entitlement.id;
  const report = (outcome: MailOutcome, code: string | null = null): void =>
    parts.report({ kind, outcome, entitlementId, eventId: event.id, code }, call.correlationId);
  // The buyer has another key since the last mail was refused.
  if (kind === 'replaced') await settleRefused(parts.cases, entitlementId, call);
  const wanted = await wantedMail(parts, kind, event, call);
  if (wanted.kind === 'none') return ended(wanted.reason);
  const found = await parts.addresses.ofSale(wanted.entitlement, call);
  if (found.kind === 'failed') {
    report('failed', found.code);
    return { kind: 'failed', answer: found.code, status: null, retryAfter: found.retryAfter };
  }
  if (found.address === null) {
    await recordRefused(parts.cases, entitlementId, kind, 'no_address', call);
    report('no_address');
    return ended('no_address');
  }
  // The key may have been replaced while the address was asked for.
  const now = await wantedMail(parts, kind, event, call);
  if (now.kind === 'none') return ended(now.reason);
  const messageId = `${kind}.${event.id}@${parts.host}`;
  const result = await parts.sender.send({ to: found.address, messageId, ...(await now.write()) }, signal);
  if (result.outcome === 'refused') {
    const late = parts.newCall(call.correlationId);
    await recordRefused(parts.cases, entitlementId, kind, 'refused', late);
  }
  report(result.outcome, codeIn(result));
  return deliveryBy(result);
}

/** The server's code in a result; null if all went well. */
export function codeIn(result: MailResult): string | null {
  return result.outcome === 'sent' ? null : result.code;
}

/** The result of a mail, as the outcome of the delivery of its event. */
export function deliveryBy(result: MailResult): DeliveryOutcome {
  switch (result.outcome) {
    case 'failed':
      return { kind: 'failed', answer: result.code, status: null, retryAfter: null };
    case 'unconfirmed':
      return { kind: 'failed', answer: `may have arrived (${result.code})`, status: null, retryAfter: doubtTime };
    case 'sent':
    case 'refused':
      return ended(result.outcome);
  }
}

/**
 * Milliseconds before a mail that may have arrived is repeated: a copy is better than a loss, but not ten in a minute.
 */
const doubtTime = 30 * 60_000;

type Wanted =
  | { readonly kind: 'mail'; readonly entitlement: Entitlement; readonly write: () => Promise<MailContent> }
  | { readonly kind: 'none'; readonly reason: UnmailedReason };

/** Decides for the entitlement as it is now whether the mail of an event is still right. */
async function wantedMail(
  parts: EventMailParts,
  kind: EventMailKind,
  event: EntitlementEvent,
  call: Call,
): Promise<Wanted> {
  const { entitlements, products, isSold, readKey } = parts;
  const entitlement = await entitlements.find(event.entitlement.id, call);
  if (entitlement === null) return none('not_sold_by_stripe');
  const product = await products.find(entitlement.productId, call);
  const bought = { entitlement, product };
  if (kind === 'grant') {
    if (product?.mailKeys === false) return none('keys_not_mailed');
    const key = await readKey(entitlement, call);
    if (key.kind === 'none') return key;
    const { licenseKey } = key;
    const write = async (): Promise<MailContent> => parts.writer.key({ ...bought, licenseKey, now: call.now });
    return { kind: 'mail', entitlement, write };
  }
  if (!(await isSold(entitlement.id, call))) return none('not_sold_by_stripe');
  if (hasEnded(statusAt(entitlement, call.now))) return none('entitlement_ended');
  return kind === 'ending' ? endingMail(parts, event, bought, call) : replacedMail(parts, event, bought, call);
}

function replacedMail(
  { findReplaced, writer }: EventMailParts,
  event: EntitlementEvent,
  bought: Bought,
  call: Call,
): Wanted {
  const { entitlement } = bought;
  const write = async (): Promise<MailContent> => {
    const oldLastFour = await findReplaced(event, entitlement, call);
    return writer.replaced({ ...bought, replacedAt: event.at, oldLastFour });
  };
  return { kind: 'mail', entitlement, write };
}

/** The notice of an end, which has to be the one of the event. No notice is sent while access is suspended. */
function endingMail({ writer }: EventMailParts, event: EntitlementEvent, bought: Bought, { now }: Call): Wanted {
  const { entitlement, product } = bought;
  if (product?.mailEnding !== true) return none('ending_not_mailed');
  const ending = entitlement.hold.kind === 'none' ? endingOf(entitlement) : null;
  if (ending === null || !isMailedEnding(ending) || ending.endsAt.getTime() !== event.ending?.endsAt.getTime()) {
    return none('end_has_moved');
  }
  const write = async (): Promise<MailContent> => writer.ending({ ...bought, ending, now });
  return { kind: 'mail', entitlement, write };
}

function none(reason: UnmailedReason): Wanted {
  return { kind: 'none', reason };
}

/** There is nothing more to do for the event. */
export function ended(answer: MailEnd | 'not for mail'): DeliveryOutcome {
  return { kind: 'delivered', answer, status: null };
}
