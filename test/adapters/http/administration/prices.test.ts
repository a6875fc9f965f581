import { expect } from 'chai';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const sold = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' };
const by = { by: 'operator:opk_1', correlationId: requestId };

describe('the prices of the administration', () => {
  const admin = freshAdmin(memory);
  const put = (price: string, body: object = sold): ReturnType<ReturnType<typeof admin>['put']> =>
    admin().put(`/admin/stripe/prices/${price}`, body);

  const remove = async (price: string): Promise<unknown> =>
    dataOf(await admin().send('DELETE', `/admin/stripe/prices/${price}`));

  beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

  it('are added, replaced, listed by id and removed, and each change is logged', async () => {
    expect((await put('price_2')).status).to.equal(201);
    const added = await put('price_1');
    const mapping = { price: 'price_1', ...sold };
    expect([added.status, added.body]).to.deep.equal([201, { success: true, data: mapping, correlationId: requestId }]);
    const replaced = await put('price_1', { ...sold, tierName: 'Professional' });
    expect([replaced.status, dataOf(replaced)]).to.deep.equal([200, { ...mapping, tierName: 'Professional' }]);
    expect((await put('price_1', { ...sold, tierName: 'Professional' })).status).to.equal(200);
    expect(await remove('price_2')).to.deep.equal({ deleted: 1 });
    expect(await remove('price_2')).to.deep.equal({ deleted: 0 });
    expect(dataOf(await admin().get('/admin/stripe/prices'))).to.deep.equal([dataOf(replaced)]);
    expect(admin().changes.slice(1)).to.deep.equal([
      { command: 'stripe map add', price: 'price_2', ...by },
      { command: 'stripe map add', price: 'price_1', ...by },
      { command: 'stripe map add', price: 'price_1', ...by },
      { command: 'stripe map remove', price: 'price_2', ...by },
    ]);
  });

  it('sell only products that exist', async () => {
    const refused = await put('price_1', { ...sold, productId: 'prod_2' });
    expect([refused.status, refused.headers['error-code']]).to.deep.equal([404, 'product_not_found']);
  });
});
