import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { maxPageSize } from '../../../../core/paging/page.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { proposed, readForm, typedIn } from '../display/form-reading.ts';
import { pageIn } from '../display/paging.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { wrongForm } from '../frame/refused-form.ts';
import { eventListPage, eventsPath } from './event-list-page.ts';

const rules = { product: identifierRule, type: oneOf(eventTypes), entitlement: identifierRule };

export function eventRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { findEvents, listProducts } = administration;
  return [
    {
      id: 'consoleEvents',
      method: 'GET',
      path: eventsPath,
      access: 'admin:read',
      handle: async ({ call, query }) => {
        const given = new URLSearchParams(query);
        const { items: products } = await listProducts({ after: null, limit: maxPageSize }, call);
        const reading = readForm(rules, [], given);
        if (reading.kind === 'wrong') {
          return wrongForm(
            eventListPage({ state: typedIn(given, reading.mistakes), products, found: null }),
            'invalid_parameter',
          );
        }
        const { product = products[0]?.id, type = null, entitlement = null } = reading.values;
        if (product === undefined) return shown(eventListPage({ state: proposed({}), products, found: null }));
        const filter = { productId: product, type, entitlementId: entitlement };
        const page = pageIn(given);
        const found = { filter, page: await findEvents(filter, page, call), after: page.after };
        const state = proposed({ product, type: type ?? '', entitlement: entitlement ?? '' });
        return shown(eventListPage({ state, products, found }));
      },
    },
  ];
}
