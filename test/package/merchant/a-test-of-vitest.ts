import { startLatchkey, type Latchkey } from 'latchkey/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

let latchkey: Latchkey;
beforeEach(async () => {
  latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z' });
});
afterEach(() => latchkey.stop());

test('a resumed subscription goes on', async () => {
  const { entitlement, licenseKey } = await latchkey.grant({ productId: 'sketchpad' });
  const { entitlements, licenses } = latchkey.client('sketchpad');
  await entitlements.cancel(entitlement.id);
  await entitlements.resume(entitlement.id);
  await latchkey.clock.set('2026-02-28T00:00:00Z');
  expect(await licenses.verify(licenseKey)).toMatchObject({ verdict: 'valid', entitlement: { status: 'past_due' } });
});
