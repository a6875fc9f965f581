import { expect } from 'chai';
import { plainFacts, type OptionalFacts, type Product } from '../../core/product/products.port.ts';
import { areEqual } from '../../core/product/put-product.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import { aCall, aProduct, later } from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { productsIn } from '../support/stores/whole-lists.ts';
import { thrownBy } from '../support/thrown.ts';

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
      const ids = (await productsIn(store())).map(({ id }) => id);
      expect(ids).to.deep.equal(inCodePointOrder);
    });

    it('lists page by page', async () => {
      for (const id of ['c', 'a', 'b', 'd']) await store().products.add(aProduct({ id }), aCall());
      expect(await idsAfter(store(), null, 2)).to.deep.equal(['a', 'b']);
      expect(await idsAfter(store(), 'b', 2)).to.deep.equal(['c', 'd']);
      expect(await idsAfter(store(), 'bb', 1)).to.deep.equal(['c']);
      expect(await idsAfter(store(), 'd', 2)).to.deep.equal([]);
    });

    it('puts a product: adds it, renames it, and changes nothing the third time', async () => {
      const { products } = store();
      expect(await products.put(aProduct(), aCall())).to.equal('added');
      const renamed = aProduct({ name: 'Renamed', createdAt: later(5) });
      expect(await products.put(renamed, aCall())).to.equal('replaced');
      expect(await products.put(renamed, aCall())).to.equal('unchanged');
      expect(await productsIn(store())).to.deep.equal([aProduct({ name: 'Renamed' })]);
    });

    it('adds one product for twenty that put it at once', async () => {
      const outcomes = await Promise.all(range(20).map(() => store().products.put(aProduct(), aCall())));
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.lengthOf(1);
      expect(outcomes.filter((outcome) => outcome === 'unchanged')).to.have.lengthOf(19);
    });

    it('lets one of twenty writers change the product that all have seen', async () => {
      await store().products.add(aProduct(), aCall());
      await beside(store(), async (other) => {
        const outcomes = await Promise.all(
          range(20).map((index) =>
            (index % 2 === 0 ? store() : other).products.replace(aProduct(), changedBy(index), aCall()),
          ),
        );
        const winner = outcomes.findIndex(({ kind }) => kind === 'replaced');
        expect(outcomes.filter(({ kind }) => kind === 'replaced')).to.have.lengthOf(1);
        expect(await productsIn(store())).to.deep.equal([changedBy(winner)]);
      });
    });

    it('changes no product that has another name, link, icon or mail than was seen, or does not exist', async () => {
      const stored = aProduct({ downloadUrl: 'https://a.example', supportUrl: null });
      await store().products.add(stored, aCall());
      for (const other of [
        { name: 'product' },
        { id: 'prod_2' },
        { downloadUrl: 'https://b.example' },
        { downloadUrl: null },
        { supportUrl: 'mailto:help@a.example' },
        { accountUrl: 'https://a.example' },
        { activateUrl: 'a-pad://{key}' },
        { iconUrl: 'https://a.example/icon.png' },
        { mailKeys: false },
        { mailSubject: 'A key' },
        { mailText: 'Open it.' },
        { mailEnding: true },
      ]) {
        const next = aProduct({ name: 'Renamed' });
        expect(await store().products.replace({ ...stored, ...other }, next, aCall())).to.deep.equal({ kind: 'stale' });
      }
      expect(await productsIn(store())).to.deep.equal([stored]);
    });

    it('adds, puts and replaces links, icons and mails, and removes them', async () => {
      const { products } = store();
      const first = aProduct(linksTo('https://a.example', null));
      await products.add(first, aCall());
      const changes = [
        linksTo('https://a.example', 'mailto:help@a.example'),
        linksTo(null, 'https://help.example'),
        linksTo(null, 'https://help.example', 'https://account.example'),
        { ...plainFacts, mailKeys: false },
        { ...plainFacts, mailKeys: false, mailSubject: '{product} “é”', mailText: 'Two\nlines, {tier} 🎉' },
        { ...plainFacts, mailText: 'Another' },
        { ...plainFacts, mailEnding: true },
        { ...plainFacts, activateUrl: 'a-pad://activate?key={key}' },
        { ...plainFacts, iconUrl: 'https://a.example/icon.png' },
        plainFacts,
      ];
      let seen = first;
      for (const change of changes) {
        const next = aProduct(change);
        expect(await products.replace(seen, next, aCall())).to.deep.equal({ kind: 'replaced' });
        expect(await products.find('prod_1', aCall())).to.deep.equal(next);
        seen = next;
      }
      for (const change of [...changes, linksTo('https://a.example', 'https://b.example')]) {
        const outcome = areEqual(seen, { ...change, name: seen.name }) ? 'unchanged' : 'replaced';
        seen = aProduct(change);
        const { id, name, createdAt } = seen;
        const given = change === plainFacts ? { id, name, createdAt } : seen;
        expect(await products.put(given, aCall())).to.equal(outcome);
        expect(await products.put(seen, aCall())).to.equal('unchanged');
        expect(await productsIn(store())).to.deep.equal([seen]);
      }
    });

    it('refuses an existing id, and keeps the first product', async () => {
      await store().products.add(aProduct(), aCall());
      expect(await store().products.add(aProduct({ name: 'Another' }), aCall())).to.equal('id taken');
      expect(await productsIn(store())).to.deep.equal([aProduct()]);
    });

    it('adds one of twenty products with one id', async () => {
      const rivals = range(20).map((index) => aProduct({ name: `Rival ${index}` }));
      const outcomes = await Promise.all(rivals.map((rival) => store().products.add(rival, aCall())));
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.lengthOf(1);
      expect(await productsIn(store())).to.deep.equal([rivals[outcomes.indexOf('added')]]);
    });

    for (const when of moments) {
      it(`adds once if the addition fails ${when} it takes effect and is retried`, async () => {
        const products = failing(store().products, { method: 'add', nth: 1, when });
        expect(await thrownBy(products.add(aProduct(), aCall()))).to.be.instanceOf(InjectedFault);
        expect(await products.add(aProduct(), aCall())).to.equal(when === 'before' ? 'added' : 'id taken');
        expect(await productsIn(store())).to.deep.equal([aProduct()]);
      });
    }
  });
}

function changedBy(index: number): Product {
  return aProduct({ name: `Rival ${index}`, downloadUrl: `https://rival-${index}.example` });
}

function linksTo(
  downloadUrl: string | null,
  supportUrl: string | null,
  accountUrl: string | null = null,
): OptionalFacts {
  return { ...plainFacts, downloadUrl, supportUrl, accountUrl };
}

async function idsAfter(
  { products }: Pick<StorePorts, 'products'>,
  after: string | null,
  limit: number,
): Promise<readonly string[]> {
  return (await products.page(after, limit, aCall())).map(({ id }) => id);
}
