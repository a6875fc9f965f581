import { expect } from 'chai';
import { keptDeletions } from '../../../../core/catalog/listings.port.ts';
import { aCall, aListing } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory, sqlite } from '../../../support/stores/stores.ts';

for (const { name, open } of [memory, sqlite]) {
  describe(`the deletions of listings that the ${name} store knows`, () => {
    const store = freshStore(open);

    it('are those among the last changes, and a cursor behind them is too old', async () => {
      const { listings, allListings } = store();
      const many = range(keptDeletions - 1).map((number) => aListing({ id: `lst_${number}`, slug: `many-${number}` }));
      await listings.put([aListing({ id: 'lst_a', slug: 'a' }), aListing({ id: 'lst_b', slug: 'b' })], aCall());
      const before = await listings.load(aCall());
      await allListings.delete('a', null, aCall());
      const between = await listings.load(aCall());
      await listings.put(many, aCall());
      await allListings.delete('b', null, aCall());
      expect(await listings.changesSince(before.cursor, aCall())).to.deep.equal({ kind: 'too old' });
      const changes = await listings.changesSince(between.cursor, aCall());
      expect(changes).to.deep.include({ kind: 'changes', removed: ['b'] });
    });
  });
}
