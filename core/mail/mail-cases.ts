import { eventsAt } from '../billing/parked-changes.ts';
import { isIdAtStripe } from '../billing/sold-by-stripe.ts';
import { isOfMail, mailCaseKinds, type StripeCase, type StripeCases } from '../billing/stripe-cases.port.ts';
import type { Call, NewCall } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { hasEnded, statusAt } from '../entitlement/status.ts';
import type { Events } from '../feed/events.port.ts';
import { walk } from '../paging/walk.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import { parkedCount, streamName, type DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { mailing, mailOf, type EventMailKind, type MailOutcome } from './mailing.ts';

interface Ports {
  readonly allEntitlements: Pick<AllEntitlements, 'find'>;
  readonly deliveryStreams: Pick<DeliveryStreams, 'page' | 'find'>;
  readonly events: Pick<Events, 'page'>;
  readonly stripeCases: StripeCases;
}

/**
 * Stores a case for every sale with a mail that is parked, and removes the cases of mails that need no person any more. The
 * streams of the mails say what is parked, so that none is missed if a process ends between the two.
 */
export type RecordMailCases = (newCall: NewCall, isStopped?: () => boolean) => Promise<void>;

export function recordMailCases(ports: Ports): RecordMailCases {
  return async (newCall, isStopped = () => false) => {
    for await (const head of everyStream(ports.deliveryStreams, mailing.endpoint.id, newCall)) {
      if (parkedCount(head) === 0) continue;
      const stream = (await ports.deliveryStreams.find(head, newCall(), 'all')) ?? head;
      for (const [id, { at, positions }] of stream.pending) {
        if (isStopped()) return;
        if (at === null && isIdAtStripe(id)) await recordParked(ports, stream, id, positions, newCall());
      }
    }
    for await (const found of everyCase(ports.stripeCases, newCall)) {
      if (isStopped()) return;
      if (await isSettled(ports, found, newCall())) await ports.stripeCases.remove(found.id, [found.kind], newCall());
    }
  };
}

function everyCase(cases: Pick<StripeCases, 'page'>, newCall: NewCall): AsyncIterable<StripeCase> {
  return walk<StripeCase>((after, limit, call) => cases.page(after, limit, call), newCall);
}

async function recordParked(
  { events, stripeCases }: Ports,
  { productId }: DeliveryStream,
  id: string,
  positions: readonly number[],
  call: Call,
): Promise<void> {
  const known = await stripeCases.find(id, call);
  if (known.some(({ kind }) => kind === 'mail_parked')) return;
  const [first] = (await eventsAt(events, productId, positions, call)).filter((event) => mailOf(event) !== null);
  if (first === undefined) return;
  await stripeCases.put(aCase(id, 'mail_parked', mailOf(first), first.at), call);
}

async function isSettled({ allEntitlements, deliveryStreams }: Ports, found: StripeCase, call: Call): Promise<boolean> {
  const { id, kind } = found;
  if (!isOfMail(kind)) return false;
  const entitlement = await allEntitlements.find(id, call);
  if (entitlement === null) return true;
  if (kind === 'mail_refused') return hasEnded(statusAt(entitlement, call.now));
  const stream = await deliveryStreams.find(streamName(mailing.endpoint, entitlement.productId), call, [id]);
  return stream?.pending.get(id)?.at !== null;
}

/** Stores that the server knows no mailbox of a buyer, or Stripe no address. */
export async function recordRefused(
  cases: Pick<StripeCases, 'put'>,
  id: string,
  mail: EventMailKind,
  outcome: Extract<MailOutcome, 'refused' | 'no_address'>,
  call: Call,
): Promise<void> {
  await cases.put(aCase(id, 'mail_refused', `${mail} ${outcome}`, call.now), call);
}

/** Removes the case of a mail that was refused, because the buyer was reached in another way. The sale is one that was found. */
export async function settleRefused(cases: Pick<StripeCases, 'remove'>, id: string, call: Call): Promise<void> {
  await cases.remove(id, ['mail_refused'], { ...call, products: null });
}

/** Removes the cases of the mails that are left out, of one sale or of all (null). */
export async function skipCases(
  cases: Pick<StripeCases, 'page' | 'remove'>,
  entitlementId: string | null,
  call: Call,
): Promise<void> {
  if (entitlementId !== null) return cases.remove(entitlementId, mailCaseKinds, call);
  for await (const { id, kind } of everyCase(cases, () => call)) {
    if (isOfMail(kind)) await cases.remove(id, [kind], call);
  }
}

function aCase(id: string, kind: (typeof mailCaseKinds)[number], detail: string | null, since: Date): StripeCase {
  return { id, kind, since, detail, change: null, charge: null };
}
