import { expect } from 'chai';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllKeys } from '../../../../adapters/memory/memory-keys.ts';
import type { Administration } from '../../../../core/administration/administration.ts';
import type { AppKey } from '../../../../core/key/app/app-key.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, anAppKey, hour, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('the app keys of a product', () => {
  let appKeys: MemoryAllKeys<AppKey>;
  let administration: Administration;

  beforeEach(async () => {
    const store = new MemoryStore();
    appKeys = new MemoryAllKeys(store.appKeys);
    administration = administrationOver(store);
    for (const id of ['prod_1', 'prod_2']) await administration.addProduct(id, id, aCall());
  });

  it('are listed page by page, without those of another product', async () => {
    const keys = range(5).map((index) => anAppKey({ id: `key_${index}`, digest: `${index}`, createdAt: later(index) }));
    await appKeys.add(anAppKey({ id: 'foreign', digest: 'foreign', productId: 'prod_2', createdAt: later(1) }));
    for (const key of keys) await appKeys.add(key);
    const first = await administration.listAppKeys('prod_1', { after: null, limit: 2 }, aCall());
    const second = await administration.listAppKeys('prod_1', { after: first.next, limit: 2 }, aCall());
    const third = await administration.listAppKeys('prod_1', { after: second.next, limit: 2 }, aCall());
    expect([first.items, second.items, third.items]).to.deep.equal([keys.slice(0, 2), keys.slice(2, 4), keys.slice(4)]);
    expect(third.next).to.equal(null);
    const foreign = administration.listAppKeys('prod_2', { after: first.next, limit: 2 }, aCall());
    expect((await refusalOf(foreign)).code).to.equal('invalid_parameter');
  });

  it('are not listed for an unknown product', async () => {
    const listed = administration.listAppKeys('prod_3', { after: null, limit: 2 }, aCall());
    expect(await refusalOf(listed)).to.deep.equal({ code: 'product_not_found', details: {} });
  });

  it('are rotated into a known key of the same product and scopes only', async () => {
    const rotation = { id: 'key_1', newId: 'key_2', overlap: hour, expiresAt: null };
    const both = ['read:entitlements', 'write:entitlements'] as const;
    await appKeys.add(anAppKey({ scopes: both }));
    const others = [
      anAppKey({ id: 'other-product', digest: '1', scopes: both, productId: 'prod_2' }),
      anAppKey({ id: 'other-scopes', digest: '2', scopes: ['read:entitlements'] }),
    ];
    for (const other of others) {
      await appKeys.add(other);
      const refused = await refusalOf(administration.rotateAppKey({ ...rotation, newId: other.id }, aCall()));
      expect(refused.code).to.equal('app_key_exists');
    }
    const { issued } = await administration.rotateAppKey(rotation, aCall());
    expect(await administration.rotateAppKey(rotation, aCall({ now: later(1) }))).to.deep.equal({ issued, key: null });
  });
});
