import type { ConsoleRoute } from './console-page.ts';
import { errorPage } from './error-page.ts';
import { consolePath } from './navigation.ts';

/** Every other address below `/console`. Only somebody who is signed in learns that there is nothing. */
export const notFoundRoutes: readonly ConsoleRoute[] = (['GET', 'POST'] as const).map((method) => ({
  id: 'showNoConsolePage',
  method,
  path: `${consolePath}/*`,
  access: null,
  handle: async ({ call: { correlationId } }) => {
    const message = 'There is nothing at this address.';
    const refused = { code: 'not_found', status: 404, message, correlationId, scope: null };
    return { kind: 'page', status: 404, error: 'not_found', ...errorPage(refused, null) };
  },
}));
