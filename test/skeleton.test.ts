import { expect } from 'chai';
import { digest } from '../adapters/crypto/node-secrets.ts';
import { openStore } from '../app/stores/open-store.ts';
import { tokens } from '../app/tokens.ts';
import { defaultTtl, retentionFor } from '../core/idempotency/retention.ts';
import { aCall, aSubscription, noon } from './support/builders.ts';
import { startService } from './support/service.ts';

describe('a license check through every layer', () => {
  it('says that the license is valid, and for what', async () => {
    const service = await startService(await openStore('memory:', { create: true }, retentionFor(defaultTtl), aCall()));
    const key = 'a-license-key-of-a-buyer';
    const license = { digest: digest(key), lastFour: null, createdAt: noon, revokedAt: null };
    await service.container.get(tokens.allEntitlements).add([aSubscription({ license })], aCall());
    const response = await fetch(`${service.url}/api/licenses/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ licenseKey: key }),
    });
    expect(await response.json()).to.deep.equal({
      valid: true,
      entitlement: {
        id: 'ent_1',
        productId: 'prod_1',
        status: 'active',
        tierId: 'pro',
        tierName: 'Pro',
        billingInterval: 'month',
        currentPeriodEnd: '2026-08-01T00:00:00.000Z',
      },
    });
    await service.stop();
  });
});
