import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { pageIn } from '../display/paging.ts';
import { proposed, readForm, typedIn } from '../form/form-reading.ts';
import { shown, wrongForm, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { offeredProducts } from '../products/product-choices.ts';
import { operatorNames } from './actors.ts';
import { eventListPage, eventsPath, filterFields } from './event-list-page.ts';

const rules = { product: identifierRule, type: oneOf(eventTypes), entitlement: identifierRule };

export function eventRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { findEvents } = administration;
  return [
    {
      id: 'consoleEvents',
      method: 'GET',
      path: eventsPath,
      access: 'admin:read',
      handle: async (request) => {
        const { call, query, view } = request;
        const given = new URLSearchParams(query);
        const products = await offeredProducts(administration, call);
        const reading = readForm(filterFields([], ''), rules, [], given);
        if (reading.kind === 'wrong') {
          return wrongForm(
            eventListPage(view, { state: typedIn(given, reading.mistakes), products, found: null }),
            'invalid_parameter',
          );
        }
        if (products.length === 0) return shown(eventListPage(view, { state: proposed({}), products, found: null }));
        const { product = null, type = null, entitlement = null } = reading.values;
        const filter = { productId: product, type, entitlementId: entitlement };
        const page = pageIn(given);
        const events = await findEvents(filter, page, call);
        const actors = events.items.map(({ event }) => event.by);
        const names = await operatorNames(administration, actors, request);
        const found = { filter, page: events, after: page.after, names };
        const state = proposed({ product: product ?? '', type: type ?? '', entitlement: entitlement ?? '' });
        return shown(eventListPage(view, { state, products, found }));
      },
    },
  ];
}
