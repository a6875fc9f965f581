import { expect } from 'chai';
import type { Product } from '../../core/product/product.ts';
import { aCall, later } from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { thrownBy } from '../support/thrown.ts';
import { freshStore, type OpenStore } from '../support/stores/stores.ts';

export function productsContract(open: OpenStore): void {
  describe('Products', () => {
    const store = freshStore(open);

    it('finds a product as it was added, and nothing for an unknown id', async () => {
      const product = aProduct({ name: 'Größe "XL" 🎉', createdAt: later(1) });
      expect(await store().products.add(product, aCall())).to.equal('added');
      expect(await store().products.find('prod_1', aCall())).to.deep.equal(product);
      expect(await store().products.find('Prod_1', aCall())).to.equal(null);
    });

    it('lists every product by id in code-point order', async () => {
      for (const id of inCodePointOrder.toReversed()) await store().products.add(aProduct({ id }), aCall());
      const ids = (await store().products.list(aCall())).map(({ id }) => id);
      expect(ids).to.deep.equal(inCodePointOrder);
    });

    it('refuses an existing id, and keeps the first product', async () => {
      await store().products.add(aProduct(), aCall());
      expect(await store().products.add(aProduct({ name: 'Another' }), aCall())).to.equal('id taken');
      expect(await store().products.list(aCall())).to.deep.equal([aProduct()]);
    });

    it('adds one of twenty products with one id', async () => {
      const rivals = range(20).map((index) => aProduct({ name: `Rival ${index}` }));
      const outcomes = await Promise.all(rivals.map((rival) => store().products.add(rival, aCall())));
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.lengthOf(1);
      expect(await store().products.list(aCall())).to.deep.equal([rivals[outcomes.indexOf('added')]]);
    });

    for (const when of moments) {
      it(`adds once if the addition fails ${when} it takes effect and is retried`, async () => {
        const products = failing(store().products, { method: 'add', nth: 1, when });
        expect(await thrownBy(products.add(aProduct(), aCall()))).to.be.instanceOf(InjectedFault);
        expect(await products.add(aProduct(), aCall())).to.equal(when === 'before' ? 'added' : 'id taken');
        expect(await products.list(aCall())).to.deep.equal([aProduct()]);
      });
    }
  });
}

function aProduct(overrides: Partial<Product> = {}): Product {
  return { id: 'prod_1', name: 'Product', createdAt: later(0), ...overrides };
}
