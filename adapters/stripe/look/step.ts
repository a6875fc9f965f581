import type { Administration } from '../../../core/administration/administration.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { Sales } from '../../../core/affiliate/sale/sales.port.ts';
import { isPromoted, type Unattributed } from '../../../core/affiliate/selling/find-seller.ts';
import type { OutgoingPart } from '../../../core/billing/outgoing-stream.ts';
import type { PriceMap, PriceMapping } from '../../../core/billing/price-map.port.ts';
import { isIdAtStripe } from '../../../core/billing/sold-by-stripe.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { askStripe } from '../client/ask-stripe.ts';
import { markOf } from '../decision/cancellation-mark.ts';
import { decidePurchase } from '../decision/decide-purchase.ts';
import { decideSubscription, isChargedWhileSuspended, isUnknown } from '../decision/decide-subscription.ts';
import type { Decision, NothingReason, PendingChange } from '../decision/decision.ts';
import { leftAtStripe } from '../decision/left-at-stripe.ts';
import { nothingMapped, soldBy, type Sold } from '../decision/sold-price.ts';
import { isSold, readSession, type CheckoutFacts } from '../reading/session-state.ts';
import { readSubscriptionCharges } from '../reading/subscription-charges.ts';
import { goesOn, readPayments, readSubscription, type SubscriptionState } from '../reading/subscription-state.ts';
import { leftForPerson } from './left-for-person.ts';
import type { ReadEffect, ReadPending, SeenThere } from './look.ts';
import type { SaleReading } from './sale-reading.ts';
import { newlySeen } from './seen-there.ts';
import { beginSale, noBeginning, type Beginning, type BeginningParts, type NewCheckout } from './seller.ts';

export interface StepParts extends BeginningParts {
  readonly administration: Pick<Administration, 'findEntitlement' | 'listEntitlements'>;
  readonly prices: Pick<PriceMap, 'find'>;
  readonly sales: Pick<Sales, 'find'>;
  readonly readPending: ReadPending;
  readonly readEffect: ReadEffect;
  /** Milliseconds of access from the start of the first period that is not paid, while Stripe tries again. */
  readonly unpaidAccess: number;
  /** Whether it is asked of known entitlements, too, who has brought them. Default: false. */
  readonly findsEverySeller?: boolean;
}

/** The subject of a look. */
export interface Subject {
  /** Of a subscription or a session. */
  readonly id: string;
  /** The session that a subscription was looked at for; null if none was. */
  readonly session: CheckoutFacts | null;
}

/** Both sides as one step has read them, and the decision. */
export interface Step {
  /** The session of a subscription has become its subscription, whose id the entitlement has. */
  readonly subject: Subject;
  /** Null if unknown here. */
  readonly entitlement: Entitlement | null;
  readonly pending: PendingChange | null;
  readonly decision: Decision;
  /** Null for what no affiliate has brought. */
  readonly sale: SaleReading | null;
  /** Why a checkout that names an affiliate is the sale of none. */
  readonly unattributed: Unattributed | null;
  readonly prices: readonly string[];
  readonly sold: Sold;
  /** The mappings of other products that the sale has paid for, and that a person has to grant. */
  readonly forPerson: readonly PriceMapping[];
  /** Null for an id that is no subscription, or unknown to Stripe. */
  readonly state: SubscriptionState | null;
  /** Whether an operator suspends access that the buyer is charged for at Stripe. */
  readonly isChargedWhileSuspended: boolean;
  /** The parts in which something of ours is left at Stripe that nobody asks for here, and nothing on its way ends. */
  readonly left: readonly OutgoingPart[];
  /** An attempt of ours that Stripe has carried out, and that was never seen before. Null where that is undone first. */
  readonly newlySeen: SeenThere | null;
  /** The status of a subscription that this release does not know. */
  readonly unknownStatus: string | null;
}

/**
 * Reads ours, then Stripe, and decides. In this order, a change that is made here while Stripe answers makes the write
 * stale: it is never hidden by an older answer.
 */
export async function readAndDecide(parts: StepParts, subject: Subject, call: Call): Promise<Step> {
  const { id } = subject;
  if (!isIdAtStripe(id)) return undecided(subject, null, 'unknown');
  const entitlement = await parts.administration.findEntitlement(id, call);
  const sale = await parts.sales.find(id, call);
  const read = id.startsWith('sub_') ? ofSubscription : ofSession;
  return read(parts, subject, { entitlement, sale }, call);
}

/** Ours, as it was before Stripe was read. */
interface Ours {
  readonly entitlement: Entitlement | null;
  readonly sale: Sale | null;
}

async function ofSubscription(
  parts: StepParts,
  subject: Subject,
  { entitlement, sale }: Ours,
  call: Call,
): Promise<Step> {
  const before = entitlement === null ? null : await parts.readPending(entitlement, call);
  const read = await readSubscription(parts.stripe, subject.id, call);
  if (read === null) {
    const pending = await pendingAfter(parts, entitlement, before, call);
    return { ...undecided(subject, entitlement, 'unknown'), pending };
  }
  const prices = read.items.map(({ price }) => price.id);
  const sold = await soldIn(parts, prices, entitlement, call);
  const state = await readPayments(parts.stripe, read, sold.index, call);
  const charged = sale === null ? [] : await readSubscriptionCharges(parts.stripe, read.subscription, call);
  const pending = await pendingAfter(parts, entitlement, before, call);
  const isNew = entitlement === null && sold.mapping !== null;
  const session = isNew ? await readCheckout(parts, subject, call) : null;
  const reference = session?.id ?? null;
  const others = goesOn(read.subscription) ? sold.others : [];
  const ids = [subject.id, subject.session?.id ?? null, entitlement?.reference ?? reference];
  const forPerson = await leftForPerson(parts.administration, others, ids, call);
  const { unpaidAccess } = parts;
  // After Stripe, which carries out nothing of ours before it is kept here.
  const isMarked = entitlement !== null && markOf(state.subscription) !== null;
  const effect = isMarked ? await parts.readEffect(entitlement, call) : null;
  const ours = { entitlement, pending, effect, sold, reference, unpaidAccess };
  const decision = decideSubscription(state, ours, call.now);
  const { subscription } = state;
  const beginning = await beginningOf(parts, { entitlement, sale, decision }, call, async (productId) => ({
    checkout: {
      entitlementId: subject.id,
      productId,
      session: isNew ? session : await readCheckout(parts, subject, call),
      subscription: read.subscription,
    },
    readCharged: () => readSubscriptionCharges(parts.stripe, read.subscription, call),
  }));
  const { status } = subscription;
  return {
    subject,
    entitlement,
    pending,
    decision,
    ...(sale === null ? beginning : { sale: { seen: sale, sale, charged }, unattributed: null }),
    prices,
    sold,
    forPerson,
    state,
    isChargedWhileSuspended: isChargedWhileSuspended(state, ours),
    left: leftAtStripe(state, ours),
    newlySeen: newlySeen(state, ours),
    unknownStatus: isUnknown(status) ? status : null,
  };
}

/** The price that decides is one of the product that was granted, wherever it is among the others. */
function soldIn(
  { prices }: StepParts,
  ids: readonly string[],
  entitlement: Entitlement | null,
  call: Call,
): Promise<Sold> {
  return soldBy(ids, (price) => prices.find(price, call), entitlement?.productId ?? null);
}

/**
 * While Stripe was read, a delivery may have sent a cancellation of ours that was resumed since. It is stored by now that it
 * was sent, or what Stripe has answered. If nothing is on its way any more, another look follows the delivery.
 */
async function pendingAfter(
  { readPending }: StepParts,
  entitlement: Entitlement | null,
  before: PendingChange | null,
  call: Call,
): Promise<PendingChange | null> {
  if (entitlement === null || before?.kind !== 'resume') return before;
  const now = await readPending(entitlement, call);
  return now?.kind === 'resume' ? now : { ...before, kind: 'cancel' };
}

async function ofSession(
  parts: StepParts,
  subject: Subject,
  { entitlement, sale: seen }: Ours,
  call: Call,
): Promise<Step> {
  const state = await readSession(parts.stripe, subject.id, call);
  switch (state?.kind) {
    case undefined:
      return undecided(subject, entitlement, 'unknown');
    case 'nothing sold':
      return undecided(subject, entitlement, 'nothing_sold');
    case 'failed':
      return undecided(subject, entitlement, 'failed');
    case 'unfinished':
      return undecided(subject, entitlement, 'not_paid');
    case 'subscription':
      return readAndDecide(parts, { id: state.subscriptionId, session: state.session }, call);
    case 'purchase': {
      const { prices } = state;
      const sold = await soldIn(parts, prices, entitlement, call);
      const decision = decidePurchase(state, entitlement, sold);
      const others = isSold(state) ? sold.others : [];
      const forPerson = await leftForPerson(parts.administration, others, [subject.id], call);
      const charged = state.charged === null ? [] : [state.charged];
      const beginning = await beginningOf(parts, { entitlement, sale: seen, decision }, call, async (productId) => ({
        checkout: { entitlementId: subject.id, productId, session: state.session, subscription: null },
        readCharged: async () => charged,
      }));
      const own = seen === null ? beginning : { sale: { seen, sale: seen, charged }, unattributed: null };
      return { subject, entitlement, pending: null, decision, ...own, prices, sold, forPerson, ...ofNoSubscription };
    }
  }
}

/**
 * Finds who has brought a sale that is about to be granted. The sale is stored before the grant, so that nothing is
 * granted unattributed. For an entitlement that is known here, it is looked up only where `findsEverySeller` says so.
 */
async function beginningOf(
  parts: StepParts,
  { entitlement, sale, decision }: Ours & Pick<Step, 'decision'>,
  call: Call,
  read: (productId: string) => Promise<NewCheckout>,
): Promise<Beginning> {
  const granted = decision.kind === 'grant' ? decision.grant.productId : null;
  const known = parts.findsEverySeller === true ? (entitlement?.productId ?? null) : null;
  const productId = granted ?? known;
  if (sale !== null || productId === null) return noBeginning;
  if (granted === null && !(await isPromoted(parts.promotions, productId, call))) return noBeginning;
  return beginSale(parts, await read(productId), call);
}

function undecided(subject: Subject, entitlement: Entitlement | null, reason: NothingReason): Step {
  const decision: Decision = { kind: 'nothing', reason };
  const nothing = { ...noBeginning, prices: [], sold: nothingMapped, forPerson: [], ...ofNoSubscription };
  return { subject, entitlement, pending: null, decision, ...nothing };
}

/** The session that the buyer came from, whose id a merchant's server knows; null for a subscription without one. */
async function readCheckout(
  { stripe }: StepParts,
  { id, session }: Subject,
  call: Call,
): Promise<CheckoutFacts | null> {
  if (session !== null) return session;
  const { data } = await askStripe(call, (options) =>
    stripe.checkout.sessions.list({ subscription: id, limit: 1 }, options),
  );
  return data[0] ?? null;
}

const ofNoSubscription = {
  state: null,
  isChargedWhileSuspended: false,
  left: [],
  newlySeen: null,
  unknownStatus: null,
} as const;
