import { billing, outgoing, type OutgoingChange } from '../billing/outgoing-stream.ts';
import { eventsAt, parkedChange } from '../billing/parked-changes.ts';
import type { PriceMap } from '../billing/price-map.port.ts';
import { isSoldByStripe } from '../billing/sold-by-stripe.ts';
import { caseKinds, isOfMail, type CaseKind, type StripeCase, type StripeCases } from '../billing/stripe-cases.port.ts';
import { dashboardUrl, isLive, salePage } from '../billing/stripe-dashboard.ts';
import type { Call } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { existing } from '../entitlement/administration/show-entitlement.ts';
import type { Entitlement, Interval } from '../entitlement/entitlement.ts';
import { causesOf } from '../entitlement/suspension.ts';
import type { Events } from '../feed/events.port.ts';
import { withUnread } from '../receiver/unread-events.ts';
import { Refusal } from '../refusal.ts';
import type { DeliveryAttempt } from '../webhook/stream/delivery-attempt.ts';
import { streamName } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';

/** A payment that Stripe has received. */
export interface Payment {
  readonly at: Date;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** The amount that was returned to the buyer, in minor units. */
  readonly refunded: number;
  /** When the last of it was returned; null if nothing was. */
  readonly refundedAt: Date | null;
  /** The disputes that count: a lost one more than an open one. A won one and an inquiry do not count. */
  readonly dispute: 'open' | 'lost' | null;
}

/** Stripe's answer about a sale. */
export interface StripeAnswer {
  /** Of a subscription as Stripe names it; of a purchase, of its payment. */
  readonly status: string;
  /** Stripe's next step by itself. */
  readonly next: 'charge' | 'end' | 'none';
  readonly nextAt: Date | null;
  /** The next payment of a subscription, or the payment of a purchase, in minor units. Null if the prices do not say it. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Null for a purchase. */
  readonly interval: Interval | null;
  readonly lastPayment: Payment | null;
  readonly isPaused: boolean;
}

/** A sale on Stripe's dashboard, and its state there. */
export interface AtStripe {
  readonly url: string;
  /** The invoice of the last payment on the dashboard, or the payment of a purchase, with its receipt; null without one. */
  readonly invoiceUrl: string | null;
  readonly livemode: boolean;
  /** Null if Stripe did not answer in time, does not know the sale, or the process has no key. */
  readonly answer: StripeAnswer | null;
}

/** Reads a sale at Stripe once. Resolves after two seconds at the latest, and never fails. */
export type ReadAtStripe = (entitlementId: string, call: Call) => Promise<AtStripe>;

/** Reads the facts of a sale that a process without a key knows. */
export const withoutKey: ReadAtStripe = async (id) => {
  const livemode = isLive(null, id);
  return { url: dashboardUrl(salePage(id), { livemode }), invoiceUrl: null, livemode, answer: null };
};

/** A change by Latchkey that is on its way to Stripe, or was refused there. */
export interface SentChange {
  readonly change: OutgoingChange;
  /** The number of attempts. */
  readonly tried: number;
  /** The last request about it that is kept. */
  readonly attempt: DeliveryAttempt | null;
  /** Null if it is not tried again by itself. */
  readonly nextAt: Date | null;
}

/** Both sides of a sale, as an operator sees them. The members of the answer are null without one. */
export interface StripeSale extends AtStripe {
  readonly status: string | null;
  readonly next: StripeAnswer['next'] | null;
  readonly nextAt: Date | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly lastPayment: Payment | null;
  /** Whether Stripe has what was changed here. */
  readonly sent: 'agreed' | 'pending' | 'parked' | 'refused';
  /** The words of Stripe. Null unless it has refused a change. */
  readonly refusal: string | null;
  readonly difference: CaseKind | null;
  /** Null if all was sent. */
  readonly ours: SentChange | null;
}

const noAnswer = { status: null, next: null, nextAt: null, amount: null, currency: null, lastPayment: null } as const;

/** Shows both sides of a sale. Refuses with `entitlement_not_found` and `not_sold_by_stripe`. */
export type ShowStripeSale = (entitlementId: string, call: Call) => Promise<StripeSale>;

interface Ports {
  readonly allEntitlements: Pick<AllEntitlements, 'find'>;
  readonly deliveryStreams: Pick<DeliveryStreams, 'find'>;
  readonly events: Pick<Events, 'page'>;
  readonly priceMap: Pick<PriceMap, 'page'>;
  readonly stripeCases: Pick<StripeCases, 'find'>;
}

export function showStripeSale(ports: Ports, readAtStripe: ReadAtStripe): ShowStripeSale {
  return async (id, call) => {
    const entitlement = await existing(ports.allEntitlements, id, call);
    if (!(await isSoldByStripe(ports.priceMap)(id, call))) throw new Refusal('not_sold_by_stripe');
    const waiting = await waitingChange(ports, entitlement, call);
    const [atStripe, cases] = await Promise.all([readAtStripe(id, call), ports.stripeCases.find(id, call)]);
    const refused = waiting === null ? (cases.find(({ kind }) => kind === 'refused_by_stripe') ?? null) : null;
    const sent = sentOf(waiting, refused);
    return {
      ...(atStripe.answer ?? noAnswer),
      ...atStripe,
      sent,
      refusal: refused?.detail ?? null,
      difference: differenceOf(cases, entitlement, atStripe.answer, sent),
      ours: waiting ?? refusedChange(refused),
    };
  };
}

function sentOf(waiting: SentChange | null, refused: StripeCase | null): StripeSale['sent'] {
  if (waiting !== null) return waiting.nextAt === null ? 'parked' : 'pending';
  return refused === null ? 'agreed' : 'refused';
}

function refusedChange(refused: StripeCase | null): SentChange | null {
  if (refused === null || refused.change === null) return null;
  return { change: refused.change, tried: 1, attempt: null, nextAt: null };
}

/** The change of an entitlement that Stripe has not been sent. */
async function waitingChange(
  { deliveryStreams, events }: Ports,
  { id, productId }: Entitlement,
  call: Call,
): Promise<SentChange | null> {
  const stored = await deliveryStreams.find(streamName(outgoing, productId), call, [id]);
  if (stored === null) return null;
  const { stream } = await withUnread({ events, deliveryStreams }, billing, stored, call);
  const pending = stream.pending.get(id);
  if (pending === undefined) return null;
  const found = parkedChange(await eventsAt(events, productId, pending.positions, call));
  if (found === null) return null;
  const { positions, attempt: tried, at } = pending;
  const attempt = stream.attempts.find(({ position }) => position === positions[0]) ?? null;
  return { change: found.change, tried, attempt, nextAt: at };
}

/** The most pressing difference. The current answer of Stripe counts more than the findings of the last look. */
function differenceOf(
  cases: readonly StripeCase[],
  { hold }: Entitlement,
  answer: StripeAnswer | null,
  sent: StripeSale['sent'],
): CaseKind | null {
  const kinds = new Set(cases.map(({ kind }) => kind));
  if (answer !== null && hold.kind !== 'none') {
    const kind = hold.kind === 'revoked' ? 'revoked_here' : 'suspended_here';
    const isOurs = hold.kind === 'revoked' || causesOf(hold).includes('operator');
    const isCharged = isOurs && answer.next === 'charge' && (sent === 'agreed' || sent === 'refused');
    if (isCharged) kinds.add(kind);
    else kinds.delete(kind);
  }
  if (answer?.isPaused === false || causesOf(hold).includes('operator')) kinds.delete('paused_here');
  if (sent === 'parked') kinds.add('not_sent');
  else kinds.delete('not_sent');
  return caseKinds.find((kind) => kinds.has(kind) && !isOfMail(kind)) ?? null;
}
