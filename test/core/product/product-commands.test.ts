import { expect } from 'chai';
import { administrationOver } from '../../support/administration.ts';
import { aCall, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('the commands for products', () => {
  it('add products and list them by id', async () => {
    const { addProduct, listProducts } = administrationOver();
    expect(await addProduct('b', 'Beta', aCall())).to.deep.equal({ id: 'b', name: 'Beta', createdAt: noon });
    await addProduct('a', 'Alpha', aCall({ now: later(1) }));
    expect(await listProducts(aCall())).to.deep.equal([
      { id: 'a', name: 'Alpha', createdAt: later(1) },
      { id: 'b', name: 'Beta', createdAt: noon },
    ]);
  });

  it('refuse an id that exists, and keep the first product', async () => {
    const { addProduct, listProducts } = administrationOver();
    const results = await Promise.allSettled(range(20).map((index) => addProduct('a', `Name ${index}`, aCall())));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await refusalOf(addProduct('a', 'Late', aCall()))).code).to.equal('product_exists');
    expect(await listProducts(aCall())).to.deep.equal([{ id: 'a', name: 'Name 0', createdAt: noon }]);
  });
});
