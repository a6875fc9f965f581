import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { html, type Html } from '../../../markup/html.ts';
import { relativeText, weekdayText } from '../../display/dates.ts';
import { entitlementPath } from '../../state/names.ts';
import type { AskedAction, AskTexts } from './action.ts';
import { isSubscriptionAtStripe, licenseName, notified, opens, productName } from './purchase-texts.ts';

/** The actions that stop access and give it again. The charges at Stripe follow them. */
export const accessActions: Readonly<Record<'suspend' | 'reinstate' | 'cancel' | 'resume' | 'revoke', AskedAction>> = {
  suspend: {
    title: 'Suspend',
    page: 'SuspendEntitlement',
    operation: 'suspended',
    done: 'The entitlement was suspended.',
    effect: () => 'Stop access until you reinstate it',
    atStripe: 'Stop access; Stripe collects nothing meanwhile',
    texts: suspension,
  },
  reinstate: {
    title: 'Reinstate',
    page: 'ReinstateEntitlement',
    operation: 'reinstated',
    done: 'The entitlement was reinstated.',
    effect: () => 'Give the buyer access again',
    atStripe: 'Give access again; Stripe collects again',
    texts: (purchase) => ({
      question: 'Reinstate this entitlement?',
      button: 'Reinstate entitlement',
      consequences: [
        html`${opens(purchase)} for this buyer again at once, unless it has ended meanwhile.`,
        ...notified(purchase, 'entitlement.reinstated'),
      ],
    }),
  },
  cancel: {
    title: 'Cancel at period end',
    page: 'CancelEntitlement',
    operation: 'cancellation_scheduled',
    done: 'The cancellation was scheduled.',
    effect: () => 'Access goes on until the period ends',
    atStripe: 'Stripe charges nothing after this period',
    texts: cancellation,
  },
  resume: {
    title: 'Resume',
    page: 'ResumeEntitlement',
    operation: 'cancellation_undone',
    done: 'The cancellation was undone.',
    effect: () => 'Undo the scheduled cancellation',
    atStripe: 'Undo the cancellation, here and at Stripe',
    texts: (purchase) => ({
      question: 'Resume this entitlement?',
      button: 'Resume entitlement',
      consequences: [
        html`Access no longer ends by the cancellation. The entitlement can be renewed again.`,
        ...notified(purchase, 'entitlement.cancellation_undone'),
      ],
    }),
  },
  revoke: {
    title: 'Revoke',
    page: 'RevokeEntitlement',
    operation: 'revoked',
    done: 'The entitlement was revoked.',
    effect: () => 'End access for good',
    atStripe: 'End access and the subscription at Stripe',
    texts: revocation,
  },
};

function suspension(purchase: Purchase): AskTexts {
  const isAtStripe = isSubscriptionAtStripe(purchase);
  return {
    question: 'Suspend this entitlement?',
    button: 'Suspend entitlement',
    consequences: [
      html`${productName(purchase)} stops opening for this buyer at once. The period goes on.`,
      ...(isAtStripe
        ? [
            html`<strong>Stripe collects nothing while it is suspended.</strong> An invoice that falls due meanwhile is
              voided: nobody pays without access.`,
          ]
        : []),
      ...notified(purchase, 'entitlement.suspended'),
    ],
    advice: isAtStripe
      ? html`This can be undone: reinstate it, and the buyer has access and is charged again from the next period on.`
      : html`This can be undone: reinstate the entitlement, and the buyer has access again.`,
  };
}

function cancellation(purchase: Purchase, now: Date): AskTexts {
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

function revocation(purchase: Purchase, now: Date, stripeUrl: string | null): AskTexts {
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
  const milder = changes.includes('suspend')
    ? html`Only want to stop access for now? <a href="${entitlementPath(id)}/suspend">Suspend it</a> instead: that can
        be undone. `
    : null;
  return html`${milder}A revocation returns no money: refund it ${isSoldByStripe ? 'at Stripe' : 'where it was paid'}.`;
}

function milderWayAtStripe({ entitlement: { id }, changes }: Purchase, stripeUrl: string): Html {
  const path = entitlementPath(id);
  const milder = changes.includes('suspend')
    ? html` Only want to stop access for now? <a href="${path}/suspend">Suspend it</a> instead.`
    : null;
  const end = changes.includes('cancel')
    ? html` Let them use what they paid for? <a href="${path}/cancel">Cancel it</a> at the end of the period.`
    : null;
  return html`To return the money, refund the payment
    <a href="${stripeUrl}" rel="noopener noreferrer">at Stripe</a>.${milder}${end}`;
}

/** "24 days". */
function timeLeft(at: Date, now: Date): string {
  return relativeText(at, now).replace(/^in /, '');
}
