import { expect } from 'chai';
import type { StorePorts } from '../../core/store/store.port.ts';
import { aCall } from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { freshStore, type OpenStore } from '../support/stores/stores.ts';
import { aMapping } from '../support/stripe/states.ts';
import { thrownBy } from '../support/thrown.ts';

export function priceMapContract(open: OpenStore): void {
  describe('PriceMap', () => {
    const store = freshStore(open);

    it('finds a mapping as it was put, and nothing for an unknown price', async () => {
      const mapping = aMapping({ tierName: 'Größe "XL" 🎉' });
      expect(await store().priceMap.put(mapping, aCall())).to.equal('added');
      expect(await store().priceMap.find('price_1', aCall())).to.deep.equal(mapping);
      expect(await store().priceMap.find('Price_1', aCall())).to.equal(null);
    });

    it('lists page by page, by price in code-point order', async () => {
      for (const price of inCodePointOrder.toReversed()) await store().priceMap.put(aMapping({ price }), aCall());
      expect(await pricesAfter(store(), null, inCodePointOrder.length + 1)).to.deep.equal(inCodePointOrder);
      const [first = '', ...others] = inCodePointOrder;
      expect(await pricesAfter(store(), first, 2)).to.deep.equal(others.slice(0, 2));
      expect(await pricesAfter(store(), inCodePointOrder.at(-1) ?? null, 2)).to.deep.equal([]);
    });

    for (const change of [{ productId: 'prod_2' }, { tierId: 'team' }, { tierName: 'Team' }, { deviceLimit: 3 }]) {
      it(`replaces a mapping that differs in its ${Object.keys(change).join()}, and changes nothing again`, async () => {
        const { priceMap } = store();
        const mapping = aMapping(change);
        expect(await priceMap.put(aMapping(), aCall())).to.equal('added');
        expect(await priceMap.put(mapping, aCall())).to.equal('replaced');
        expect(await priceMap.put(mapping, aCall())).to.equal('unchanged');
        expect(await priceMap.page(null, 10, aCall())).to.deep.equal([mapping]);
        expect(await priceMap.put(aMapping(), aCall())).to.equal('replaced');
        expect(await priceMap.put(aMapping(), aCall())).to.equal('unchanged');
        expect(await priceMap.find('price_1', aCall())).to.deep.equal(aMapping());
      });
    }

    it('adds one mapping for twenty that put one at once', async () => {
      const rivals = range(20).map((index) => aMapping({ tierName: `Rival ${index}` }));
      const outcomes = await Promise.all(rivals.map((rival) => store().priceMap.put(rival, aCall())));
      expect(outcomes.toSorted()).to.deep.equal(['added', ...range(19).map(() => 'replaced')]);
      expect(rivals).to.deep.include(await store().priceMap.find('price_1', aCall()));
    });

    it('removes a mapping once, and no other', async () => {
      const { priceMap } = store();
      const other = aMapping({ price: 'price_2' });
      for (const mapping of [aMapping(), other]) await priceMap.put(mapping, aCall());
      expect(await priceMap.remove('price_1', aCall())).to.equal(true);
      expect(await priceMap.remove('price_1', aCall())).to.equal(false);
      expect(await priceMap.page(null, 10, aCall())).to.deep.equal([other]);
    });

    for (const when of moments) {
      it(`puts once if the write fails ${when} it takes effect and is retried`, async () => {
        const priceMap = failing(store().priceMap, { method: 'put', nth: 1, when });
        expect(await thrownBy(priceMap.put(aMapping(), aCall()))).to.be.instanceOf(InjectedFault);
        expect(await priceMap.put(aMapping(), aCall())).to.equal(when === 'before' ? 'added' : 'unchanged');
        expect(await priceMap.page(null, 10, aCall())).to.deep.equal([aMapping()]);
      });
    }
  });
}

async function pricesAfter(
  { priceMap }: Pick<StorePorts, 'priceMap'>,
  after: string | null,
  limit: number,
): Promise<readonly string[]> {
  return (await priceMap.page(after, limit, aCall())).map(({ price }) => price);
}
