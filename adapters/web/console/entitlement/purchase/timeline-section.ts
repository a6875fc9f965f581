import type { TimelineEvent } from '../../../../../core/purchase/timeline.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { momentText, timeElement } from '../../display/dates.ts';
import { mono } from '../../display/parts.ts';
import { actorElement, type OperatorNames } from '../../events/actors.ts';
import { deliveryItems } from './delivery-items.ts';
import { clockReason, lookOf, type EventLook } from './event-title.ts';

/** The address of a page of Stripe's dashboard, such as `events/evt_1`. */
export type StripePage = (page: string) => string;

/** The history of an entitlement: one list of its changes with their deliveries, the newest first. */
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
  const { at } = entry;
  const items = deliveryItems(entry, now);
  return html`<li>
    ${icon(look.icon, look.color)}
    <div>
      <div class="line"><strong dir="auto">${look.title}</strong>${timeElement(at, momentText(at, now))}</div>
      <p class="by">${madeBy(entry, names, stripePage)}</p>
      ${
        items.length === 0
          ? null
          : html`<ul class="deliveries">
              ${items}
            </ul>`
      }
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
