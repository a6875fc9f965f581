import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startLatchkey, type Granted, type Latchkey } from 'latchkey/testing';

let latchkey: Latchkey;
before(async () => {
  latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z' });
});
after(() => latchkey.stop());

test('a canceled subscription ends with its period', async () => {
  const { entitlement, licenseKey }: Granted = await latchkey.grant({ productId: 'sketchpad', tierId: 'team' });
  const { entitlements, licenses } = latchkey.client('sketchpad');
  await entitlements.cancel(entitlement.id);
  await latchkey.clock.set('2026-02-28T00:00:00Z');
  const verification = await licenses.verify(licenseKey);
  assert.equal(verification.verdict, 'invalid');
  assert.equal(verification.entitlement?.status, 'canceled');
});
