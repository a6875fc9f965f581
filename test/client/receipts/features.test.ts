import { expect } from 'chai';
import { LatchkeyClient, licenseGate, type DeviceCheck, type SigningKeySet } from '../../../client/index.ts';
import { later } from '../../support/builders.ts';
import { AdminClient } from '../../support/http/admin-client.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { grant, licenseKey } from '../../support/http/granted-entitlement.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { memory } from '../../support/stores/stores.ts';

const pro = '/admin/products/prod_1/tiers/pro';
const first = { deviceLimit: 2, features: { projects: 20, sso: true, theme: 'dark' } };
const second = { deviceLimit: 3, features: { projects: 30, sso: false } };

/** The verdict, its source or reason, and what is allowed. The entitlement of a valid license shows the same. */
function allowed(check: DeviceCheck): readonly unknown[] {
  const { verdict, reason, features, deviceLimit } = check;
  if (verdict !== 'valid') return [verdict, reason, { deviceLimit, features }, Object.keys(check.entitlement ?? {})];
  expect(check.entitlement).to.deep.include({ features, deviceLimit });
  return [verdict, check.source, { deviceLimit, features }];
}

const members = ['id', 'productId', 'status', 'tierId', 'tierName', 'billingInterval', 'currentPeriodEnd'];

for (const device of [undefined, { id: 'machine-1' }]) {
  describe(`what a tier allows, to a gate ${device ? 'with' : 'without'} a device`, () => {
    const service = freshService(memory, { adminPort: 0 });
    const admin = (): AdminClient => new AdminClient(service());
    let isOffline: boolean;
    let stored: string | null;
    let keys: SigningKeySet;

    beforeEach(async () => {
      [isOffline, stored] = [false, null];
      await service().addOperatorKey(operatorKeys.full);
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      await admin().put('/admin/entitlements/ent_1', { ...grant, licenseKey, updatesUntil: later(400 * 86_400_000) });
      await admin().put(pro, first);
      keys = (await service().send('/.well-known/jwks.json')).body as SigningKeySet;
    });

    const fetching = (url: unknown, init?: RequestInit): Promise<Response> => {
      if (isOffline) throw new TypeError('fetch failed');
      return fetch(String(url), init);
    };

    /** The gate of a program that is restarted each time, with the receipt that it has stored. */
    async function check(): Promise<readonly unknown[]> {
      const options = {
        client: new LatchkeyClient({ baseUrl: service().url, fetch: fetching }),
        keys,
        productId: 'prod_1',
        storage: { load: () => stored, save: (text: string) => void (stored = text) },
        timeout: 60_000,
        now: () => service().now,
      };
      const gate = device === undefined ? licenseGate(options) : licenseGate({ ...options, device });
      return allowed(await gate.check(licenseKey));
    }

    it('is known offline from the receipt, by its values of then', async () => {
      await check();
      await admin().put(pro, second);
      isOffline = true;
      expect(await check()).to.deep.equal(['valid', 'receipt', first]);
      await admin().send('DELETE', pro);
      expect(await check()).to.deep.equal(['valid', 'receipt', first]);
    });

    it('is nothing once the license has ended, whatever the stored receipt says', async () => {
      await check();
      isOffline = true;
      service().now = later(120 * 86_400_000);
      const none = { deviceLimit: null, features: {} };
      expect(await check()).to.deep.equal(['invalid', 'expired', none, [...members, 'updatesUntil']]);
      isOffline = false;
      expect(await check()).to.deep.equal(['invalid', 'no_access', none, members]);
      isOffline = true;
      expect(await check()).to.deep.equal(['unavailable', null, none, []]);
    });

    it(`changes with ${device ? 'the next check' : 'the next receipt'}`, async () => {
      await check();
      await admin().put(pro, second);
      expect(await check()).to.deep.equal(['valid', 'online', device ? second : first]);
      service().now = later(8 * 86_400_000);
      expect(await check()).to.deep.equal(['valid', 'online', second]);
      isOffline = true;
      expect(await check()).to.deep.equal(['valid', 'receipt', second]);
    });
  });
}
