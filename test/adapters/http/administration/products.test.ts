import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const createdAt = noon.toISOString();
const by = { by: 'operator:opk_1', correlationId: requestId };

describe('the products of the administration', () => {
  const admin = freshAdmin(memory);

  it('are added, and renamed without another change', async () => {
    const added = await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    const product = { id: 'prod_1', name: 'Sketchpad', createdAt };
    expect([added.status, added.body]).to.deep.equal([201, { success: true, data: product, correlationId: requestId }]);
    admin().service.now = new Date(noon.getTime() + 1000);
    const renamed = await admin().put('/admin/products/prod_1', { name: 'Sketchpad 2' });
    expect([renamed.status, dataOf(renamed)]).to.deep.equal([200, { ...product, name: 'Sketchpad 2' }]);
    const repeated = await admin().put('/admin/products/prod_1', { name: 'Sketchpad 2' });
    expect([repeated.status, repeated.body]).to.deep.equal([200, renamed.body]);
    expect(admin().changes).to.deep.equal([
      { command: 'product add', productId: 'prod_1', ...by },
      { command: 'product rename', productId: 'prod_1', ...by },
    ]);
  });

  it('are listed by id', async () => {
    const none = await admin().get('/admin/products');
    expect([none.status, none.body]).to.deep.equal([
      200,
      { success: true, data: [], meta: { limit: 50, hasMore: false, next: null }, correlationId: requestId },
    ]);
    for (const id of ['prod_2', 'prod_10', 'prod_1']) await admin().put(`/admin/products/${id}`, { name: id });
    const listed = await admin().get('/admin/products');
    const products = ['prod_1', 'prod_10', 'prod_2'].map((id) => ({ id, name: id, createdAt }));
    expect(dataOf(listed)).to.deep.equal(products);
  });
});
