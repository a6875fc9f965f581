import type { PlacedEvent } from '../../../../core/feed/events.port.ts';
import type { EventFilter } from '../../../../core/feed/find-events.ts';
import type { Page } from '../../../../core/paging/page.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { html, type Html } from '../../markup/html.ts';
import { selectField, textField, type FormState } from '../display/fields.ts';
import { icon } from '../display/icons.ts';
import { preciseInstant } from '../display/instants.ts';
import { pageLinks } from '../display/pages.ts';
import { empty } from '../display/parts.ts';
import { table } from '../display/table.ts';
import type { PageContent } from '../display/view.ts';
import { actorText, eventNames } from './event-names.ts';

export const eventsPath = '/console/events';

/** What stands on the page of events. */
export interface EventListPart {
  readonly state: FormState;
  readonly products: readonly Product[];
  /** Null if the form has a mistake, or if there is no product. */
  readonly found: {
    readonly filter: EventFilter;
    readonly page: Page<PlacedEvent>;
    readonly after: string | null;
  } | null;
}

/** The events of a product, the newest first. */
export function eventListPage({ state, products, found }: EventListPart): PageContent {
  return {
    title: 'Events',
    main: html`<div class="page">
      <div class="title">
        <div class="line"><h1>Events</h1></div>
        <p>Every change of an entitlement, also by the clock, as webhooks and the feed report it.</p>
      </div>
      ${products.length === 0 ? null : filterForm(state, products)}
      ${found === null ? emptyPart(products) : eventSection(found)}
    </div>`,
  };
}

function filterForm(state: FormState, products: readonly Product[]): Html {
  const choices = products.map(({ id, name }) => [id, name === id ? id : `${name} (${id})`] as const);
  const known = products.some(({ id }) => id === state.typed('product'));
  const typed = state.typed('product');
  return html`<details class="more fold" ${state.mistakes.size > 0 ? html` open` : null}>
    <summary>${icon('filter')}Filter</summary>
    <form class="toolbar" method="get" action="${eventsPath}">
      ${selectField(state, { name: 'product', label: 'Product' }, known || typed === '' ? choices : [...choices, [typed, typed]])}
      ${selectField(state, { name: 'type', label: 'Type' }, [['', 'Any type'], ...Object.entries(eventNames)])}
      ${textField(
        state,
        { name: 'entitlement', label: 'Entitlement' },
        html` class="mono" maxlength="128" autocomplete="off" spellcheck="false"`,
      )}
      <div class="buttons"><button class="button">Filter</button></div>
    </form>
  </details>`;
}

function emptyPart(products: readonly Product[]): Html | null {
  if (products.length > 0) return null;
  return empty('events', 'No event yet', 'Events begin with the first entitlement of a product. Add a product first.', {
    link: null,
    command: 'latchkey product add --id sketchpad --name Sketchpad',
  });
}

function eventSection({ filter, page: { items, next }, after }: NonNullable<EventListPart['found']>): Html {
  const { productId, type, entitlementId } = filter;
  const filters = new URLSearchParams({
    product: productId,
    ...(type !== null && { type }),
    ...(entitlementId !== null && { entitlement: entitlementId }),
  });
  return html`<section class="section">
    ${items.length === 0 ? nothingFound(next) : eventTable(items)} ${pageLinks(eventsPath, filters, after, next)}
  </section>`;
}

function nothingFound(next: string | null): Html {
  return next === null
    ? html`<p class="muted">There is no such event.</p>`
    : html`<p class="muted">
        There is no such event among the 2,000 that were read. Older ones follow on the next page.
      </p>`;
}

function eventTable(items: readonly PlacedEvent[]): Html {
  return table(
    'Events, the newest first',
    [
      {
        heading: 'Event',
        cell: ({ event }) => html`${eventNames[event.type]}<span class="sub mono">${event.id}</span>`,
      },
      {
        heading: 'Entitlement',
        cell: ({ event: { entitlement } }) =>
          html`<a class="row mono" href="/console/entitlements/${entitlement.id}">${entitlement.id}</a>`,
      },
      { heading: 'By', cell: ({ event }) => actorText(event.by) },
      { heading: 'When', atEnd: true, isMuted: true, cell: ({ event }) => preciseInstant(event.at) },
    ],
    items,
  );
}
