import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { createStripe } from '../../../adapters/stripe/client/create-stripe.ts';
import { lookAt } from '../../../adapters/stripe/look-at.ts';
import type { LookAt } from '../../../adapters/stripe/look/look.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { FakeStripe } from '../../../testing/index.ts';
import { day } from '../builders.ts';

/** A look as another process has it, over the ports of a store. It reports nothing and sends nothing. */
export async function lookOver(ports: StorePorts, shop: FakeStripe): Promise<LookAt> {
  return lookAt({
    stripe: await createStripe({ apiKey: shop.apiKey, apiBase: shop.url }),
    administration: administrationOf(ports, nodePlatform),
    cases: ports.stripeCases,
    prices: ports.priceMap,
    affiliates: ports.affiliates,
    promotions: ports.promotions,
    sales: ports.sales,
    digest,
    newEventId: nodePlatform.newEventId,
    readPending: async () => null,
    readEffect: async () => null,
    deriveKey: async () => null,
    unpaidAccess: 21 * day,
    keepSeen: async () => undefined,
    sendLeft: async () => undefined,
    report: () => undefined,
  });
}
