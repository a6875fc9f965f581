import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { stores } from '../../../support/stores/stores.ts';

const createdAt = noon.toISOString();
const by = { by: 'operator:opk_1', correlationId: requestId };

for (const store of stores) {
  describe(`the products of the administration on ${store.name}`, () => {
    const admin = freshAdmin(store);

    it('are added, and renamed without another change', async () => {
      const added = await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      const product = { id: 'prod_1', name: 'Sketchpad', createdAt };
      expect([added.status, added.body]).to.deep.equal([
        201,
        { success: true, data: product, correlationId: requestId },
      ]);
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

    it('are added once by twenty requests at the same time', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => admin().put('/admin/products/prod_1', { name: 'Sketchpad' })),
      );
      expect(replies.filter(({ status }) => status === 200)).to.have.length(19);
      expect(new Set(replies.map((reply) => JSON.stringify(dataOf(reply))))).to.have.property('size', 1);
      expect(admin().changes).to.have.length(1);
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

    it('are refused with a malformed id, and with every mistake of the body', async () => {
      const badId = await admin().put(`/admin/products/${'x'.repeat(129)}`, { name: 'Sketchpad' });
      expect(outcomeOf(badId)).to.deep.equal([
        400,
        'invalid_parameter',
        'id must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".',
      ]);
      const rule = 'name must be 1 to 200 characters, not blank and without control characters.';
      const messages: readonly (readonly [body: unknown, message: string])[] = [
        [{}, 'name is missing.'],
        [{ name: null }, 'name is missing.'],
        [{ name: ' ' }, rule],
        [{ name: 5 }, rule],
        [{ name: 'Sketchpad', Name: 'x' }, '"Name" is not a member of this request.'],
        [{ title: 'Sketchpad' }, '"title" is not a member of this request. name is missing.'],
        [[], 'The request body must be a JSON object.'],
        ['name', 'The request body must be a JSON object.'],
        [null, 'The request body must be a JSON object.'],
      ];
      for (const [body, message] of messages) {
        const reply = await admin().put('/admin/products/prod_1', body);
        expect(outcomeOf(reply), JSON.stringify(body)).to.deep.equal([400, 'invalid_body', message]);
      }
      expect([dataOf(await admin().get('/admin/products')), admin().changes]).to.deep.equal([[], []]);
    });
  });
}
