import { expect } from 'chai';
import { plainFacts } from '../../../core/product/products.port.ts';
import { administrationOver } from '../../support/administration.ts';
import { aCall, aProduct, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('the commands for products', () => {
  it('add products and list them by id', async () => {
    const { addProduct, everyProduct } = administrationOver();
    expect(await addProduct('b', 'Beta', aCall())).to.deep.equal(aProduct({ id: 'b', name: 'Beta' }));
    await addProduct('a', 'Alpha', aCall({ now: later(1) }));
    expect(await Array.fromAsync(everyProduct(aCall))).to.deep.equal([
      aProduct({ id: 'a', name: 'Alpha', createdAt: later(1) }),
      aProduct({ id: 'b', name: 'Beta' }),
    ]);
  });

  it('refuse an id that exists, and keep the first product', async () => {
    const { addProduct, everyProduct } = administrationOver();
    const results = await Promise.allSettled(range(20).map((index) => addProduct('a', `Name ${index}`, aCall())));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await refusalOf(addProduct('a', 'Late', aCall()))).code).to.equal('product_exists');
    expect(await Array.fromAsync(everyProduct(aCall))).to.deep.equal([aProduct({ id: 'a', name: 'Name 0' })]);
  });

  it('put a product as often as wanted, and say what that has changed', async () => {
    const { putProduct } = administrationOver();
    const alpha = { ...plainFacts, name: 'Alpha', downloadUrl: 'https://a.example' };
    const product = aProduct({ id: 'a', ...alpha });
    expect(await putProduct('a', alpha, aCall())).to.deep.equal({ product, outcome: 'added' });
    const again = await putProduct('a', alpha, aCall({ now: later(1) }));
    expect(again).to.deep.equal({ product, outcome: 'unchanged' });
    for (const change of [
      { ...alpha, name: 'Beta' },
      { ...alpha, name: 'Beta', accountUrl: 'https://b.example' },
      { ...plainFacts, name: 'Beta' },
    ]) {
      const changed = await putProduct('a', change, aCall({ now: later(2) }));
      expect(changed).to.deep.equal({ product: { ...product, ...change }, outcome: 'replaced' });
    }
  });

  for (const change of [
    { name: 'Beta' },
    { downloadUrl: 'https://a.example' },
    { name: 'Beta', supportUrl: 'mailto:help@a.example' },
  ]) {
    it(`change the ${Object.keys(change).join(' and ')} of a product that is as it was seen`, async () => {
      const { addProduct, changeProduct } = administrationOver();
      const seen = await addProduct('a', 'Alpha', aCall());
      const product = { ...seen, ...change };
      expect(await changeProduct(seen, change, aCall())).to.deep.equal({ product, changed: true });
      for (const old of [seen, product]) {
        expect(await changeProduct(old, change, aCall())).to.deep.equal({ product, changed: false });
      }
      const other = { name: 'Gamma' };
      const late = [changeProduct(seen, other, aCall()), changeProduct({ ...seen, id: 'b' }, other, aCall())];
      for (const each of late) expect((await refusalOf(each)).code).to.equal('changed_meanwhile');
    });
  }

  it('list products page by page', async () => {
    const { addProduct, listProducts } = administrationOver();
    for (const id of ['a', 'b', 'c']) await addProduct(id, id, aCall());
    const first = await listProducts({ after: null, limit: 2 }, aCall());
    const last = await listProducts({ after: first.next, limit: 1 }, aCall());
    expect([first, last].map(({ items }) => items.map(({ id }) => id))).to.deep.equal([['a', 'b'], ['c']]);
    expect(last.next).to.equal(null);
    const { code } = await refusalOf(listProducts({ after: 'garbage', limit: 2 }, aCall()));
    expect(code).to.equal('invalid_parameter');
  });
});
