import { expect } from 'chai';
import { aCall, anAppKey, later } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { thrownBy } from '../../support/thrown.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';

export function appKeysContract(open: OpenStore): void {
  describe('AppKeys', () => {
    const store = freshStore(open);

    it('returns every member of a key, instants to the millisecond', async () => {
      const key = anAppKey({
        scopes: ['write:entitlements', 'read:licenses'],
        createdAt: later(1),
        expiresAt: later(2),
        revokedAt: later(3),
        lastUsedAt: later(4),
      });
      await store().allAppKeys.add(key, aCall());
      expect(await store().appKeys.find(key.digest, aCall())).to.deep.equal(key);
    });

    it('finds nothing for an unknown digest, an empty one, or one in another case', async () => {
      await store().allAppKeys.add(anAppKey({ digest: 'digest' }), aCall());
      const found = ['unknown', '', 'DIGEST', 'key_1'].map((digest) => store().appKeys.find(digest, aCall()));
      expect(await Promise.all(found)).to.deep.equal([null, null, null, null]);
    });

    it('finds a key revoked on every process once the revocation has resolved', async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      await beside(store(), async (other) => {
        expect(await other.appKeys.find(anAppKey().digest, aCall())).to.deep.equal(anAppKey());
        await store().allAppKeys.end('key_1', { revokedAt: later(0) }, aCall());
        const revoked = anAppKey({ revokedAt: later(0) });
        expect(await other.appKeys.find(revoked.digest, aCall())).to.deep.equal(revoked);
        expect(await store().appKeys.find(revoked.digest, aCall())).to.deep.equal(revoked);
      });
    });

    it('shows a revocation to every look-up that begins after it, among many that began before', async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      const before = range(20).map(() => store().appKeys.find(anAppKey().digest, aCall()));
      await store().allAppKeys.end('key_1', { revokedAt: later(0) }, aCall());
      const after = range(20).map(() => store().appKeys.find(anAppKey().digest, aCall()));
      const revoked = anAppKey({ revokedAt: later(0) });
      expect(await Promise.all(after)).to.deep.equal(range(20).map(() => revoked));
      for (const found of await Promise.all(before)) expect([anAppKey(), revoked]).to.deep.include(found);
    });

    it('stores a use after a while, of that key only', async () => {
      const bystander = anAppKey({ id: 'key_2', digest: 'another-digest' });
      await store().allAppKeys.add(anAppKey(), aCall());
      await store().allAppKeys.add(bystander, aCall());
      for (const milliseconds of range(5)) store().appKeys.recordUse('key_1', later(milliseconds));
      const found = await eventually(
        () => store().appKeys.find(anAppKey().digest, aCall()),
        (key) => key?.lastUsedAt !== null,
      );
      expect(found).to.deep.equal(anAppKey({ lastUsedAt: later(4) }));
      expect(await store().appKeys.find(bystander.digest, aCall())).to.deep.equal(bystander);
    });

    it('keeps the latest use, whatever their order', async () => {
      const bystander = anAppKey({ id: 'key_2', digest: 'another-digest' });
      await store().allAppKeys.add(anAppKey(), aCall());
      await store().allAppKeys.add(bystander, aCall());
      for (const milliseconds of [1, 4, 3]) store().appKeys.recordUse('key_1', later(milliseconds));
      const used = (digest: string) =>
        eventually(
          () => store().appKeys.find(digest, aCall()),
          (key) => key?.lastUsedAt !== null,
        );
      expect(await used(anAppKey().digest)).to.deep.equal(anAppKey({ lastUsedAt: later(4) }));
      store().appKeys.recordUse('key_1', later(2));
      store().appKeys.recordUse('key_2', later(2));
      await used(bystander.digest);
      expect(await used(anAppKey().digest)).to.deep.equal(anAppKey({ lastUsedAt: later(4) }));
    });

    it('has stored every recorded use once it is closed', async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      await beside(store(), async (other) => other.appKeys.recordUse('key_1', later(1)));
      const found = await eventually(
        () => store().appKeys.find(anAppKey().digest, aCall()),
        (key) => key?.lastUsedAt !== null,
      );
      expect(found).to.deep.equal(anAppKey({ lastUsedAt: later(1) }));
    });

    it('ignores the use of a key that does not exist', async () => {
      store().appKeys.recordUse('key_1', later(0));
      expect(await store().allAppKeys.list(aCall())).to.deep.equal([]);
    });

    it('finds the key again after a look-up that failed', async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      const appKeys = failing(store().appKeys, { method: 'find', nth: 1, when: 'after' });
      expect(await thrownBy(appKeys.find(anAppKey().digest, aCall()))).to.be.instanceOf(InjectedFault);
      expect(await appKeys.find(anAppKey().digest, aCall())).to.deep.equal(anAppKey());
    });
  });
}
