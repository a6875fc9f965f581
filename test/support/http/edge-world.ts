import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { aCall, aListing, anAppKey, aOneTimePurchase, aSubscription, later, noon } from '../builders.ts';
import type { TestService } from './service.ts';

/** The keys and licenses that the requests of the edge's tests present. */
export const edge = {
  key: 'svc_sk_live_edge-tests-of-product-1',
  readKey: 'svc_sk_live_edge-tests-reads-only',
  otherKey: 'svc_sk_live_edge-tests-of-product-2',
  expiredKey: 'svc_sk_live_edge-tests-expired-key',
  revokedKey: 'svc_sk_live_edge-tests-revoked-key',
  license: 'a-license-key-of-a-buyer',
  revokedLicense: 'a-license-key-that-was-revoked',
} as const;

/** Puts two products' keys, a subscription, a purchase, a listing, and one of each kind of refusal into a store. */
export async function populate(container: TestService['container']): Promise<void> {
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
  await container.get(tokens.listings).put([tidy, aListing({ id: 'lst_2', slug: 'draft', state: 'draft' })], aCall());
}

const tidy = aListing({
  slug: 'tidy',
  name: 'Tidy',
  blurb: 'Keeps a desk tidy.',
  category: 'Productivity',
  compensationLabel: '30% commission',
  featured: true,
  storefrontCount: 12,
});
