import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { createContainer } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, anAppKey, aSubscription, granted } from '../builders.ts';

const farAway = new Date('2099-01-01T00:00:00.000Z');

/** Fills a store for other processes: product `prod_1`, an app key, and subscriptions that do not end during a test. */
export async function fillStore(url: string, appKey: string, ids: readonly string[]): Promise<void> {
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), aCall());
  const container = createContainer(store.ports);
  const subscriptions = ids.map((id) => aSubscription({ id, currentPeriodEnd: farAway, graceUntil: farAway }));
  await container.get(tokens.products).add({ id: 'prod_1', name: 'A product', createdAt: aCall().now }, aCall());
  await container.get(tokens.allEntitlements).add(granted(subscriptions), aCall());
  await container.get(tokens.allAppKeys).add(anAppKey({ digest: digest(appKey) }), aCall());
  await store.close();
}
