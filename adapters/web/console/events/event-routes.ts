import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import { pageIn } from '../display/paging.ts';
import { proposed, readForm, typedIn } from '../form/form-reading.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { wrongForm } from '../frame/refused-form.ts';
import { offeredProducts } from '../products/product-choices.ts';
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
      handle: async ({ call, query }) => {
        const given = new URLSearchParams(query);
        const products = await offeredProducts(administration, call);
        const reading = readForm(filterFields([], ''), rules, [], given);
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
