import { entitlementRoutes } from './entitlement/entitlement-routes.ts';
import { findRoutes } from './find/find-routes.ts';
import type { ConsoleRoute } from './frame/console-page.ts';
import type { ConsoleParts } from './frame/console-parts.ts';
import { notFoundRoutes } from './frame/not-found.ts';
import { overviewRoutes } from './overview/overview-routes.ts';

/** The table of the pages of the console. */
export function consoleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return [...overviewRoutes(parts), ...findRoutes(parts), ...entitlementRoutes(parts), ...notFoundRoutes];
}
