import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { createContainer } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { aCall, aLicense, anAppKey, anOperatorKey, aSubscription, granted } from '../builders.ts';

const farAway = new Date('2099-01-01T00:00:00.000Z');

/** The keys that a store is filled with. */
interface FilledKeys {
  readonly appKey: string;
  readonly operatorKey: string;
  /** That of the first subscription. */
  readonly licenseKey: string;
}

/**
 * Fills a store for other processes: product `prod_1`, an app key or every kind of key, and subscriptions that do not end
 * during a test.
 */
export async function fillStore(url: string, keys: string | FilledKeys, ids: readonly string[]): Promise<void> {
  const { appKey, operatorKey, licenseKey } =
    typeof keys === 'string' ? { appKey: keys, operatorKey: null, licenseKey: null } : keys;
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), aCall());
  const container = createContainer(store.ports);
  const license = licenseKey === null ? null : aLicense({ digest: licenseDigest(licenseKey, digest) });
  const subscriptions = ids.map((id, index) =>
    aSubscription({ id, license: index === 0 ? license : null, currentPeriodEnd: farAway, graceUntil: farAway }),
  );
  await container.get(tokens.products).add({ id: 'prod_1', name: 'A product', createdAt: aCall().now }, aCall());
  await container.get(tokens.allEntitlements).add(granted(subscriptions), aCall());
  await container.get(tokens.allAppKeys).add(anAppKey({ digest: digest(appKey) }), aCall());
  if (operatorKey !== null) {
    await container.get(tokens.allOperatorKeys).add(anOperatorKey({ digest: digest(operatorKey) }), aCall());
  }
  await store.close();
}
