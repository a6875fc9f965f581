import { expect } from 'chai';
import type { SizedList } from '../../core/paging/list-sizes.port.ts';
import { aCall, aListing, aSignUp, aSubscription, granted } from '../support/builders.ts';
import { range } from '../support/range.ts';
import { freshStore, type OpenStore } from '../support/stores/stores.ts';

export function listSizesContract(open: OpenStore): void {
  describe('sizes of lists', () => {
    const store = freshStore(open);
    const sizes = async (max: number): Promise<readonly number[]> => {
      const lists: readonly SizedList[] = [
        { kind: 'entitlements', productId: null },
        { kind: 'entitlements', productId: 'prod_1' },
        { kind: 'entitlements', productId: 'none' },
        { kind: 'listings', products: null },
        { kind: 'listings', products: ['prod_1', 'prod_2'] },
        { kind: 'waitlist' },
      ];
      return Promise.all(lists.map((list) => store().listSizes.count(list, max, aCall())));
    };

    it('are those of what is stored, counted up to a maximum', async () => {
      expect(await sizes(9)).to.deep.equal([0, 0, 0, 0, 0, 0]);
      const entitlements = range(7).map((index) =>
        aSubscription({ id: `ent_${index}`, productId: index < 3 ? 'prod_1' : 'prod_2' }),
      );
      await store().allEntitlements.add(granted(entitlements), aCall());
      await store().listings.put(
        range(4).map((index) =>
          aListing({ id: `lst_${index}`, slug: `l-${index}`, productId: index === 3 ? null : `prod_${index}` }),
        ),
        aCall(),
      );
      for (const index of range(5)) await store().waitlist.join(aSignUp({ email: `a${index}@example.com` }), aCall());
      expect(await sizes(1000)).to.deep.equal([7, 3, 0, 4, 2, 5]);
      expect(await sizes(2)).to.deep.equal([2, 2, 0, 2, 2, 2]);
      expect(await sizes(1)).to.deep.equal([1, 1, 0, 1, 1, 1]);
      await store().waitlist.erase('a1@example.com', aCall());
      await store().allListings.delete('l-1', null, aCall());
      expect(await sizes(1000)).to.deep.equal([7, 3, 0, 3, 1, 4]);
    });
  });
}
