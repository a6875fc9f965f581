import { affiliateRoutes } from './affiliates/affiliate-routes.ts';
import { entitlementRoutes } from './entitlement/entitlement-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { findRoutes } from './find/find-routes.ts';
import { mailKeysRoutes } from './find/mail-keys-routes.ts';
import type { ConsoleRoute } from './frame/console-page.ts';
import type { ConsoleParts } from './frame/console-parts.ts';
import { notFoundRoutes } from './frame/error-page.ts';
import { importRoutes } from './listings/import-routes.ts';
import { listingChangeRoutes } from './listings/listing-change-routes.ts';
import { listingRoutes } from './listings/listing-routes.ts';
import { operatorRoutes } from './operators/operator-routes.ts';
import { overviewRoutes } from './overview/overview-routes.ts';
import { appKeyChangeRoutes, appKeyRoutes } from './products/app-key-routes.ts';
import { productChangeRoutes } from './products/product-change-routes.ts';
import { productRoutes } from './products/product-routes.ts';
import { tierRoutes } from './products/tier-routes.ts';
import { trialRoutes } from './products/trial-routes.ts';
import { statementRoutes } from './statements/statement-routes.ts';
import { stripeRoutes } from './stripe/stripe-routes.ts';
import { waitlistRoutes } from './waitlist/waitlist-routes.ts';
import { skipRoutes } from './webhooks/skip-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';
import { secretRoutes, webhookTestRoutes } from './webhooks/webhook-sending-routes.ts';
import { webhookStateRoutes } from './webhooks/webhook-state-routes.ts';

/** The table of the pages of the console. */
export function consoleRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  return [
    ...overviewRoutes(parts),
    ...findRoutes(parts),
    ...mailKeysRoutes(parts),
    ...entitlementRoutes(parts),
    ...stripeRoutes(parts),
    ...eventRoutes(parts),
    ...listingRoutes(parts),
    ...listingChangeRoutes(parts),
    ...importRoutes(parts),
    ...waitlistRoutes(parts),
    ...affiliateRoutes(parts),
    ...statementRoutes(parts),
    ...productRoutes(parts),
    ...productChangeRoutes(parts),
    ...tierRoutes(parts),
    ...trialRoutes(parts),
    ...appKeyRoutes(parts),
    ...appKeyChangeRoutes(parts),
    ...webhookRoutes(parts),
    ...webhookStateRoutes(parts),
    ...webhookTestRoutes(parts),
    ...secretRoutes(parts),
    ...skipRoutes(parts),
    ...operatorRoutes(parts),
    ...notFoundRoutes,
  ];
}
