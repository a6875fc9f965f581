import { expect } from 'chai';
import { plainFacts } from '../../../../core/product/products.port.ts';
import { noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const createdAt = noon.toISOString();
const by = { by: 'operator:opk_1', correlationId: requestId };

describe('the products of the administration', () => {
  const admin = freshAdmin(memory);

  it('are added, and renamed without another change', async () => {
    const added = await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    const product = { id: 'prod_1', name: 'Sketchpad', createdAt, ...plainFacts };
    expect([added.status, added.body]).to.deep.equal([201, { success: true, data: product, correlationId: requestId }]);
    admin().service.now = new Date(noon.getTime() + 1000);
    const renamed = await admin().put('/admin/products/prod_1', { name: 'Sketchpad 2' });
    expect([renamed.status, dataOf(renamed)]).to.deep.equal([200, { ...product, name: 'Sketchpad 2' }]);
    const repeated = await admin().put('/admin/products/prod_1', { name: 'Sketchpad 2' });
    expect([repeated.status, repeated.body]).to.deep.equal([200, renamed.body]);
    expect(admin().changes).to.deep.equal([
      { command: 'product add', productId: 'prod_1', ...by },
      { command: 'product set', productId: 'prod_1', ...by },
    ]);
  });

  it('have links, an icon and mails, which a request that leaves them out removes', async () => {
    const facts = {
      downloadUrl: 'https://sketchpad.example/get',
      supportUrl: 'mailto:help@sketchpad.example',
      accountUrl: 'https://sketchpad.example/account',
      activateUrl: 'sketchpad://activate?key={key}',
      iconUrl: 'https://cdn.example/sketchpad.png',
      mailKeys: false,
      mailSubject: '{product}: {tier}',
      mailText: 'Open {product}.\n\tThen paste the key.',
      mailEnding: true,
    };
    const product = { id: 'prod_1', name: 'Sketchpad', createdAt, ...plainFacts };
    const put = (body: object) => admin().put('/admin/products/prod_1', { name: 'Sketchpad', ...body });
    expect(dataOf(await put(facts))).to.deep.equal({ ...product, ...facts });
    expect(dataOf(await admin().get('/admin/products'))).to.deep.equal([{ ...product, ...facts }]);
    const some = { ...facts, downloadUrl: null, mailKeys: null };
    expect(dataOf(await put(some))).to.deep.equal({ ...product, ...some, mailKeys: true });
    expect(dataOf(await put({ mailText: 'a\r\nb' }))).to.deep.equal({ ...product, mailText: 'a\nb' });
    expect(dataOf(await put({}))).to.deep.equal(product);
    expect(admin().changes).to.deep.equal(
      ['add', 'set', 'set', 'set'].map((verb) => ({ command: `product ${verb}`, productId: 'prod_1', ...by })),
    );
  });
});

const sold = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro' };
describe('the prices of the administration', () => {
  const admin = freshAdmin(memory);
  const put = (price: string, body: object = sold): ReturnType<ReturnType<typeof admin>['put']> =>
    admin().put(`/admin/stripe/prices/${price}`, body);

  beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

  it('are new with 201, known with 200, counted when they are removed, and have a limit of devices', async () => {
    expect((await put('price_1')).status).to.equal(201);
    expect((await put('price_1', { ...sold, deviceLimit: 3 })).status).to.equal(200);
    for (const deviceLimit of [0, 10_001, '3', 1.5, 'unlimited']) {
      expect(outcomeOf(await put('price_1', { ...sold, deviceLimit })).slice(0, 2)).to.deep.equal([
        400,
        'invalid_body',
      ]);
    }
    for (const deleted of [1, 0]) {
      expect(dataOf(await admin().send('DELETE', '/admin/stripe/prices/price_1'))).to.deep.equal({ deleted });
    }
  });
});
