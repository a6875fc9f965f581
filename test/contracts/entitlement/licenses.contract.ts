import { expect } from 'chai';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aOneTimePurchase,
  aSubscription,
  changed,
  granted,
  later,
} from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

export function licensesContract(open: OpenStore): void {
  describe('Licenses', () => {
    const store = freshStore(open);
    const holder = aSubscription({ license: aLicense({ digest: 'first' }) });

    it('finds the entitlement of a license, of any product', async () => {
      const other = aOneTimePurchase({ productId: 'prod_2', license: aLicense({ digest: 'second' }) });
      await store().allEntitlements.add(granted([holder, other]), aCall());
      const found = ['first', 'second'].map((digest) => store().licenses.find(digest, aCall()));
      expect(await Promise.all(found)).to.deep.equal([holder, other]);
    });

    it('finds the entitlement of a revoked license', async () => {
      const revoked = { ...holder, license: aLicense({ digest: 'first', revokedAt: later(1) }) };
      await store().allEntitlements.add(granted([revoked]), aCall());
      expect(await store().licenses.find('first', aCall())).to.deep.equal(revoked);
    });

    it('finds nothing for an unknown digest, an empty one, or one in another case', async () => {
      await store().allEntitlements.add(granted([holder, aSubscription({ id: 'bare' })]), aCall());
      const found = ['second', '', 'First', 'firs', 'first '].map((digest) => store().licenses.find(digest, aCall()));
      expect(await Promise.all(found)).to.deep.equal([null, null, null, null, null]);
    });

    it('finds the new license and not the old one, on every process, once the change has resolved', async () => {
      await store().allEntitlements.add(granted([holder]), aCall());
      const rotated = { ...changed(holder), license: aLicense({ digest: 'second' }) };
      await beside(store(), async (other) => {
        expect(await other.licenses.find('first', aCall())).to.deep.equal(holder);
        await store().allEntitlements.replace(holder, rotated, aChangeRecord(rotated), aCall());
        expect(await other.licenses.find('first', aCall())).to.equal(null);
        expect(await other.licenses.find('second', aCall())).to.deep.equal(rotated);
      });
    });

    it('finds a license by the old digest or the new one while it is rotated', async () => {
      await store().allEntitlements.add(granted([holder]), aCall());
      const rotated = { ...changed(holder), license: aLicense({ digest: 'second' }) };
      const rotation = store().allEntitlements.replace(holder, rotated, aChangeRecord(rotated), aCall());
      const looks = await Promise.all(
        range(20).map(async () => {
          const old = await store().licenses.find('first', aCall());
          return old ?? (await store().licenses.find('second', aCall()));
        }),
      );
      await rotation;
      for (const found of looks) expect([holder, rotated]).to.deep.include(found);
    });

    it('finds the license again after a look-up that failed', async () => {
      await store().allEntitlements.add(granted([holder]), aCall());
      const licenses = failing(store().licenses, { method: 'find', nth: 1, when: 'after' });
      expect(await thrownBy(licenses.find('first', aCall()))).to.be.instanceOf(InjectedFault);
      expect(await licenses.find('first', aCall())).to.deep.equal(holder);
    });
  });
}
