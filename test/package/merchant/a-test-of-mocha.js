import assert from 'node:assert/strict';
import { startLatchkey } from 'latchkey/testing';

describe('a canceled subscription', () => {
  let latchkey;
  beforeEach(async () => {
    latchkey = await startLatchkey({ now: '2026-01-31T00:00:00Z' });
  });
  afterEach(() => latchkey.stop());

  it('ends with its period', async () => {
    const { entitlement, licenseKey } = await latchkey.grant({ productId: 'sketchpad' });
    const { entitlements, licenses } = latchkey.client('sketchpad');
    await entitlements.cancel(entitlement.id);
    assert.equal((await licenses.verify(licenseKey)).verdict, 'valid');
    await latchkey.clock.advance('31d');
    assert.equal((await licenses.verify(licenseKey)).verdict, 'invalid');
    const types = (await latchkey.events('sketchpad')).map(({ type }) => type);
    assert.deepEqual(types, [
      'entitlement.granted',
      'entitlement.cancellation_scheduled',
      'entitlement.ending_soon',
      'entitlement.ended',
    ]);
  });
});
