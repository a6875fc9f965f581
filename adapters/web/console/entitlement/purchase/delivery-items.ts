import type { EventDelivery, MailDelivery, StripeDelivery } from '../../../../../core/purchase/deliveries.ts';
import type { TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import { badge } from '../../../markup/badge.ts';
import { countOf } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { dueText, secondText } from '../../display/dates.ts';
import { hostOf, mono } from '../../display/parts.ts';
import { webhookPath } from '../../webhooks/webhook-list-page.ts';

/** The outcome of an event. Deliveries that arrived at once are one line; each of the others has a line of its own. */
export function deliveryItems(
  { deliveries, toStripe, byMail }: Pick<TimelineEvent, 'deliveries' | 'toStripe' | 'byMail'>,
  now: Date,
): readonly Html[] {
  const forgotten = deliveries.filter(({ state, attempt }) => state === 'delivered' && attempt === null);
  const others = deliveries.filter((delivery) => !forgotten.includes(delivery));
  return [
    ...(toStripe === null ? [] : [stripeItem(toStripe, now)]),
    ...(byMail === null ? [] : [mailItem(byMail, now)]),
    ...others.map((delivery) => deliveryItem(delivery, now)),
    ...(forgotten.length === 0
      ? []
      : [
          html`<li>${badge('ok', 'Delivered')}<span class="muted">${countOf(forgotten.length, 'endpoint')}</span></li>`,
        ]),
  ];
}

const mailed = {
  grant: { done: 'Key mailed', not: 'Key not mailed' },
  replaced: { done: 'Notice mailed', not: 'Notice not mailed' },
  ending: { done: 'End mailed', not: 'End not mailed' },
} as const satisfies Readonly<Record<MailDelivery['kind'], object>>;

/** Why a mail was not sent, and is not tried again. */
export const unmailed: Readonly<Record<Exclude<MailDelivery['state'], 'waiting' | 'parked' | 'sent'>, string>> = {
  refused: 'the mail server knows no such mailbox',
  no_address: 'Stripe has no address of the buyer',
  keys_not_mailed: 'the keys of the product are not mailed',
  no_license: 'the entitlement had no license',
  license_replaced: 'the key was replaced before',
  license_revoked: 'the license was revoked before',
  entitlement_ended: 'the entitlement had ended before',
  not_sold_by_stripe: 'Stripe does not sell it',
  ending_not_mailed: 'the product mails no ends',
  end_has_moved: 'access ends at another time, or was taken, before',
};

/** The outcome of the mail of an event. */
function mailItem({ kind, state, attempt, nextAt }: MailDelivery, now: Date): Html {
  const { done, not } = mailed[kind];
  switch (state) {
    case 'waiting':
      return html`<li>
        ${badge('warn', 'Waiting')}<span class="muted">Mail${answered(attempt)}, ${nextAttempt(nextAt, now)}</span>
      </li>`;
    case 'parked':
      return html`<li>
        ${badge('bad', not)}<span class="muted"
          >Mail${answered(attempt)}, waits for ${mono('latchkey mail retry')}</span
        >
      </li>`;
    case 'sent':
      return html`<li>${badge('ok', done)}<span class="muted">Mail${arrival(attempt)}</span></li>`;
    case 'refused':
    case 'no_address':
      return html`<li>${badge('bad', not)}<span class="muted">Mail, ${unmailed[state]}</span></li>`;
    case 'keys_not_mailed':
    case 'no_license':
    case 'license_replaced':
    case 'license_revoked':
    case 'entitlement_ended':
    case 'not_sold_by_stripe':
    case 'ending_not_mailed':
    case 'end_has_moved':
      return html`<li>${badge('over', not)}<span class="muted">Mail, ${unmailed[state]}</span></li>`;
  }
}

/** The outcome of a change at Stripe. */
function stripeItem({ state, attempt, nextAt }: StripeDelivery, now: Date): Html {
  const answer = answered(attempt);
  switch (state) {
    case 'waiting':
      return html`<li>
        ${badge('warn', 'Waiting')}<span class="muted">Stripe${answer}, ${nextAttempt(nextAt, now)}</span>
      </li>`;
    case 'parked':
      return html`<li>
        ${badge('bad', 'Parked')}<span class="muted"
          >Stripe${answer}, waits for ${mono('latchkey stripe reconcile --fix')}</span
        >
      </li>`;
    case 'refused':
      return html`<li>${badge('bad', 'Refused')}<span class="muted">Stripe${answer}</span></li>`;
    case 'dropped':
      return html`<li>
        ${badge('over', 'Dropped')}<span class="muted">Stripe, the buyer has canceled there since</span>
      </li>`;
    case 'arrived':
      return html`<li>${badge('ok', 'Arrived')}<span class="muted">Stripe${arrival(attempt)}</span></li>`;
  }
}

function deliveryItem(delivery: EventDelivery, now: Date): Html {
  const { endpoint, state, attempt } = delivery;
  const host = html`<a href="${webhookPath(endpoint.id)}">${hostOf(endpoint)}</a>`;
  switch (state) {
    case 'delivered':
      return html`<li>
        ${badge('ok', String(attempt?.status ?? 'Delivered'))}<span class="muted">${host}${arrival(attempt)}</span>
      </li>`;
    case 'waiting':
      return html`<li>
        ${badge('warn', 'Waiting')}<span class="muted"
          >${host}${answered(attempt)},
          ${endpoint.state === 'disabled' ? 'the endpoint is disabled' : nextAttempt(delivery.nextAt, now)}</span
        >
      </li>`;
    case 'failed':
      return html`<li>
        ${badge('bad', 'Failed')}<span class="muted">${host}${answered(attempt)}, waits for a manual retry</span>
      </li>`;
  }
}

/** When an attempt has succeeded, and how long it took. */
function arrival(attempt: EventDelivery['attempt']): string {
  return attempt === null ? '' : `, ${secondText(attempt.at)}, ${attempt.durationMs} ms`;
}

/** The outcome of the last attempt. */
function answered(attempt: EventDelivery['attempt']): string {
  if (attempt === null) return '';
  const { status, reason } = attempt;
  return status === null ? `, ${reason ?? 'no answer'}` : `, answered ${status}`;
}

function nextAttempt(nextAt: Date | null, now: Date): string {
  if (nextAt === null) return 'behind earlier events';
  return `next attempt ${dueText(nextAt, now)}`;
}
