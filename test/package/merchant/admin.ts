// The billing of a merchant: it adds a product, grants, finds, lists and revokes on the demo.
import assert from 'node:assert/strict';
import { LatchkeyAdmin, NotFoundError, type GrantRequest } from 'latchkey/admin';

interface Demo {
  readonly adminAddress: string;
  readonly operatorKey: string;
}

const { adminAddress, operatorKey }: Demo = JSON.parse(process.env['DEMO'] ?? '');
const admin = new LatchkeyAdmin({ baseUrl: adminAddress, operatorKey, timeout: 5000 });
const terms: GrantRequest = { productId: 'inkwell-pro', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };

// @ts-expect-error a grant without its terms
const incomplete: GrantRequest = { productId: 'inkwell-pro' };

await admin.products.put('inkwell-pro', { name: 'Inkwell Pro' });
const { id, key } = await admin.appKeys.issue('inkwell-pro', { scopes: ['read:entitlements'] });
const { entitlement, licenseKey } = await admin.entitlements.put(`ent_${id}`, terms);
const found = await admin.licenses.find({ licenseKey: licenseKey ?? '' });
assert.deepEqual([typeof key, found.id, entitlement.status], ['string', `ent_${id}`, 'active']);

const ids: string[] = [];
for await (const each of admin.entitlements.all({ product: 'inkwell-pro', limit: 1 })) ids.push(each.id);
assert.ok(ids.includes(`ent_${id}`));
assert.equal((await admin.entitlements.revoke(`ent_${id}`)).status, 'revoked');

const unknown = await admin.entitlements.get('none').catch((error: unknown) => error);
assert.ok(unknown instanceof NotFoundError && unknown.code === 'entitlement_not_found');
const refused = await admin.products.put('inkwell-pro', { name: '' }).catch((error: unknown) => error);
assert.ok(refused instanceof Error, `not refused: ${JSON.stringify(incomplete)}`);
