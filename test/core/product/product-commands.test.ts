import { expect } from 'chai';
import { administrationOver } from '../../support/administration.ts';
import { aCall, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('the commands for products', () => {
  it('add products and list them by id', async () => {
    const { addProduct, everyProduct } = administrationOver();
    expect(await addProduct('b', 'Beta', aCall())).to.deep.equal({ id: 'b', name: 'Beta', createdAt: noon });
    await addProduct('a', 'Alpha', aCall({ now: later(1) }));
    expect(await Array.fromAsync(everyProduct(aCall))).to.deep.equal([
      { id: 'a', name: 'Alpha', createdAt: later(1) },
      { id: 'b', name: 'Beta', createdAt: noon },
    ]);
  });

  it('refuse an id that exists, and keep the first product', async () => {
    const { addProduct, everyProduct } = administrationOver();
    const results = await Promise.allSettled(range(20).map((index) => addProduct('a', `Name ${index}`, aCall())));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await refusalOf(addProduct('a', 'Late', aCall()))).code).to.equal('product_exists');
    expect(await Array.fromAsync(everyProduct(aCall))).to.deep.equal([{ id: 'a', name: 'Name 0', createdAt: noon }]);
  });

  it('put a product as often as wanted, and say what that has changed', async () => {
    const { putProduct } = administrationOver();
    const product = { id: 'a', name: 'Alpha', createdAt: noon };
    expect(await putProduct('a', 'Alpha', aCall())).to.deep.equal({ product, outcome: 'added' });
    const again = await putProduct('a', 'Alpha', aCall({ now: later(1) }));
    expect(again).to.deep.equal({ product, outcome: 'unchanged' });
    const renamed = await putProduct('a', 'Beta', aCall({ now: later(2) }));
    expect(renamed).to.deep.equal({ product: { ...product, name: 'Beta' }, outcome: 'replaced' });
  });

  it('rename a product that still has the name which was seen', async () => {
    const { addProduct, renameProduct } = administrationOver();
    const seen = await addProduct('a', 'Alpha', aCall());
    const product = { ...seen, name: 'Beta' };
    expect(await renameProduct(seen, 'Beta', aCall())).to.deep.equal({ product, changed: true });
    for (const old of [seen, product]) {
      expect(await renameProduct(old, 'Beta', aCall())).to.deep.equal({ product, changed: false });
    }
    const late = [renameProduct(seen, 'Gamma', aCall()), renameProduct({ ...seen, id: 'b' }, 'Gamma', aCall())];
    for (const each of late) expect((await refusalOf(each)).code).to.equal('changed_meanwhile');
  });

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
