import type { EventType } from '../../../../../core/entitlement/event/event-type.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { isForType } from '../../../../../core/webhook/webhook-endpoint.ts';
import { countOf } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { relativeText, weekdayText } from '../../display/dates.ts';
import { mono, written } from '../../display/parts.ts';
import type { AskedAction } from '../purchase/action-names.ts';
import { entitlementPath, productText } from '../state/names.ts';

/** What the page of a change says. */
export interface ChangeTexts {
  readonly question: string;
  /** A verb and a noun. */
  readonly button: string;
  /** The link back, which changes nothing. */
  readonly back: string;
  readonly isFinal: boolean;
  /** In place of "This cannot be undone." */
  readonly finality?: string;
  /** Who is affected, and how. */
  readonly consequences: readonly Html[];
  /** A milder way, or what the change does not do; null without one. */
  readonly advice: Html | null;
}

/** What the page of a change says of one entitlement. `stripeUrl` is the page of its sale at Stripe, if it is charged there. */
export function changeTexts(
  action: AskedAction,
  purchase: Purchase,
  now: Date,
  stripeUrl: string | null = null,
): ChangeTexts {
  return { isFinal: false, back: 'Leave it as it is', advice: null, ...texts[action](purchase, now, stripeUrl) };
}

type Texts = Pick<ChangeTexts, 'question' | 'button' | 'consequences'> & Partial<ChangeTexts>;

const texts: Readonly<Record<AskedAction, (purchase: Purchase, now: Date, stripeUrl: string | null) => Texts>> = {
  'change-tier': (purchase) => ({
    question: 'Change the tier?',
    button: 'Change tier',
    consequences: [
      html`${opens(purchase)} as the new tier at once. The license stays the same.`,
      ...notified(purchase, 'entitlement.tier_changed'),
    ],
  }),
  allow: (purchase) => ({
    question: 'Change the limit of devices?',
    button: 'Change the limit',
    consequences: [
      html`A smaller limit takes nobody’s seat. While more devices are used than it allows, no further one gets a seat.`,
      ...notified(purchase, 'entitlement.allowance_changed'),
    ],
  }),
  suspend: (purchase) => ({
    question: 'Suspend this entitlement?',
    button: 'Suspend entitlement',
    consequences: [
      html`${productName(purchase)} stops opening for this buyer at once. The period goes on.`,
      ...(isSubscriptionAtStripe(purchase)
        ? [
            html`<strong>Stripe collects nothing while it is suspended.</strong> An invoice that falls due meanwhile is
              voided: nobody pays without access.`,
          ]
        : []),
      ...notified(purchase, 'entitlement.suspended'),
    ],
    advice: isSubscriptionAtStripe(purchase)
      ? html`This can be undone: reinstate it, and the buyer has access and is charged again from the next period on.`
      : html`This can be undone: reinstate the entitlement, and the buyer has access again.`,
  }),
  reinstate: (purchase) => ({
    question: 'Reinstate this entitlement?',
    button: 'Reinstate entitlement',
    consequences: [
      html`${opens(purchase)} for this buyer again at once, unless it has ended meanwhile.`,
      ...notified(purchase, 'entitlement.reinstated'),
    ],
  }),
  cancel: cancellation,
  resume: (purchase) => ({
    question: 'Resume this entitlement?',
    button: 'Resume entitlement',
    consequences: [
      html`Access no longer ends by the cancellation. The entitlement can be renewed again.`,
      ...notified(purchase, 'entitlement.cancellation_undone'),
    ],
  }),
  revoke: revocation,
  'rotate-license': licenseRotation,
  'move-license': licenseMove,
  'revoke-license': licenseRevocation,
  link: (purchase) => ({
    question: 'Make a link for the buyer?',
    button: 'Make link',
    back: 'Go back',
    consequences: [
      html`Who has it sees this license of ${productName(purchase)} and its devices, and can cancel, resume and replace
      the key. Be sure that you talk to the buyer.`,
      html`It works more than once, until its time is over. It is shown once, on the next page.`,
    ],
  }),
  receipt: (purchase) => ({
    question: 'Issue an offline receipt?',
    button: 'Issue receipt',
    consequences: [
      html`It opens ${productName(purchase)} on a machine without a network until it ends, whatever happens to the
      entitlement meanwhile. It cannot be recalled.`,
    ],
  }),
};

/** Whether a change of access is one of what Stripe charges, too. */
export function isSubscriptionAtStripe({ isSoldByStripe, entitlement: { id } }: Purchase): boolean {
  return isSoldByStripe && id.startsWith('sub_');
}

function cancellation(purchase: Purchase, now: Date): Texts {
  const { id, currentPeriodEnd, graceUntil } = purchase.entitlement;
  const end = currentPeriodEnd !== null && currentPeriodEnd > now ? currentPeriodEnd : graceUntil;
  const when = end === null ? 'with its period' : `on ${weekdayText(end, now)}, ${relativeText(end, now)}`;
  return {
    question: 'Cancel at the end of the period?',
    button: 'Cancel entitlement',
    back: 'Keep it',
    consequences: [
      html`${productName(purchase)} opens for this buyer until then. Access ends ${when}.`,
      isSubscriptionAtStripe(purchase)
        ? html`<strong>Stripe charges nothing after this period.</strong>`
        : html`The entitlement cannot be renewed until you resume it.`,
      ...notified(purchase, 'entitlement.cancellation_scheduled'),
    ],
    advice: html`Until then it can be undone: <a href="${entitlementPath(id)}">the entitlement</a> offers Resume. A
      cancellation returns no money: refund it where it was paid.`,
  };
}

function revocation(purchase: Purchase, now: Date, stripeUrl: string | null): Texts {
  const { license, active, currentPeriodEnd } = purchase.entitlement;
  const rest =
    currentPeriodEnd === null || currentPeriodEnd <= now
      ? ''
      : `, ${timeLeft(currentPeriodEnd, now)} before what they paid for ends`;
  const access = active
    ? html`${productName(purchase)} stops opening for this buyer at once${rest}.`
    : html`${productName(purchase)} does not open for this buyer now, and never will again.`;
  const isAtStripe = isSubscriptionAtStripe(purchase);
  return {
    question: 'Revoke this entitlement?',
    button: 'Revoke entitlement',
    back: 'Keep it',
    isFinal: true,
    ...(isAtStripe && { finality: 'This cannot be undone, neither here nor at Stripe.' }),
    consequences: [
      access,
      ...keyAfterRevocation(license, isAtStripe),
      ...(isAtStripe
        ? [
            html`<strong>The subscription at Stripe ends at once.</strong> Stripe charges nothing more, and returns
              nothing.`,
          ]
        : []),
      ...notified(purchase, 'entitlement.ended'),
    ],
    advice: stripeUrl === null ? milderWay(purchase) : milderWayAtStripe(purchase, stripeUrl),
  };
}

/** Nobody renews by hand what Stripe renews. */
function keyAfterRevocation(license: Purchase['entitlement']['license'], isAtStripe: boolean): readonly Html[] {
  if (license === null) return isAtStripe ? [] : [html`The entitlement cannot be renewed.`];
  const never = html`${licenseName(license.lastFour)} never verifies again`;
  return [isAtStripe ? html`${never}.` : html`${never}, and the entitlement cannot be renewed.`];
}

function milderWay({ entitlement: { id }, changes, isSoldByStripe }: Purchase): Html {
  const suspension = changes.includes('suspend')
    ? html`Only want to stop access for now? <a href="${entitlementPath(id)}/suspend">Suspend it</a> instead: that can
        be undone. `
    : null;
  return html`${suspension}A revocation returns no money: refund it
  ${isSoldByStripe ? 'at Stripe' : 'where it was paid'}.`;
}

function milderWayAtStripe({ entitlement: { id }, changes }: Purchase, stripeUrl: string): Html {
  const path = entitlementPath(id);
  const suspension = changes.includes('suspend')
    ? html` Only want to stop access for now? <a href="${path}/suspend">Suspend it</a> instead.`
    : null;
  const end = changes.includes('cancel')
    ? html` Let them use what they paid for? <a href="${path}/cancel">Cancel it</a> at the end of the period.`
    : null;
  return html`To return the money, refund the payment
    <a href="${stripeUrl}" rel="noopener noreferrer">at Stripe</a>.${suspension}${end}`;
}

function licenseRotation(purchase: Purchase): Texts {
  const { license } = purchase.entitlement;
  return {
    question: 'Replace the key?',
    button: 'Replace key',
    back: 'Keep the key',
    isFinal: license !== null,
    consequences: [
      license === null
        ? html`The purchase gets a license key, which you give to the buyer.`
        : html`${licenseName(license.lastFour)} is unknown from now on. Give the new key to the buyer.`,
      html`The new key is shown once, on the next page.`,
      ...notified(purchase, 'license.rotated'),
    ],
  };
}

function licenseMove(purchase: Purchase): Texts {
  const { license } = purchase.entitlement;
  return {
    question: 'Move the license?',
    button: 'Move license',
    back: 'Keep it here',
    isFinal: true,
    consequences: [
      html`${licenseName(license?.lastFour ?? null)} opens ${productName(purchase)} by the other entitlement, so the
      apps that have the key go on.`,
      html`The license of the other entitlement is unknown from now on.`,
      ...notified(purchase, 'license.moved'),
    ],
  };
}

function licenseRevocation(purchase: Purchase): Texts {
  const { id, license } = purchase.entitlement;
  return {
    question: 'Revoke the license?',
    button: 'Revoke license',
    back: 'Keep the key',
    isFinal: true,
    consequences: [
      html`${licenseName(license?.lastFour ?? null)} never verifies again. The entitlement stays as it is.`,
      ...notified(purchase, 'license.revoked'),
    ],
    advice: html`Did the buyer lose it? <a href="${entitlementPath(id)}/rotate-license">Replace it</a> instead: that
      ends this key, too, and gives a new one.`,
  };
}

function productName({ product, entitlement }: Purchase): Html {
  return written(productText(product, entitlement.productId));
}

export function opens(purchase: Purchase): Html {
  return html`${productName(purchase)} opens`;
}

function licenseName(lastFour: string | null): Html {
  return lastFour === null ? html`The license` : html`License ending in ${mono(lastFour)}`;
}

/** "24 days". */
function timeLeft(at: Date, now: Date): string {
  return relativeText(at, now).replace(/^in /, '');
}

/** Says how many webhook endpoints get the event of the change; nothing if none does. */
export function notified({ receivers }: Purchase, type: EventType): readonly Html[] {
  const amount = receivers.filter(({ endpoint }) => endpoint.state === 'enabled' && isForType(endpoint, type)).length;
  if (amount === 0) return [];
  return [html`${countOf(amount, 'webhook endpoint')} ${amount === 1 ? 'gets' : 'get'} the event ${mono(type)}.`];
}
