import { digest } from '../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../app/tokens.ts';
import { aCall, anAppKey, aOneTimePurchase, aSubscription, later, noon } from './builders.ts';
import type { TestService } from './service.ts';

/** The keys and licenses that the requests of the edge's tests present. */
export const edge = {
  key: 'svc_sk_live_edge-tests-of-product-1',
  readKey: 'svc_sk_live_edge-tests-reads-only',
  otherKey: 'svc_sk_live_edge-tests-of-product-2',
  expiredKey: 'svc_sk_live_edge-tests-expired-key',
  revokedKey: 'svc_sk_live_edge-tests-revoked-key',
  license: 'a-license-key-of-the-edge-tests',
  revokedLicense: 'a-license-key-that-was-revoked',
} as const;

/** Puts two products' keys, a subscription, a purchase, and one of each kind of refusal into the service's store. */
export async function populate({ container }: TestService): Promise<void> {
  const appKeys = container.get(tokens.allAppKeys);
  const add = (id: string, key: string, overrides: Parameters<typeof anAppKey>[0] = {}): Promise<void> =>
    appKeys.add(anAppKey({ id, digest: digest(key), lastUsedAt: noon, ...overrides }), aCall());
  await add('key_1', edge.key);
  await add('key_2', edge.readKey, { scopes: ['read:entitlements'] });
  await add('key_3', edge.otherKey, { productId: 'prod_2' });
  await add('key_4', edge.expiredKey, { expiresAt: later(-1) });
  await add('key_5', edge.revokedKey, { revokedAt: later(-1) });
  const license = { digest: digest(edge.license), lastFour: null, createdAt: noon, revokedAt: null };
  const revoked = { digest: digest(edge.revokedLicense), lastFour: null, createdAt: noon, revokedAt: noon };
  await container
    .get(tokens.allEntitlements)
    .add(
      [
        aSubscription({ license }),
        aSubscription({ id: 'ent_2', license: revoked }),
        aSubscription({ id: 'ent_ended', currentPeriodEnd: later(-2), graceUntil: later(-1) }),
        aOneTimePurchase(),
      ],
      aCall(),
    );
}
