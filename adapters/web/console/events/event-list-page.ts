import type { PlacedEvent } from '../../../../core/feed/events.port.ts';
import type { EventFilter, EventsPage } from '../../../../core/feed/find-events.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import type { Product } from '../../../../core/product/products.port.ts';
import { html, type Html } from '../../markup/html.ts';
import { table, type Column } from '../../markup/table.ts';
import { preciseInstant } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, mono } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import type { Field, FormState } from '../form/fields.ts';
import { foldedFilter, listPage } from '../list/list-page.ts';
import { productChoices } from '../products/product-choices.ts';
import { entitlementPath } from '../state/names.ts';
import { actorElement, type OperatorNames } from './actors.ts';
import { eventNames } from './event-names.ts';

export const eventsPath = '/console/events';

/** The content of the page of events. */
export interface EventListPart {
  readonly state: FormState;
  readonly products: readonly Product[];
  /** Null if the form has a mistake, or if there is no product. */
  readonly found: {
    readonly filter: EventFilter;
    readonly page: EventsPage;
    readonly after: string | null;
    readonly names: OperatorNames;
  } | null;
}

/** The events of all products or of one, the newest first. */
export function eventListPage(view: PageView, { state, products, found }: EventListPart): PageContent {
  const title = {
    title: 'Events',
    says: 'Every change of an entitlement, including those made by the clock, as webhooks and the feed report it.',
  };
  if (products.length === 0) return headedPage(title, emptyPart(view));
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
    content: found === null ? html`` : eventsOrNone(found, found.filter.productId === null && products.length > 1),
    foot: found === null ? null : footText(found.page),
    pages:
      found === null ? null : pageLinks(eventsPath, filterOf(found.filter), found.after, found.page.next, 'buttons'),
  });
}

/** Whether it is a part of all events. */
function isNarrowed(found: EventListPart['found']): boolean {
  return found !== null && Object.values(found.filter).some((wanted) => wanted !== null);
}

function footText({ isCut }: EventsPage): string {
  const order = `Newest first. ${defaultPageSize} on a page.`;
  return isCut ? `${order} Choose a product to see older ones.` : order;
}

/** The fields of the filter. */
export function filterFields(products: readonly Product[], chosen: string): readonly Field[] {
  return [
    { name: 'product', label: 'Product', input: { one: [['', 'All products'], ...productChoices(products, chosen)] } },
    { name: 'type', label: 'Type', input: { one: [['', 'Any type'], ...Object.entries(eventNames)] } },
    { name: 'entitlement', label: 'Entitlement', input: 'code', maxLength: 128 },
  ];
}

function emptyPart(view: PageView): Html {
  return empty(
    view,
    'events',
    'No event yet',
    'Events begin with the first entitlement of a product. Add a product first.',
    {
      link: null,
      command: 'latchkey product add --id sketchpad --name Sketchpad',
    },
  );
}

function filterOf({ productId, type, entitlementId }: EventFilter): URLSearchParams {
  return new URLSearchParams({
    ...(productId !== null && { product: productId }),
    ...(type !== null && { type }),
    ...(entitlementId !== null && { entitlement: entitlementId }),
  });
}

function eventsOrNone({ page, names }: NonNullable<EventListPart['found']>, ofSeveral: boolean): Html {
  return page.items.length === 0 ? nothingFound(page.next) : eventTable(page.items, names, ofSeveral);
}

function nothingFound(next: string | null): Html {
  return next === null
    ? html`<p class="muted">There is no such event.</p>`
    : html`<p class="muted">
        There is no such event among the 2,000 that were read. Older ones follow on the next page.
      </p>`;
}

function eventTable(items: readonly PlacedEvent[], names: OperatorNames, ofSeveral: boolean): Html {
  const product: Column<PlacedEvent> = {
    heading: 'Product',
    cell: ({ event: { entitlement } }) => mono(entitlement.productId),
  };
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
      ...(ofSeveral ? [product] : []),
      { heading: 'By', cell: ({ event }) => actorElement(event.by, names) },
      { heading: 'When', atEnd: true, isMuted: true, cell: ({ event }) => preciseInstant(event.at) },
    ],
    items,
  );
}
