import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aSubscription } from '../../../support/builders.ts';
import { failing } from '../../../support/failing.ts';
import { stores } from '../../../support/stores/stores.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';

const license = 'a-license-key-of-a-buyer';
const secrets = [
  license,
  appKeys.full,
  'svc_sk_live',
  'key-00000001',
  digest(appKeys.full),
  licenseDigest(license, digest),
];

for (const store of stores) {
  describe(`the log on ${store.name}`, () => {
    const service = freshService(store);

    it('has one line for each request: what was asked, for which product, and what became of it', async () => {
      await service().grant(aSubscription());
      await service().read('ent_1');
      await service().verify({ licenseKey: license });
      await service().send('/nowhere');
      const lines = service().logged.map(({ time: _time, duration, level: _level, ...line }) => {
        expect(duration).to.be.a('number');
        return line;
      });
      const message = 'request';
      const correlationId = 'request-0001';
      expect(lines).to.deep.equal([
        { correlationId, operation: 'getEntitlement', product: 'prod_1', status: 200, message },
        { correlationId, operation: 'verifyLicense', product: null, status: 200, message },
        { correlationId, product: null, status: 404, message },
      ]);
    });

    it('has no key, no license and no body in any line', async () => {
      await service().grant(aSubscription({ license: aLicense({ digest: licenseDigest(license, digest) }) }));
      await service().verify({ licenseKey: license });
      await service().verify({ licenseKey: [license] });
      await service().send('/api/licenses/verify', {
        method: 'POST',
        headers: [json],
        body: `{"licenseKey":"${license}`,
      });
      await service().send(`/api/licenses/verify?licenseKey=${license}`, { method: 'POST' });
      await service().read('ent_1');
      await service().send(`/api/app-entitlements/${appKeys.full}`, { headers: [bearer(`${appKeys.full}x`)] });
      await service().change('ent_1/cancel', 'key-00000001');
      await service().change('ent_1/resume', 'key-00000001');
      expect(service().logged).to.have.lengthOf(8);
      expectNoSecret(service());
    });
  });

  it(`the log on ${store.name} says where a fault came from, but not what was sent`, async () => {
    const service = await startService(store, {
      rebind: (container) => {
        const licenses = container.get(tokens.licenses);
        const error = new SyntaxError(`unexpected ${license}`);
        const broken = failing(licenses, { method: 'find', nth: 1, when: 'before', error });
        container.rebind(tokens.licenses).toConstantValue(broken);
      },
    });
    try {
      await service.verify({ licenseKey: license });
      const [fault] = service.logged;
      expect(fault).to.include({ level: 'error', correlationId: 'request-0001', message: 'internal_error' });
      expect(fault).to.have.nested.property('err.name', 'SyntaxError');
      expect(fault).to.have.nested.property('err.at[0]').that.matches(/^at /);
      expectNoSecret(service);
    } finally {
      await service.stop();
    }
  });
}

function expectNoSecret({ logged }: TestService): void {
  for (const line of logged) {
    for (const secret of secrets) expect(JSON.stringify(line)).not.to.include(secret);
  }
}
