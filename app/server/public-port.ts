import type { Container } from 'inversify';
import { feedOperations } from '../../adapters/http/events/feed-operations.ts';
import type { RequestCheckSettings } from '../../adapters/http/exchange/request-checks.ts';
import { withOpenApi } from '../../adapters/http/openapi/openapi-operations.ts';
import { deviceOperations } from '../../adapters/http/operations/device/device-operations.ts';
import { trialOperations } from '../../adapters/http/operations/device/trial-operations.ts';
import { discoveryOperations } from '../../adapters/http/operations/discovery-operations.ts';
import { entitlementOperations } from '../../adapters/http/operations/entitlement-operations.ts';
import { licenseOperations } from '../../adapters/http/operations/license-operations.ts';
import { linkOperations } from '../../adapters/http/operations/link-operations.ts';
import { listingOperations } from '../../adapters/http/operations/listing-operations.ts';
import type { Operation } from '../../adapters/http/operations/operation.ts';
import { receiptOperations, signingKeyOperations } from '../../adapters/http/operations/receipt-operations.ts';
import {
  probeOperations,
  serviceInfoOperations,
  type Ready,
} from '../../adapters/http/operations/service-operations.ts';
import { waitlistOperations } from '../../adapters/http/operations/waitlist-operations.ts';
import { createLink, endLinks } from '../../core/buyer/manage-links.ts';
import type { AskForMails } from '../receivers/ask-for-keys.ts';
import { portsIn } from '../service/container.ts';
import { version } from '../service/release.ts';
import { tokens } from '../service/tokens.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';
import { HttpPort, trustedProxyTest, type BaseUrl, type HttpPortParts, type PortLimits } from './http-port.ts';
import type { PageSettings, ServedPages } from './pages/page-operations.ts';
import type { Service } from './serving-process.ts';
import type { StripeSettings } from './stripe-service.ts';

type PublicPortSettings = PortLimits &
  PageSettings &
  StripeSettings &
  Pick<Settings, 'mailFrom' | 'receipts' | 'trustedProxies'>;

/** Creates the port of the interface in the specification, which clients reach under `baseUrl`. */
export async function createPublicPort(
  parts: HttpPortParts & Service,
  settings: PublicPortSettings,
  baseUrl: BaseUrl,
  ready: Ready,
  limiters: Pick<RequestCheckSettings, 'rateLimiter' | 'claimLimiter'>,
  askForMails: AskForMails,
): Promise<HttpPort> {
  const { container, metrics } = parts;
  const url = (): string => baseUrl.value;
  const pages = settings.pages === 'off' ? null : await createPages(parts, settings, url, askForMails);
  const operations = [
    ...publicOperations(container, settings, url, ready),
    ...(pages?.operations ?? []),
    ...(settings.stripeApiKey === null ? [] : await createStripeOperations(parts, settings, pages)),
  ];
  metrics?.expectOperations(operations.map(({ id }) => id));
  return new HttpPort(parts, settings, {
    flag: '--port',
    baseUrl,
    operations,
    pages: pages?.ofPort ?? null,
    sessions: null,
    isProxy: await trustedProxyTest(settings),
    ...limiters,
    ...(metrics === null ? {} : { observe: metrics.request, onRefusedConnection: metrics.refusedConnection }),
  });
}

async function createPages(
  parts: Pick<HttpPortParts, 'container' | 'log'>,
  settings: PublicPortSettings,
  url: () => string,
  askForMails: AskForMails,
): Promise<ServedPages> {
  const { servedPages } = await import('./pages/page-operations.ts');
  return servedPages(parts, settings, url, askForMails);
}

async function createStripeOperations(
  parts: HttpPortParts,
  settings: StripeSettings,
  pages: ServedPages | null,
): Promise<readonly Operation[]> {
  const { createStripeService } = await import('./stripe-service.ts');
  const { stripeOperations } = await import('./stripe/stripe-operations.ts');
  return stripeOperations(await createStripeService(parts, settings), pages?.claim ?? null);
}

type PublicSettings = Pick<Settings, 'publicUrl' | 'catalogMaxAge' | 'receipts' | 'pages' | 'buyerPages'>;

/** The table of operations of the public port. `baseUrl` is called when a request needs it. */
export function publicOperations(
  container: Container,
  settings: PublicSettings,
  baseUrl: () => string,
  ready: Ready,
): readonly Operation[] {
  const { publicUrl, catalogMaxAge, receipts } = settings;
  const path = publicUrl === null ? '/' : new URL(publicUrl).pathname;
  return withOpenApi([
    ...listingOperations(container.get(tokens.catalogIndex), catalogMaxAge),
    ...waitlistOperations(container.get(tokens.joinWaitlist)),
    ...licenseOperations(container.get(tokens.verifyLicense)),
    ...(receipts === 'on' ? receiptOperations(container.get(tokens.issueReceipt), baseUrl) : []),
    ...(receipts === 'on' ? trialOperations(container.get(tokens.startTrial), baseUrl) : []),
    ...deviceOperations(
      {
        activateDevice: container.get(tokens.activateDevice),
        deactivateDevice: container.get(tokens.deactivateDevice),
        listLicenseDevices: container.get(tokens.listLicenseDevices),
      },
      baseUrl,
    ),
    ...entitlementOperations(container.get(tokens.readEntitlement), container.get(tokens.changeCancellation)),
    ...(hasBuyerPages(settings) ? linksFor(container, baseUrl) : []),
    ...feedOperations(container.get(tokens.awaitFeed)),
    ...discoveryOperations(baseUrl, path),
    ...(receipts === 'on' ? signingKeyOperations(container.get(tokens.readPublishedKeys)) : []),
    ...serviceInfoOperations(version),
    ...probeOperations(ready),
  ]);
}

/** The operations that make and end links for buyers. */
function linksFor(container: Container, baseUrl: () => string): readonly Operation[] {
  const { entitlements, buyerLinks } = portsIn(container);
  const { newSessionToken, digest } = container.get(tokens.platform);
  const useCases = {
    entitlements,
    createLink: createLink(buyerLinks, newSessionToken, digest),
    endLinks: endLinks(buyerLinks),
  };
  return linkOperations(useCases, baseUrl);
}
