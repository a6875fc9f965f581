import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './clients/administration.ts';

type Schemas = components['schemas'];

/** The output of `demo --json`. */
interface Demo {
  readonly adminAddress: string;
  readonly operatorKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
}

const { adminAddress, operatorKey, entitlementId, licenseKey }: Demo = JSON.parse(process.env['DEMO'] ?? '{}');
const operator = createClient<paths>({
  baseUrl: adminAddress,
  headers: { Authorization: `Bearer ${operatorKey}` },
});

const body: Schemas['GrantRequest'] = {
  productId: 'sketchpad',
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  reference: 'typescript-1',
};
const path = { id: 'ent_typescript' };
const granted = await operator.PUT('/admin/entitlements/{id}', { params: { path }, body });
const status: Schemas['EntitlementStatus'] | undefined = granted.data?.data.entitlement.status;
assert.deepEqual([granted.response.status, status], [201, 'active']);
const repeated = await operator.PUT('/admin/entitlements/{id}', { params: { path }, body });
assert.deepEqual([repeated.response.status, repeated.data?.data.licenseKey], [200, null]);

const found = await operator.POST('/admin/licenses/find', { body: { licenseKey } });
assert.equal(found.data?.data.id, entitlementId);

const page = await operator.GET('/admin/entitlements', {
  params: { query: { product: 'sketchpad', reference: 'typescript-1', limit: 5 } },
});
assert.deepEqual([page.data?.data.map(({ id }) => id), page.data?.meta.next], [[path.id], null]);

const unknown = await operator.POST('/admin/entitlements/{id}/renew', {
  params: { path: { id: 'ent_unknown' } },
  body: { currentPeriodEnd: '2100-01-01T00:00:00Z' },
});
const expected: Schemas['ErrorCode'] = 'entitlement_not_found';
assert.deepEqual([unknown.response.headers.get('Error-Code'), unknown.error?.success], [expected, false]);
