import { partOfChange, type OutgoingChange } from '../../../../../core/billing/outgoing-stream.ts';
import type { HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { Payment, SentChange, StripeAnswer, StripeSale } from '../../../../../core/purchase/stripe-sale.ts';
import { badge, type Tone } from '../../../markup/badge.ts';
import { fullDayText } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { moneyText } from '../../../markup/money.ts';
import { dueText } from '../../display/dates.ts';
import { mono, type ActionLink } from '../../display/parts.ts';
import { entitlementPath } from '../../state/names.ts';
import { dayElement, momentElement } from '../../state/state-line.ts';
import { amountText, changeNames, chargeDay } from '../../stripe/case-texts.ts';
import { changeName, type ActionName } from '../actions/actions.ts';

/** The section about the sale at Stripe: its state, and whether Stripe has the changes that were made here. */
export function soldSection(purchase: Purchase, sale: StripeSale, possible: readonly ActionName[], now: Date): Html {
  const { answer, invoiceUrl, livemode, url } = sale;
  const facts = [
    ...(answer === null ? [] : [['At Stripe', stateText(answer)] as const]),
    ...(answer === null || answer.lastPayment === null
      ? []
      : [['Last payment', paymentElement(answer.lastPayment, purchase, now)] as const]),
    ...(invoiceUrl === null ? [] : [['Invoices', invoiceLink(purchase, invoiceUrl)] as const]),
    ...changeFact(purchase, sale, now),
  ];
  return html`<section class="sold" aria-labelledby="sold">
    <div class="line">
      <h2 id="sold">Sold by Stripe</h2>
      ${livemode ? null : badge('plain', 'Test mode')}<a class="button" href="${url}" rel="noopener noreferrer"
        >Open at Stripe${icon('away')}</a
      >
    </div>
    <p class="says">${statement(purchase, sale, possible, now)}</p>
    ${
      facts.length === 0
        ? null
        : html`<dl class="facts">
            ${facts.map(
              ([name, value]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}</dd>
                </div>`,
            )}
          </dl>`
    }
  </section>`;
}

function statement(
  { entitlement, why }: Purchase,
  { answer, sent, ours, difference }: StripeSale,
  possible: readonly ActionName[],
  now: Date,
): Html {
  if (answer === null) return html`Stripe does not answer now.`;
  const { next, nextAt: at, amount, currency } = answer;
  const isWaiting = ours !== null && (sent === 'pending' || sent === 'parked');
  const unknown = isWaiting ? html`Stripe does not know of the ${changeNames[ours.change]} yet.` : null;
  if (next === 'charge' && at !== null && currency !== null) {
    const money = amountText({ amount, currency });
    const day = chargeDay({ at }, now);
    if (unknown !== null) return html`${unknown} Until it does, it will charge ${money} on ${day}.`;
    if (entitlement.status === 'suspended' && why.by === 'stripe' && why.reason === 'refunded') {
      return html`Stripe still charges ${money} on ${day}. ${endIfLeft(entitlement.id, possible)}`;
    }
    if (difference !== 'revoked_here' && difference !== 'suspended_here') {
      return html`Stripe charges ${money} again on ${day}.`;
    }
    const advice =
      difference === 'revoked_here' ? 'End the subscription at Stripe.' : 'Pause its collection at Stripe.';
    return html`<strong>Stripe goes on charging.</strong> It takes ${money} again on ${day}, and the buyer gets nothing
      for it. ${advice}`;
  }
  if (unknown !== null) return unknown;
  if (difference === 'several_products') {
    return html`<strong>The buyer has paid for other products, too</strong>, which are not granted. Grant each with the
      reference ${mono(entitlement.id)}.`;
  }
  if (difference === 'paused_here') {
    return html`<strong>Stripe collects nothing</strong>, though the subscription is not suspended: a pause of ours is
      left there. End it at Stripe, or with ${mono('latchkey stripe reconcile --fix')}.`;
  }
  if (answer.isPaused && next === 'none') {
    return html`Stripe collects nothing while it is ${entitlement.status === 'suspended' ? 'suspended' : 'paused'}.`;
  }
  return html`Stripe charges nothing more.`;
}

function endIfLeft(id: string, possible: readonly ActionName[]): Html | null {
  if (!possible.includes('revoke')) return null;
  return html`<a href="${entitlementPath(id)}/revoke">End the subscription</a> if the buyer has left.`;
}

/** Stripe's next step, beside a question: "US$9.00 again on 25 December 2026". */
export function nextAtStripe({ answer }: StripeSale): string {
  if (answer === null) return 'Stripe does not answer now';
  const { next, nextAt: at, amount, currency, isPaused } = answer;
  if (next === 'charge' && at !== null && currency !== null) {
    return `${capitalized(amountText({ amount, currency }))} again on ${fullDayText(at)}`;
  }
  return isPaused ? 'Nothing is collected' : 'Nothing more is charged';
}

function stateText({ status, amount, currency, interval }: StripeAnswer): Html {
  const price = amount === null || currency === null ? null : moneyText(amount, currency);
  const every = interval === null ? '' : ` ${intervalText(interval)}`;
  return html`${badge(tones[status] ?? 'over', nameOf(status))} ${price === null ? null : `${price}${every}`}`;
}

const tones: Readonly<Partial<Record<string, Tone>>> = {
  active: 'ok',
  paid: 'ok',
  no_payment_required: 'ok',
  trialing: 'info',
  past_due: 'warn',
  unpaid: 'warn',
  disputed: 'warn',
  paused: 'paused',
  refunded: 'bad',
  canceled: 'bad',
};

/** "Past due" for `past_due`. */
function nameOf(status: string): string {
  return capitalized(status.replaceAll('_', ' '));
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function intervalText({ billingInterval, billingIntervalCount: count }: NonNullable<StripeAnswer['interval']>): string {
  return count === 1 ? `a ${billingInterval}` : `every ${count} ${billingInterval}s`;
}

/** The outcome of the payment counts more than its time. */
function paymentElement(payment: Payment, { entitlement }: Purchase, now: Date): Html {
  const { at, amount, currency, refunded, refundedAt, dispute } = payment;
  const paid = moneyText(amount, currency);
  const day = dayElement(at, now);
  if (dispute === 'lost') return html`${badge('bad', 'Dispute lost')} ${paid} of ${day}`;
  if (dispute === 'open') return html`${badge('warn', 'Disputed')} ${paid} of ${day}. Answer it at Stripe.`;
  if (refunded > 0) {
    const moment = refundedAt === null ? null : html`, ${momentElement(refundedAt, now)}`;
    const returned = html`${moneyText(refunded, currency)} of ${paid}${moment}`;
    return refunded >= amount
      ? html`${badge('warn', 'Refunded')} ${returned}`
      : html`${badge('warn', 'Partly refunded')} ${returned}. Access goes on.`;
  }
  const { status, endedAt } = entitlement;
  const isLate = status === 'revoked' && endedAt !== null && at > endedAt;
  return html`${paid} on ${day}${isLate ? ', after the revocation' : null}`;
}

/** Where the document is that the buyer may be sent. */
function invoiceLink({ entitlement: { id } }: Purchase, invoiceUrl: string): Html {
  const name = id.startsWith('sub_') ? 'Latest at Stripe' : 'Receipt';
  return html`<a href="${invoiceUrl}" rel="noopener noreferrer">${name}</a>
    <span class="muted">to send to the buyer</span>`;
}

function changeFact(
  purchase: Purchase,
  { sent, ours, refusal }: StripeSale,
  now: Date,
): readonly (readonly [string, Html])[] {
  const change = ours?.change ?? arrivedChange(purchase);
  if (change === null) return [];
  const name = `Our ${changeNames[change]}`;
  switch (sent) {
    case 'agreed':
      return [[name, badge('ok', 'Arrived')]];
    case 'pending':
      return [[name, html`${badge('warn', 'On its way')} ${ours === null ? null : attemptText(ours, now)}`]];
    case 'parked':
      return [[name, html`${badge('bad', 'Parked')} all attempts have failed`]];
    case 'refused':
      return [[name, html`${badge('bad', 'Refused')} ${refusal === null ? null : html`“<bdi>${refusal}</bdi>”`}`]];
  }
}

function attemptText({ tried, attempt, nextAt }: SentChange, now: Date): string {
  const times = tried === 0 ? [] : [tried === 1 ? 'tried once' : tried === 2 ? 'tried twice' : `tried ${tried} times`];
  const answered =
    attempt === null ? [] : [attempt.status === null ? 'Stripe did not answer' : `Stripe answered ${attempt.status}`];
  const next = nextAt === null ? [] : [`next attempt ${dueText(nextAt, now)}`];
  return [...times, ...(tried === 0 ? [] : answered), ...next].join(', ');
}

const changesOf: Readonly<Partial<Record<HistoryOperation, OutgoingChange>>> = {
  cancellation_scheduled: 'cancellation',
  cancellation_undone: 'resumption',
  suspended: 'suspension',
  reinstated: 'reinstatement',
  revoked: 'revocation',
};

/** The last change of a subscription, if it was made here; null if Stripe has made it. */
function arrivedChange({ entitlement: { id }, timeline }: Purchase): OutgoingChange | null {
  if (!id.startsWith('sub_')) return null;
  const last = timeline.find(({ operation }) => operation !== null && changesOf[operation] !== undefined);
  if (last === undefined || last.operation === null || last.by === 'stripe') return null;
  return changesOf[last.operation] ?? null;
}

/** The links to changes that are made at Stripe and not here. Each page but the first says how. */
export function stripeLinks(
  { entitlement: { id, status }, stripesChanges }: Purchase,
  { url, sent, ours }: StripeSale,
  possible: readonly ActionName[],
): readonly ActionLink[] {
  if (!id.startsWith('sub_') || possible.length === 0) return [];
  const isRefusedEnd = sent === 'refused' && ours !== null && partOfChange[ours.change] === 'end';
  if (isRefusedEnd) {
    return [
      { href: url, name: 'End the subscription', effect: 'Stripe has refused it to us: do it there', isAway: true },
    ];
  }
  if (status === 'revoked') return [];
  return stripesChanges.map(changeName).flatMap((name) => {
    const title = titlesAtStripe[name];
    return title === undefined
      ? []
      : [{ href: `${entitlementPath(id)}/${name}`, name: title, effect: 'Three steps at Stripe' }];
  });
}

/** The operators' names of the changes that Stripe decides. */
const titlesAtStripe: Readonly<Partial<Record<ActionName, string>>> = {
  extend: 'A week more',
  'change-tier': 'Another tier',
  allow: 'Another number of devices',
};
