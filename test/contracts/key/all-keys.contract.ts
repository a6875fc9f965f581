import { expect } from 'chai';
import type { KeyEnd } from '../../../core/key/keys.port.ts';
import type { StoredKey } from '../../../core/key/stored-key.ts';
import { aCall, anAppKey, later } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { tally } from '../../support/tally.ts';
import { thrownBy } from '../../support/thrown.ts';
import type { KeysUnderTest } from './keys-under-test.ts';

export function allKeysContract<Key extends StoredKey>(open: OpenStore, kind: KeysUnderTest<Key>): void {
  const { aKey } = kind;

  describe(`All${kind.name}`, () => {
    const store = freshStore(open);

    it('finds a key by its id, and nothing for an unknown id', async () => {
      expect(await add(aKey())).to.equal('added');
      expect(await kind.all(store()).find('key', aCall())).to.deep.equal(aKey());
      expect(await kind.all(store()).find(aKey().digest, aCall())).to.equal(null);
    });

    it('adds no key with an id that another has, and one of twenty at once', async () => {
      await add(aKey());
      expect(await add(aKey({ digest: 'another-digest' }))).to.equal('id taken');
      expect(await kind.presented(store()).find('another-digest', aCall())).to.equal(null);
      const rivals = range(20).map((index) => aKey({ id: 'raced', digest: `digest-${index}` }));
      const outcomes = await Promise.all(rivals.map(add));
      expect(tally(outcomes.map((outcome) => ({ kind: outcome })))).to.deep.equal({ added: 1, 'id taken': 19 });
      expect(await kind.all(store()).find('raced', aCall())).to.deep.equal(rivals[outcomes.indexOf('added')]);
    });

    it('pages through every key, ended ones too, the oldest first and then by id', async () => {
      const keys = [
        aKey({ id: 'b', digest: '1', createdAt: later(2) }),
        aKey({ id: 'c', digest: '2', createdAt: later(1), revokedAt: later(3) }),
        aKey({ id: 'a', digest: '3', createdAt: later(2), expiresAt: later(3) }),
        aKey({ id: 'B', digest: '4', createdAt: later(2) }),
        aKey({ id: 'z', digest: '5', createdAt: new Date(0) }),
      ] as const;
      for (const key of keys) await add(key);
      const [b, c, a, capital, z] = keys;
      expect(await kind.page(store(), null, 9)).to.deep.equal([z, c, capital, a, b]);
      expect(await kind.page(store(), null, 2)).to.deep.equal([z, c]);
      expect(await kind.page(store(), c, 2)).to.deep.equal([capital, a]);
      expect(await kind.page(store(), { createdAt: later(2), id: 'A' }, 2)).to.deep.equal([capital, a]);
      expect(await kind.page(store(), b, 2)).to.deep.equal([]);
    });

    it('pages through keys of one instant by id in code-point order', async () => {
      const keys = inCodePointOrder.map((id) => aKey({ id, digest: `digest-${id}` }));
      for (const key of keys.toReversed()) await add(key);
      expect(await kind.page(store(), null, 100)).to.deep.equal(keys);
    });

    describe('end', () => {
      beforeEach(() => add(aKey()));

      it('revokes a key', async () => {
        expect(await end({ revokedAt: later(1) })).to.equal('ended');
        expect(await found()).to.deep.equal(aKey({ revokedAt: later(1) }));
      });

      it('revokes a key once, by one of twenty revocations of the same instant', async () => {
        const outcomes = await Promise.all(range(20).map(() => end({ revokedAt: later(1) })));
        const kinds = outcomes.map((outcome) => ({ kind: outcome }));
        expect(tally(kinds)).to.deep.equal({ ended: 1, unchanged: 19 });
      });

      it('sets the expiry of a key, but never later', async () => {
        const ends = [];
        for (const milliseconds of [5, 6, 4, 4]) {
          const outcome = await end({ expiresAt: later(milliseconds) });
          ends.push([outcome, await found()]);
        }
        expect(ends).to.deep.equal([
          ['ended', aKey({ expiresAt: later(5) })],
          ['unchanged', aKey({ expiresAt: later(5) })],
          ['ended', aKey({ expiresAt: later(4) })],
          ['unchanged', aKey({ expiresAt: later(4) })],
        ]);
      });

      it('revokes a key that expires, and keeps the expiry', async () => {
        await end({ expiresAt: later(5) });
        expect(await end({ revokedAt: later(1) })).to.equal('ended');
        expect(await found()).to.deep.equal(aKey({ expiresAt: later(5), revokedAt: later(1) }));
      });

      it('leaves a revoked key as it is', async () => {
        await end({ revokedAt: later(2) });
        const others = [{ revokedAt: later(1) }, { revokedAt: later(3) }, { expiresAt: later(0) }];
        for (const by of others) expect(await end(by)).to.equal('unchanged');
        expect(await found()).to.deep.equal(aKey({ revokedAt: later(2) }));
      });

      it('leaves the other keys as they are, and ignores an unknown id', async () => {
        const other = aKey({ id: 'other', digest: 'another-digest' });
        await add(other);
        await end({ revokedAt: later(1) });
        expect(await end({ revokedAt: later(1) }, 'unknown')).to.equal('unchanged');
        expect(await kind.page(store(), null, 9)).to.deep.equal([aKey({ revokedAt: later(1) }), other]);
      });

      it('keeps the earliest of twenty concurrent expiries', async () => {
        const ends = range(20).map((index) => ({ expiresAt: later((index * 7) % 20) }));
        await Promise.all(ends.map((by) => end(by)));
        expect(await found()).to.deep.equal(aKey({ expiresAt: later(0) }));
      });

      for (const when of moments) {
        it(`revokes once if the revocation fails ${when} it takes effect and is retried`, async () => {
          const keys = failing(kind.all(store()), { method: 'end', nth: 1, when });
          const failed = keys.end('key', { revokedAt: later(1) }, aCall());
          expect(await thrownBy(failed)).to.be.instanceOf(InjectedFault);
          await keys.end('key', { revokedAt: later(2) }, aCall());
          expect(await found()).to.deep.equal(aKey({ revokedAt: later(when === 'before' ? 2 : 1) }));
        });
      }
    });

    function add(key: Key): Promise<'added' | 'id taken'> {
      return kind.all(store()).add(key, aCall());
    }

    function end(by: KeyEnd, id = 'key'): Promise<'ended' | 'unchanged'> {
      return kind.all(store()).end(id, by, aCall());
    }

    function found(): Promise<Key | null> {
      return kind.all(store()).find('key', aCall());
    }
  });
}

/** The part of the list of app keys that the list of operator keys does not have: a product. */
export function appKeysOfProductContract(open: OpenStore): void {
  describe('AllAppKeys of a product', () => {
    const store = freshStore(open);

    it('are listed without those of other products', async () => {
      const keys = range(6).map((index) =>
        anAppKey({
          id: `key_${index}`,
          digest: `digest-${index}`,
          productId: `prod_${index % 2}`,
          createdAt: later(index),
        }),
      );
      for (const key of keys) await store().allAppKeys.add(key, aCall());
      const page = (after: number | null, limit: number): Promise<readonly unknown[]> => {
        const position = after === null ? null : (keys[after] ?? null);
        return store().allAppKeys.page({ productId: 'prod_1', after: position, limit }, aCall());
      };
      expect(await page(null, 9)).to.deep.equal([keys[1], keys[3], keys[5]]);
      expect(await page(null, 2)).to.deep.equal([keys[1], keys[3]]);
      expect(await page(3, 2)).to.deep.equal([keys[5]]);
      expect(await page(2, 1)).to.deep.equal([keys[3]]);
    });
  });
}
