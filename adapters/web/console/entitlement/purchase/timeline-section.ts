import type { EventDelivery, StripeDelivery } from '../../../../../core/purchase/deliveries.ts';
import type { TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import { countOf } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { badge } from '../../display/badge.ts';
import { dueText, momentText, secondText, timeElement } from '../../display/dates.ts';
import { hostOf, mono } from '../../display/parts.ts';
import { actorElement, type OperatorNames } from '../../events/actors.ts';
import { webhookPath } from '../../webhooks/webhook-list-page.ts';
import { clockReason, lookOf, type EventLook } from './event-title.ts';

/** The address of a page of Stripe's dashboard, such as `events/evt_1`. */
export type StripePage = (page: string) => string;

/** What happened to an entitlement: one list of its changes with their deliveries, the newest first. */
export function timelineSection(
  timeline: readonly TimelineEvent[],
  names: OperatorNames,
  stripePage: StripePage | null,
  now: Date,
): Html {
  return html`<section class="section">
    <div class="line">
      <h2>What happened</h2>
      <span class="muted small">Newest first, in UTC</span>
    </div>
    <ol class="history">
      ${timeline.map((entry) => itemOf(entry, lookOf(entry, timeline, now), names, stripePage, now))}
    </ol>
  </section>`;
}

function itemOf(
  entry: TimelineEvent,
  look: EventLook,
  names: OperatorNames,
  stripePage: StripePage | null,
  now: Date,
): Html {
  const { at, deliveries, toStripe } = entry;
  return html`<li>
    ${icon(look.icon, look.color)}
    <div>
      <div class="line"><strong dir="auto">${look.title}</strong>${timeElement(at, momentText(at, now))}</div>
      <p class="by">${madeBy(entry, names, stripePage)}</p>
      ${deliveries.length === 0 && toStripe === null ? null : deliveryList(deliveries, toStripe, now)}
    </div>
  </li>`;
}

function madeBy(
  { by, event, correlationId }: TimelineEvent,
  names: OperatorNames,
  stripePage: StripePage | null,
): Html {
  if (by === 'clock') return html`by the clock${event === null ? null : html`: ${clockReason(event)}`}`;
  return html`by
  ${actorElement(by, names)}${
    correlationId === null
      ? null
      : html` · ${by === 'stripe' ? ofStripe(correlationId, stripePage) : html`request ${mono(correlationId)}`}`
  }`;
}

/** The event that Stripe has sent, or the request in which Stripe was asked, in full: the ids of all its events begin alike. */
function ofStripe(correlationId: string, stripePage: StripePage | null): Html {
  if (!/^evt_\w+$/.test(correlationId)) return html`request ${mono(correlationId)}`;
  if (stripePage === null) return html`event ${mono(correlationId)}`;
  const href = stripePage(`events/${correlationId}`);
  return html`event <a class="mono" href="${href}" rel="noopener noreferrer">${correlationId}</a>`;
}

/** Deliveries that arrived at once are one line; each of the others has a line of its own. */
function deliveryList(deliveries: readonly EventDelivery[], toStripe: StripeDelivery | null, now: Date): Html {
  const forgotten = deliveries.filter(({ state, attempt }) => state === 'delivered' && attempt === null);
  const others = deliveries.filter((delivery) => !forgotten.includes(delivery));
  return html`<ul class="deliveries">
    ${toStripe === null ? null : stripeItem(toStripe, now)}
    ${others.map((delivery) => deliveryItem(delivery, now))}${
      forgotten.length === 0
        ? null
        : html`<li>${badge('ok', 'Delivered')}<span class="muted">${countOf(forgotten.length, 'endpoint')}</span></li>`
    }
  </ul>`;
}

/** What became of a change at Stripe. */
function stripeItem({ state, attempt, nextAt }: StripeDelivery, now: Date): Html {
  const answer = answered({ attempt });
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
    case 'arrived': {
      const detail = attempt === null ? '' : `, ${secondText(attempt.at)}, ${attempt.durationMs} ms`;
      return html`<li>${badge('ok', 'Arrived')}<span class="muted">Stripe${detail}</span></li>`;
    }
  }
}

function deliveryItem(delivery: EventDelivery, now: Date): Html {
  const { endpoint, state, attempt } = delivery;
  const host = html`<a href="${webhookPath(endpoint.id)}">${hostOf(endpoint)}</a>`;
  switch (state) {
    case 'delivered': {
      const detail = attempt === null ? '' : `, ${secondText(attempt.at)}, ${attempt.durationMs} ms`;
      return html`<li>
        ${badge('ok', String(attempt?.status ?? 'Delivered'))}<span class="muted">${host}${detail}</span>
      </li>`;
    }
    case 'waiting':
      return html`<li>
        ${badge('warn', 'Waiting')}<span class="muted"
          >${host}${answered(delivery)},
          ${endpoint.state === 'disabled' ? 'the endpoint is disabled' : nextAttempt(delivery.nextAt, now)}</span
        >
      </li>`;
    case 'failed':
      return html`<li>
        ${badge('bad', 'Failed')}<span class="muted">${host}${answered(delivery)}, waits for a manual retry</span>
      </li>`;
  }
}

function answered({ attempt }: Pick<EventDelivery, 'attempt'>): string {
  if (attempt === null) return '';
  const { status, reason } = attempt;
  return status === null ? `, ${reason ?? 'no answer'}` : `, answered ${status}`;
}

function nextAttempt(nextAt: Date | null, now: Date): string {
  if (nextAt === null) return 'behind earlier events';
  return `next attempt ${dueText(nextAt, now)}`;
}
