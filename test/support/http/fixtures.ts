import { digest } from '../../../adapters/crypto/node-secrets.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, aListing, anAppKey, aOneTimePurchase, aSubscription, later, noon, granted } from '../builders.ts';

/** App keys that requests present. A fresh service knows `full`; a populated one knows all. */
export const appKeys = {
  full: 'svc_sk_live_of-prod_1-with-every-scope',
  readOnly: 'svc_sk_live_of-prod_1-to-read-only',
  otherProduct: 'svc_sk_live_of-prod_2-with-every-scope',
  expired: 'svc_sk_live_of-prod_1-that-expired',
  revoked: 'svc_sk_live_of-prod_1-that-was-revoked',
} as const;

/** Operator keys that requests present on the admin port. */
export const operatorKeys = {
  full: 'svc_op_live_with-every-scope',
  reader: 'svc_op_live_to-read-only',
} as const;

/** License keys of a populated service. */
export const licenseKeys = {
  active: 'a-license-key-of-a-buyer',
  revoked: 'a-license-key-that-was-revoked',
} as const;

/** Fills a store with what one request of every kind needs: app keys, entitlements with licenses, and listings. */
export async function populate(ports: StorePorts): Promise<void> {
  const add = (id: string, key: string, overrides: Parameters<typeof anAppKey>[0] = {}): Promise<unknown> =>
    ports.allAppKeys.add(anAppKey({ id, digest: digest(key), lastUsedAt: noon, ...overrides }), aCall());
  await add('key_1', appKeys.full);
  await add('key_2', appKeys.readOnly, { scopes: ['read:entitlements'] });
  await add('key_3', appKeys.otherProduct, { productId: 'prod_2' });
  await add('key_4', appKeys.expired, { expiresAt: later(-1) });
  await add('key_5', appKeys.revoked, { revokedAt: later(-1) });
  const license = { digest: digest(licenseKeys.active), lastFour: null, createdAt: noon, revokedAt: null };
  const revoked = { digest: digest(licenseKeys.revoked), lastFour: null, createdAt: noon, revokedAt: noon };
  const entitlements = [
    aSubscription({ license }),
    aSubscription({ id: 'ent_2', license: revoked }),
    aSubscription({ id: 'ent_ended', currentPeriodEnd: later(-2), graceUntil: later(-1) }),
    aOneTimePurchase(),
  ];
  await ports.allEntitlements.add(granted(entitlements), aCall());
  await ports.listings.put([tidy, aListing({ id: 'lst_2', slug: 'draft', state: 'draft' })], aCall());
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
