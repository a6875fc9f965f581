import type { PlacedEvent } from '../../../../core/feed/events.port.ts';
import type { EventFilter } from '../../../../core/feed/find-events.ts';
import { defaultPageSize, type Page } from '../../../../core/paging/page.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { html, type Html } from '../../markup/html.ts';
import { preciseInstant } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty } from '../display/parts.ts';
import { table } from '../display/table.ts';
import type { PageContent } from '../display/view.ts';
import { entitlementPath } from '../entitlement/state/names.ts';
import type { Field, FormState } from '../form/fields.ts';
import { foldedFilter, listPage } from '../list/list-page.ts';
import { productChoices } from '../products/product-choices.ts';
import { actorElement, type OperatorNames } from './actors.ts';
import { eventNames } from './event-names.ts';

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
    readonly names: OperatorNames;
  } | null;
}

/** The events of a product, the newest first. */
export function eventListPage({ state, products, found }: EventListPart): PageContent {
  const title = {
    title: 'Events',
    says: 'Every change of an entitlement, including those made by the clock, as webhooks and the feed report it.',
  };
  if (products.length === 0) return headedPage(title, emptyPart());
  return listPage({
    ...title,
    number: null,
    filter: foldedFilter({
      path: eventsPath,
      fields: filterFields(products, state.typed('product')),
      state,
      button: 'Filter',
      clear: isNarrowed(found) ? eventsPath : null,
    }),
    content: found === null ? html`` : eventsOrNone(found),
    foot: found === null ? null : `Newest first. ${defaultPageSize} on a page.`,
    pages:
      found === null ? null : pageLinks(eventsPath, filterOf(found.filter), found.after, found.page.next, 'buttons'),
  });
}

/** Whether it is a part of the events of a product. */
function isNarrowed(found: EventListPart['found']): boolean {
  return found !== null && (found.filter.type !== null || found.filter.entitlementId !== null);
}

/** The fields of the filter. */
export function filterFields(products: readonly Product[], chosen: string): readonly Field[] {
  return [
    { name: 'product', label: 'Product', input: { one: productChoices(products, chosen) } },
    { name: 'type', label: 'Type', input: { one: [['', 'Any type'], ...Object.entries(eventNames)] } },
    { name: 'entitlement', label: 'Entitlement', input: 'code', maxLength: 128 },
  ];
}

function emptyPart(): Html {
  return empty('events', 'No event yet', 'Events begin with the first entitlement of a product. Add a product first.', {
    link: null,
    command: 'latchkey product add --id sketchpad --name Sketchpad',
  });
}

function filterOf({ productId, type, entitlementId }: EventFilter): URLSearchParams {
  return new URLSearchParams({
    product: productId,
    ...(type !== null && { type }),
    ...(entitlementId !== null && { entitlement: entitlementId }),
  });
}

function eventsOrNone({ page: { items, next }, names }: NonNullable<EventListPart['found']>): Html {
  return items.length === 0 ? nothingFound(next) : eventTable(items, names);
}

function nothingFound(next: string | null): Html {
  return next === null
    ? html`<p class="muted">There is no such event.</p>`
    : html`<p class="muted">
        There is no such event among the 2,000 that were read. Older ones follow on the next page.
      </p>`;
}

function eventTable(items: readonly PlacedEvent[], names: OperatorNames): Html {
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
          html`<a class="row mono" href="${entitlementPath(entitlement.id)}">${entitlement.id}</a>`,
      },
      { heading: 'By', cell: ({ event }) => actorElement(event.by, names) },
      { heading: 'When', atEnd: true, isMuted: true, cell: ({ event }) => preciseInstant(event.at) },
    ],
    items,
  );
}
