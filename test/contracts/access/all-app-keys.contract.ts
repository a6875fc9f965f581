import { expect } from 'chai';
import type { AppKey } from '../../../core/access/app-key.ts';
import { aCall, anAppKey, later } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { thrownBy } from '../../support/thrown.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';

export function allAppKeysContract(open: OpenStore): void {
  describe('AllAppKeys', () => {
    const store = freshStore(open);

    it('finds a key of any product by its id, and nothing for an unknown id', async () => {
      const key = anAppKey({ productId: 'prod_2' });
      await store().allAppKeys.add(key, aCall());
      expect(await store().allAppKeys.find('key_1', aCall())).to.deep.equal(key);
      expect(await store().allAppKeys.find(key.digest, aCall())).to.equal(null);
    });

    it('lists every key, ended ones too, the oldest first and then by id', async () => {
      const keys = [
        anAppKey({ id: 'b', digest: '1', createdAt: later(2) }),
        anAppKey({ id: 'c', digest: '2', createdAt: later(1), revokedAt: later(3) }),
        anAppKey({ id: 'a', digest: '3', createdAt: later(2), expiresAt: later(3) }),
        anAppKey({ id: 'B', digest: '4', createdAt: later(2), productId: 'prod_2' }),
      ];
      for (const key of keys) await store().allAppKeys.add(key, aCall());
      const [b, c, a, capital] = keys;
      expect(await store().allAppKeys.list(aCall())).to.deep.equal([c, capital, a, b]);
    });

    it('lists keys of one instant by id in code-point order', async () => {
      const keys = inCodePointOrder.map((id) => anAppKey({ id, digest: `digest-${id}` }));
      for (const key of keys.toReversed()) await store().allAppKeys.add(key, aCall());
      expect(await store().allAppKeys.list(aCall())).to.deep.equal(keys);
    });

    describe('end', () => {
      beforeEach(() => store().allAppKeys.add(anAppKey(), aCall()));

      it('revokes a key', async () => {
        await store().allAppKeys.end('key_1', { revokedAt: later(1) }, aCall());
        expect(await found()).to.deep.equal(anAppKey({ revokedAt: later(1) }));
      });

      it('sets the expiry of a key, but never later', async () => {
        const ends = [];
        for (const milliseconds of [5, 6, 4, 4]) {
          await store().allAppKeys.end('key_1', { expiresAt: later(milliseconds) }, aCall());
          ends.push(await found());
        }
        const expected = [5, 5, 4, 4].map((milliseconds) => anAppKey({ expiresAt: later(milliseconds) }));
        expect(ends).to.deep.equal(expected);
      });

      it('revokes a key that expires, and keeps the expiry', async () => {
        await store().allAppKeys.end('key_1', { expiresAt: later(5) }, aCall());
        await store().allAppKeys.end('key_1', { revokedAt: later(1) }, aCall());
        expect(await found()).to.deep.equal(anAppKey({ expiresAt: later(5), revokedAt: later(1) }));
      });

      it('leaves a revoked key as it is', async () => {
        await store().allAppKeys.end('key_1', { revokedAt: later(2) }, aCall());
        await store().allAppKeys.end('key_1', { revokedAt: later(1) }, aCall());
        await store().allAppKeys.end('key_1', { revokedAt: later(3) }, aCall());
        await store().allAppKeys.end('key_1', { expiresAt: later(0) }, aCall());
        expect(await found()).to.deep.equal(anAppKey({ revokedAt: later(2) }));
      });

      it('leaves the other keys as they are, and ignores an unknown id', async () => {
        const other = anAppKey({ id: 'key_2', digest: 'another-digest' });
        await store().allAppKeys.add(other, aCall());
        await store().allAppKeys.end('key_1', { revokedAt: later(1) }, aCall());
        await store().allAppKeys.end('key_3', { revokedAt: later(1) }, aCall());
        expect(await store().allAppKeys.list(aCall())).to.deep.equal([anAppKey({ revokedAt: later(1) }), other]);
      });

      it('keeps the earliest of twenty concurrent expiries', async () => {
        const ends = range(20).map((index) => ({ expiresAt: later((index * 7) % 20) }));
        await Promise.all(ends.map((by) => store().allAppKeys.end('key_1', by, aCall())));
        expect(await found()).to.deep.equal(anAppKey({ expiresAt: later(0) }));
      });

      for (const when of moments) {
        it(`revokes once if the revocation fails ${when} it takes effect and is retried`, async () => {
          const allAppKeys = failing(store().allAppKeys, { method: 'end', nth: 1, when });
          const failed = allAppKeys.end('key_1', { revokedAt: later(1) }, aCall());
          expect(await thrownBy(failed)).to.be.instanceOf(InjectedFault);
          await allAppKeys.end('key_1', { revokedAt: later(2) }, aCall());
          expect(await found()).to.deep.equal(anAppKey({ revokedAt: later(when === 'before' ? 2 : 1) }));
        });
      }
    });

    function found(): Promise<AppKey | null> {
      return store().allAppKeys.find('key_1', aCall());
    }
  });
}
