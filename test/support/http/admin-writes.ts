import { day, later } from '../builders.ts';

/** A write of the administration. */
export interface AdminWrite {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** The member of its answer that only one of several equal requests gets, if there is one. */
  readonly shownOnce?: 'key' | 'licenseKey' | 'deleted' | 'erased';
}

const end = (days: number): string => later(365 * 100 * day + days * day).toISOString();
const write = (method: AdminWrite['method'], path: string, more: Partial<AdminWrite> = {}): AdminWrite => ({
  method,
  path,
  ...more,
});
const ofEntitlement = (operation: string, more: Partial<AdminWrite> = {}): AdminWrite =>
  write('POST', `/admin/entitlements/ent_1/${operation}`, more);

const grant = {
  productId: 'prod_2',
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  currentPeriodEnd: end(0),
  reference: 'sub_1',
};

const listing = {
  name: 'Tidy',
  blurb: 'Keeps a desk tidy.',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30% commission',
  storefrontCount: 12,
  state: 'draft',
};

/** The address that the last of the writes erases. */
export const erasedEmail = 'ada@example.com';

/** Every write, in an order in which each of them changes something once: they need nothing but a sign-up to erase. */
export const adminWrites: readonly AdminWrite[] = [
  write('PUT', '/admin/products/prod_2', { body: { name: 'Metronome' } }),
  write('POST', '/admin/products/prod_2/app-keys', { body: { id: 'key_a' }, shownOnce: 'key' }),
  write('POST', '/admin/app-keys/key_a/rotate', { body: { newId: 'key_b' }, shownOnce: 'key' }),
  write('POST', '/admin/app-keys/key_b/revoke'),
  write('PUT', '/admin/entitlements/ent_1', { body: grant, shownOnce: 'licenseKey' }),
  ofEntitlement('renew', { body: { currentPeriodEnd: end(30) } }),
  ofEntitlement('change-tier', { body: { tierId: 'team', tierName: 'Team' } }),
  ofEntitlement('past-due'),
  ofEntitlement('suspend'),
  ofEntitlement('reinstate'),
  ofEntitlement('renew', { body: { currentPeriodEnd: end(60) } }),
  ofEntitlement('cancel'),
  ofEntitlement('resume'),
  ofEntitlement('license/rotate', { body: { licenseKey: 'a-license-key-of-my-own-making' } }),
  ofEntitlement('license/revoke'),
  ofEntitlement('revoke'),
  write('PUT', '/admin/entitlements/ent_2', { body: { ...grant, reference: 'sub_2' }, shownOnce: 'licenseKey' }),
  write('PUT', '/admin/entitlements/ent_3', { body: { ...grant, reference: 'sub_3' }, shownOnce: 'licenseKey' }),
  write('POST', '/admin/entitlements/ent_2/revoke'),
  write('POST', '/admin/entitlements/ent_2/license/move', { body: { to: 'ent_3' } }),
  write('PUT', '/admin/listings/tidy', { body: listing }),
  write('POST', '/admin/listings/tidy/publish'),
  write('POST', '/admin/listings/tidy/pause'),
  write('DELETE', '/admin/listings/tidy', { shownOnce: 'deleted' }),
  write('POST', '/admin/operators', {
    body: { id: 'opk_a', name: 'Support', scopes: ['admin:read'] },
    shownOnce: 'key',
  }),
  write('POST', '/admin/operators/opk_a/rotate', { body: { newId: 'opk_b' }, shownOnce: 'key' }),
  write('POST', '/admin/operators/opk_b/revoke'),
  write('POST', '/admin/waitlist/erase', { body: { email: erasedEmail }, shownOnce: 'erased' }),
];

/** The operations in the history of the entitlement after all writes, each of them once. */
export const operationsOfWrites = [
  'granted',
  'renewed',
  'tier_changed',
  'past_due',
  'suspended',
  'reinstated',
  'renewed',
  'cancellation_scheduled',
  'cancellation_undone',
  'license_rotated',
  'license_revoked',
  'revoked',
];
