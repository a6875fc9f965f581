import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './clients/latchkey.ts';

type Schemas = components['schemas'];

/** The output of `demo --json`. */
interface Demo {
  readonly address: string;
  readonly appKey: string;
  readonly entitlementId: string;
  readonly licenseKey: string;
}

const { address, appKey, entitlementId, licenseKey }: Demo = JSON.parse(process.env['DEMO'] ?? '{}');
const anyone = createClient<paths>({ baseUrl: address });
const merchant = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${appKey}` } });
const path = { id: entitlementId };

const verified = await anyone.POST('/api/licenses/verify', { body: { licenseKey } });
const status: Schemas['EntitlementStatus'] | undefined = verified.data?.entitlement?.status;
assert.deepEqual([verified.data?.valid, status], [true, 'active']);

const page = await anyone.GET('/api/marketplace/listings', {
  params: {
    query: { limit: 5, sort: 'new', minCommission: 20, minStorefronts: '1' },
    header: { 'API-Version': '2026-07-18' },
  },
});
assert.deepEqual([page.data?.data.length, page.data?.meta.limit], [5, 5]);
// @ts-expect-error: a limit is a number or a text
await anyone.GET('/api/marketplace/listings', { params: { query: { limit: true } } });

const read = await merchant.GET('/api/app-entitlements/{id}', { params: { path } });
assert.equal(read.data?.data.cancelAtPeriodEnd, false);

const intention = { path, header: { 'Idempotency-Key': 'typescript-cancel' } };
const canceled = await merchant.POST('/api/app-entitlements/{id}/cancel', { params: intention });
assert.equal(canceled.data?.data.cancelAtPeriodEnd, true);
const replayed = await merchant.POST('/api/app-entitlements/{id}/cancel', { params: intention });
assert.deepEqual(replayed.data, canceled.data);
assert.equal(replayed.response.headers.get('Idempotent-Replayed'), 'true');

const resumed = await merchant.POST('/api/app-entitlements/{id}/resume', {
  params: { path, header: { 'Idempotency-Key': 'typescript-resume' } },
});
assert.equal(resumed.data?.data.cancelAtPeriodEnd, false);

const unknown = await merchant.GET('/api/app-entitlements/{id}', { params: { path: { id: 'ent_unknown' } } });
const expected: Schemas['ErrorCode'] = 'entitlement_not_found';
assert.deepEqual([unknown.response.headers.get('Error-Code'), unknown.error?.success], [expected, false]);
