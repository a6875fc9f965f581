import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aListing,
  anAppKey,
  anEvent,
  aOneTimePurchase,
  aSubscription,
  everyPageMember,
  granted,
  later,
  noon,
} from '../builders.ts';

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
  ended: 'a-license-key-of-one-that-ended',
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
  const ended = { ...license, digest: digest(licenseKeys.ended) };
  const first = aSubscription({ license, sequence: 1 });
  await ports.allEntitlements.add(
    [{ entitlement: first, changeRecord: { ...aChangeRecord(first), events: [grant] } }],
    aCall(),
  );
  const entitlements = [
    aSubscription({ id: 'ent_2', license: revoked }),
    aSubscription({ id: 'ent_ended', license: ended, currentPeriodEnd: later(-2), graceUntil: later(-1) }),
    aOneTimePurchase(),
  ];
  await ports.allEntitlements.add(granted(entitlements), aCall());
  await ports.listings.put([tidy, aListing({ id: 'lst_2', slug: 'draft', state: 'draft' })], aCall());
}

const { createdAt } = aSubscription();

/** The event of the grant of `ent_1`. */
const grant = anEvent(aSubscription({ sequence: 1 }), {
  id: 'evt_hZ9fR2sLq0VbT7xKc4Wd1M',
  at: createdAt,
  correlationId: '8d3f9c1e-6b0a-4a57-9d2e-51c6f0b7a934',
  by: 'operator:opk_1',
  entitlement: snapshotAt(aSubscription(), createdAt),
});

const tidy = aListing({
  ...everyPageMember,
  slug: 'tidy',
  name: 'Tidy',
  blurb: 'Keeps a desk tidy.',
  category: 'Productivity',
  compensationLabel: '30% commission',
  featured: true,
  storefrontCount: 12,
});
