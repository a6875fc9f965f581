import { expect } from 'chai';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllKeys } from '../../../../adapters/memory/memory-keys.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import type { AllAppKeys } from '../../../../core/key/app/app-keys.port.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, anAppKey, hour } from '../../../support/builders.ts';
import { failing, InjectedFault, moments, type Fault } from '../../../support/failing.ts';
import { thrownBy } from '../../../support/thrown.ts';

describe('the commands for app keys, on a store that fails', () => {
  let store: MemoryStore;
  let appKeys: MemoryAllKeys<AppKey>;

  beforeEach(async () => {
    store = new MemoryStore();
    appKeys = new MemoryAllKeys(store.appKeys);
    await administrationOver(store).addProduct('prod_1', 'One', aCall());
  });

  for (const when of moments) {
    it(`issue no key that could not be stored (${when})`, async () => {
      const terms = { id: null, productId: 'prod_1', scopes: [], expiresAt: null };
      expect(await thrownBy(over('add', when).issueAppKey(terms, aCall()))).to.be.instanceOf(InjectedFault);
    });

    it(`leave an old key as it is if the new one could not be stored (${when})`, async () => {
      await appKeys.add(anAppKey());
      const rotation = { id: 'key_1', newId: null, overlap: hour, expiresAt: null };
      expect(await thrownBy(over('add', when).rotateAppKey(rotation, aCall()))).to.be.instanceOf(InjectedFault);
      expect(await appKeys.find('key_1')).to.deep.equal(anAppKey());
    });

    it(`do not say that a key is revoked if that could not be stored (${when})`, async () => {
      await appKeys.add(anAppKey());
      expect(await thrownBy(over('end', when).revokeAppKey('key_1', aCall()))).to.be.instanceOf(InjectedFault);
    });
  }

  function over(method: keyof AllAppKeys, when: Fault<AllAppKeys>['when']) {
    return administrationOver(store, { allAppKeys: failing<AllAppKeys>(appKeys, { method, nth: 1, when }) });
  }
});
