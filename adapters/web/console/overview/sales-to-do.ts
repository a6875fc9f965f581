import { betweenPrices } from '../../../../core/billing/mapped-sales.ts';
import { caseKinds, type CaseKind, type StripeCase } from '../../../../core/billing/stripe-cases.port.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { lastedText, momentText, relativeText } from '../display/dates.ts';
import { mono } from '../display/parts.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { entitlementPath, listPath } from '../state/names.ts';
import {
  amountText,
  caseDetail,
  caseNames,
  changeNames,
  chargeDay,
  refusedMail,
  shownCases,
} from '../stripe/case-texts.ts';
import { stripePath } from '../stripe/stripe-routes.ts';
import type { Todo } from './todo-list.ts';

interface Links extends Pick<ConsoleParts, 'stripePage'> {
  readonly productOf: (price: string) => string | null;
}

/**
 * The sales that need a person, with one line for each kind. `cases` are the oldest, `counts` count all, and `productOf` names
 * the product of a price.
 */
export function salesToDo(
  cases: readonly StripeCase[],
  counts: ReadonlyMap<CaseKind, number>,
  { stripePage, productOf }: Links,
  now: Date,
): readonly Todo[] {
  const shown = shownCases(cases);
  return caseKinds.flatMap((kind) => {
    const ofKind = shown.filter(({ found }) => found.kind === kind);
    const [first] = ofKind;
    const counted = counts.get(kind) ?? 0;
    // The oldest cases are of other kinds. A refusal may be a part of one that is not among them.
    if (first === undefined) return counted > 0 && cases.length < total(counts) ? [ofUnread(kind, counted)] : [];
    const count = kind === 'refused_by_stripe' ? ofKind.length : Math.max(counted, ofKind.length);
    return [
      count === 1
        ? ofOne(first.found, first.isRefused, { stripePage, productOf }, now)
        : ofSeveral(
            kind,
            count,
            ofKind.map(({ found }) => found),
            now,
          ),
    ];
  });
}

function lookOf(kind: CaseKind): Pick<Todo, 'icon' | 'tone'> {
  return kind === 'not_sent' || kind === 'mail_parked'
    ? { icon: 'clock', tone: 'warn' }
    : { icon: 'card', tone: 'bad' };
}

function ofOne(found: StripeCase, isRefused: boolean, { stripePage, productOf }: Links, now: Date): Todo {
  const { id, kind, since, detail, charge } = found;
  const look = lookOf(kind);
  const sale = mono(id);
  const here = { href: entitlementPath(id), text: 'Look at it' };
  const again = charge === null ? null : html` It takes ${amountText(charge)} again on ${chargeDay(charge, now)}.`;
  const refused = isRefused ? html`${caseDetail(found, true, now)}.` : null;
  switch (kind) {
    case 'unmapped_price': {
      const [price = ''] = (detail ?? '').split(betweenPrices);
      return {
        ...look,
        says: html`A buyer has paid and has no key`,
        more: html`The price ${mono(price)} is not mapped. Since ${momentText(since, now)}. Map it with
        ${mono('latchkey stripe map add')}, and its key is made`,
        link: { href: stripePage(id, `prices/${encodeURIComponent(price)}`), text: 'Open at Stripe', isAway: true },
      };
    }
    case 'several_products':
      return {
        ...look,
        says: html`A buyer has paid for several products and has one of them`,
        more: html`Not granted of ${sale}: ${mono(detail ?? '')}. Grant each other product with the reference ${sale}`,
        link: { href: grantPath(id, productOf((detail ?? '').split(betweenPrices)[0] ?? '')), text: 'Grant' },
      };
    case 'mail_refused':
      return {
        ...look,
        says: html`${refusedMail(detail)}`,
        more: html`The buyer of ${sale}. Ask for another address, and mail it there, or copy a link.`,
        link: here,
      };
    case 'mail_parked':
      return {
        ...look,
        says: html`A mail has not been sent for ${lastedText(since, now)}: all attempts have failed`,
        more: html`To the buyer of ${sale}. ${mono('latchkey mail retry')} sends it, ${mono('latchkey mail skip')}
        leaves it out.`,
        link: here,
      };
    case 'revoked_here':
      return {
        ...look,
        says: html`${sale} is charged after its revocation`,
        more: html`${refused}${again}`,
        link: here,
      };
    case 'suspended_here':
      return { ...look, says: html`${sale} is charged while suspended`, more: html`${refused}${again}`, link: here };
    case 'paused_here':
      return {
        ...look,
        says: html`${sale} has access and is not charged: a pause of ours stays at Stripe`,
        more: html`${mono('latchkey stripe reconcile --fix')} ends it.`,
        link: here,
      };
    case 'not_sent': {
      const charged = charge === null ? null : html` Its buyer will be charged on ${chargeDay(charge, now)}.`;
      const more = html`All attempts have failed.${charged}`;
      return {
        ...look,
        says: html`A ${nameOf(found)} has not reached Stripe for ${lastedText(since, now)}`,
        more,
        link: here,
      };
    }
    case 'refused_by_stripe':
      return { ...look, says: html`Stripe has refused a ${nameOf(found)} of ${sale}`, more: words(detail), link: here };
    case 'other_product':
      return {
        ...look,
        says: html`The price of ${sale} is mapped to another product`,
        more: html`Grant a new one.`,
        link: here,
      };
    case 'other_kind':
      return {
        ...look,
        says: html`A subscription and a purchase have the id ${sale}`,
        more: html`Grant a new one.`,
        link: here,
      };
    case 'refund_failed':
      return {
        ...look,
        says: html`A refund of ${sale} failed after it revoked the purchase`,
        more: html`Grant a new one.`,
        link: here,
      };
    case 'grant_refused':
      return {
        ...look,
        says: html`${sale} could not be granted`,
        more: words(detail),
        link: { href: stripePage(id), text: 'Open at Stripe', isAway: true },
      };
    case 'differs':
      return {
        ...look,
        says: html`${sale} is not the same here and at Stripe`,
        more: html`${mono('latchkey stripe reconcile --fix')} takes over what Stripe says.`,
        link: here,
      };
  }
}

/** The form that grants one of the other products of a sale. */
function grantPath(reference: string, productId: string | null): string {
  const query = new URLSearchParams({ ...(productId !== null && { productId }), reference });
  return `${listPath}/grant?${query.toString()}`;
}

const several: Readonly<Record<CaseKind, string>> = {
  unmapped_price: 'buyers have paid and have no key',
  several_products: 'buyers have paid for several products and have one of them',
  mail_refused: 'mails to buyers could not be sent: no mailbox or no address',
  revoked_here: 'sales are charged after their revocation',
  suspended_here: 'subscriptions are charged while suspended',
  paused_here: 'subscriptions are paused at Stripe and not suspended here',
  not_sent: 'changes have not reached Stripe',
  mail_parked: 'mails to buyers have not been sent: all attempts have failed',
  refused_by_stripe: 'changes were refused by Stripe',
  other_product: 'sales have a price of another product',
  other_kind: 'sales have an id of the other kind',
  refund_failed: 'refunds failed after they revoked purchases',
  grant_refused: 'sales could not be granted',
  differs: 'sales are not the same here and at Stripe',
};

function ofSeveral(kind: CaseKind, count: number, cases: readonly StripeCase[], now: Date): Todo {
  const charges = cases.flatMap(({ charge }) => charge ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const [next] = charges;
  const oldest = cases[0]?.since ?? now;
  const more =
    next === undefined
      ? html`The first of them ${relativeText(oldest, now)}.`
      : html`The first of them again on ${chargeDay(next, now)}.`;
  return {
    ...lookOf(kind),
    says: html`${countText(count)} ${several[kind]}`,
    more,
    link: { href: stripePath, text: 'See them' },
  };
}

/** Cases of which none was read, because too many of other kinds are older. */
function ofUnread(kind: CaseKind, count: number): Todo {
  return {
    ...lookOf(kind),
    says: html`${caseNames[kind]}: ${countText(count)}`,
    more: html`They are on the last pages of the list.`,
    link: { href: stripePath, text: 'See them' },
  };
}

function total(counts: ReadonlyMap<CaseKind, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function nameOf({ change }: StripeCase): string {
  return change === null ? 'change' : changeNames[change];
}

function words(detail: string | null): Html {
  return detail === null ? html`` : html`“<bdi>${detail}</bdi>”`;
}
