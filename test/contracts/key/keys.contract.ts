import { expect } from 'chai';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { aCall, later } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';
import type { KeysUnderTest } from './keys-under-test.ts';

export function keysContract<Key extends StoredKey>(open: OpenStore, kind: KeysUnderTest<Key>): void {
  const { aKey } = kind;

  describe(kind.name, () => {
    const store = freshStore(open);

    it('returns every member of a key, instants to the millisecond', async () => {
      const key = aKey({
        createdAt: later(1),
        expiresAt: later(2),
        revokedAt: later(3),
        lastUsedAt: later(4),
      });
      await kind.all(store()).add(key, aCall());
      expect(await kind.presented(store()).find(key.digest, aCall())).to.deep.equal(key);
    });

    it('finds nothing for an unknown digest, an empty one, or one in another case', async () => {
      await kind.all(store()).add(aKey({ digest: 'digest' }), aCall());
      const found = ['unknown', '', 'DIGEST', 'key'].map((digest) => kind.presented(store()).find(digest, aCall()));
      expect(await Promise.all(found)).to.deep.equal([null, null, null, null]);
    });

    it('finds a key revoked on every process once the revocation has resolved', async () => {
      await kind.all(store()).add(aKey(), aCall());
      await beside(store(), async (other) => {
        for (const each of [other, store()]) {
          expect(await kind.presented(each).find(aKey().digest, aCall())).to.deep.equal(aKey());
        }
        await kind.all(store()).end('key', { revokedAt: later(0) }, aCall());
        const revoked = aKey({ revokedAt: later(0) });
        expect(await kind.presented(other).find(revoked.digest, aCall())).to.deep.equal(revoked);
        expect(await kind.presented(store()).find(revoked.digest, aCall())).to.deep.equal(revoked);
      });
    });

    it('shows a revocation to every look-up that begins after it, among many that began before', async () => {
      await kind.all(store()).add(aKey(), aCall());
      const before = range(20).map(() => kind.presented(store()).find(aKey().digest, aCall()));
      await kind.all(store()).end('key', { revokedAt: later(0) }, aCall());
      const after = range(20).map(() => kind.presented(store()).find(aKey().digest, aCall()));
      const revoked = aKey({ revokedAt: later(0) });
      expect(await Promise.all(after)).to.deep.equal(range(20).map(() => revoked));
      for (const found of await Promise.all(before)) expect([aKey(), revoked]).to.deep.include(found);
    });

    it('stores a use after a while, of that key only', async () => {
      const bystander = aKey({ id: 'other', digest: 'another-digest' });
      await kind.all(store()).add(aKey(), aCall());
      await kind.all(store()).add(bystander, aCall());
      for (const milliseconds of range(5)) kind.presented(store()).recordUse('key', later(milliseconds));
      const found = await eventually(
        () => kind.presented(store()).find(aKey().digest, aCall()),
        (key) => key?.lastUsedAt !== null,
      );
      expect(found).to.deep.equal(aKey({ lastUsedAt: later(4) }));
      expect(await kind.presented(store()).find(bystander.digest, aCall())).to.deep.equal(bystander);
    });

    it('keeps the latest use, whatever their order', async () => {
      const bystander = aKey({ id: 'other', digest: 'another-digest' });
      await kind.all(store()).add(aKey(), aCall());
      await kind.all(store()).add(bystander, aCall());
      for (const milliseconds of [1, 4, 3]) kind.presented(store()).recordUse('key', later(milliseconds));
      const used = (digest: string) =>
        eventually(
          () => kind.presented(store()).find(digest, aCall()),
          (key) => key?.lastUsedAt !== null,
        );
      expect(await used(aKey().digest)).to.deep.equal(aKey({ lastUsedAt: later(4) }));
      kind.presented(store()).recordUse('key', later(2));
      kind.presented(store()).recordUse('other', later(2));
      await used(bystander.digest);
      expect(await used(aKey().digest)).to.deep.equal(aKey({ lastUsedAt: later(4) }));
    });

    it('has stored every recorded use once it is closed', async () => {
      await kind.all(store()).add(aKey(), aCall());
      await beside(store(), async (other) => kind.presented(other).recordUse('key', later(1)));
      const found = await eventually(
        () => kind.presented(store()).find(aKey().digest, aCall()),
        (key) => key?.lastUsedAt !== null,
      );
      expect(found).to.deep.equal(aKey({ lastUsedAt: later(1) }));
    });

    it('ignores the use of a key that does not exist', async () => {
      kind.presented(store()).recordUse('key', later(0));
      expect(await kind.page(store(), null, 9)).to.deep.equal([]);
    });

    it('finds the key again after a look-up that failed', async () => {
      await kind.all(store()).add(aKey(), aCall());
      const keys = failing(kind.presented(store()), { method: 'find', nth: 1, when: 'after' });
      expect(await thrownBy(keys.find(aKey().digest, aCall()))).to.be.instanceOf(InjectedFault);
      expect(await keys.find(aKey().digest, aCall())).to.deep.equal(aKey());
    });
  });
}
