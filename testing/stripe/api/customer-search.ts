import { integerOf, textOf } from './parameters.ts';
import { refusals } from './refusals.ts';
import type { Route } from './route.ts';

/** Finds customers by their address, in any case, the newest first. It has no other query. */
export const searchCustomers: Route = {
  method: 'GET',
  path: '/v1/customers/search',
  permission: 'customer',
  parameters: ['expand[*]', 'query', 'limit', 'page'],
  answer: ({ ledger, parameters }) => {
    const query = textOf(parameters, 'query');
    if (query === undefined) throw refusals.missingParameter('query');
    const [, quoted] = /^email:"((?:[^"\\]|\\.)*)"$/.exec(query) ?? [];
    if (quoted === undefined) throw refusals.unknownParameter('query');
    const wanted = quoted.replaceAll(/\\(.)/g, '$1').toLowerCase();
    const found = [...ledger.customers.values()].toReversed().filter(({ email }) => email?.toLowerCase() === wanted);
    const limit = integerOf(parameters, 'limit') ?? 10;
    return {
      object: 'search_result',
      url: '/v1/customers/search',
      has_more: found.length > limit,
      next_page: null,
      data: found.slice(0, limit),
    };
  },
};
