import type { OutgoingChange } from '../../../../core/billing/outgoing-stream.ts';
import type { CaseKind, NextCharge, StripeCase } from '../../../../core/billing/stripe-cases.port.ts';
import type { EventMailKind } from '../../../../core/mail/mailing.ts';
import { html, type Html } from '../../markup/html.ts';
import { moneyText } from '../../markup/money.ts';
import { dayText, timeElement } from '../display/dates.ts';
import { mono } from '../display/parts.ts';

/** The name of each kind of case in the list. */
export const caseNames: Readonly<Record<CaseKind, string>> = {
  unmapped_price: 'Paid, price not mapped',
  several_products: 'Paid for several products',
  mail_refused: 'Not mailed',
  revoked_here: 'Charged after its revocation',
  suspended_here: 'Charged while suspended',
  paused_here: 'Paused, though not suspended',
  not_sent: 'Change parked',
  mail_parked: 'Mail parked',
  refused_by_stripe: 'Refused by Stripe',
  other_product: 'Price of another product',
  other_kind: 'Subscription and purchase with one id',
  refund_failed: 'Refund failed after the revocation',
  grant_refused: 'Not granted',
  differs: 'Not the same here and at Stripe',
};

/** A change of ours, as texts name it. */
export const changeNames: Readonly<Record<OutgoingChange, string>> = {
  cancellation: 'cancellation',
  resumption: 'resumption',
  revocation: 'revocation',
  suspension: 'suspension',
  reinstatement: 'reinstatement',
};

/** "US$9.00", or "the price" where the amount is not known. */
export function amountText({ amount, currency }: Pick<NextCharge, 'amount' | 'currency'>): string {
  return amount === null ? 'the price' : moneyText(amount, currency);
}

export function chargeDay({ at }: Pick<NextCharge, 'at'>, now: Date): Html {
  return timeElement(at, dayText(at, now));
}

const mails: Readonly<Record<EventMailKind, string>> = {
  grant: 'A key',
  replaced: 'A notice of another key',
  ending: 'A notice of an end',
};

/** Which mail was not taken, and why. */
export function refusedMail(detail: string | null): string {
  const [kind = '', outcome] = (detail ?? '').split(' ');
  const mail = Object.entries(mails).find(([each]) => each === kind)?.[1] ?? mails.grant;
  const why = outcome === 'no_address' ? 'Stripe has no address of the buyer' : 'the mail server knows no such mailbox';
  return `${mail} could not be mailed: ${why}`;
}

/** The text below the name of a case. `isRefused`: Stripe has refused to settle it. */
export function caseDetail({ kind, detail, charge }: StripeCase, isRefused: boolean, now: Date): Html | null {
  if (isRefused) return html`Stripe has refused to ${kind === 'revoked_here' ? 'end' : 'pause'} it`;
  if (kind === 'mail_refused') return html`${refusedMail(detail)}`;
  if (kind === 'not_sent' || kind === 'mail_parked') return html`All attempts have failed`;
  if (kind === 'paused_here') return html`Stripe collects nothing`;
  if (kind === 'unmapped_price' || kind === 'several_products' || kind === 'other_product') {
    return detail === null ? null : mono(detail);
  }
  if (charge !== null) return html`Again ${amountText(charge)} on ${chargeDay(charge, now)}`;
  return detail === null ? null : html`<bdi>${detail}</bdi>`;
}

/** The cases that are shown, each with whether Stripe has refused to settle it: a refusal is a part of what it has left. */
export function shownCases(
  cases: readonly StripeCase[],
): readonly { readonly found: StripeCase; readonly isRefused: boolean }[] {
  const refused = new Set(cases.filter(({ kind }) => kind === 'refused_by_stripe').map(({ id }) => id));
  const charged = new Set(cases.filter(isCharge).map(({ id }) => id));
  return cases
    .filter(({ kind, id }) => kind !== 'refused_by_stripe' || !charged.has(id))
    .map((found) => ({ found, isRefused: isCharge(found) && refused.has(found.id) }));
}

function isCharge({ kind }: StripeCase): boolean {
  return kind === 'revoked_here' || kind === 'suspended_here';
}
