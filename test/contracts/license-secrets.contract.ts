import { expect } from 'chai';
import { hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { deriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import type { LicenseSecrets } from '../../core/billing/license-secrets.port.ts';
import { aCall } from '../support/builders.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

/** The promises of every store about the record of the license secret. */
export function licenseSecretsContract(open: OpenStore): void {
  describe('the license secret', () => {
    const store = freshStore(open);

    it('is null before it is made', async () => {
      expect(await store().licenseSecrets.read(aCall())).to.equal(null);
    });

    it('is made once, and read by every process as it was written', async () => {
      const { licenseSecrets } = store();
      expect(await licenseSecrets.add({ secret: 'first' }, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await licenseSecrets.add({ secret: 'second' }, aCall())).to.deep.equal({ kind: 'stale' });
      const stored = await beside(store(), (ports) => ports.licenseSecrets.read(aCall()));
      expect(stored).to.deep.equal({ secret: 'first' });
    });

    it('is made by one of twenty that try at once, and all derive the same key', async () => {
      const keys = await Promise.all(range(20).map(() => keyOf(store().licenseSecrets)));
      expect(new Set(keys).size).to.equal(1);
      expect(await beside(store(), ({ licenseSecrets }) => keyOf(licenseSecrets))).to.equal(keys[0]);
    });

    for (const when of moments) {
      it(`is whole after a write that failed ${when} it took effect`, async () => {
        const { licenseSecrets } = store();
        const faulty = failing(licenseSecrets, { method: 'add', nth: 1, when });
        expect(await thrownBy(keyOf(faulty))).to.be.instanceOf(InjectedFault);
        expect((await licenseSecrets.read(aCall())) === null).to.equal(when === 'before');
        expect(await keyOf(licenseSecrets)).to.equal(await keyOf(licenseSecrets));
      });
    }
  });
}

function keyOf(secrets: LicenseSecrets): Promise<string> {
  return deriveLicenseKey(secrets, { hmac, randomBytes })('sub_1', aCall());
}
