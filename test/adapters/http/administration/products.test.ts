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

  it('have a mail of their own, which a request that leaves it out removes', async () => {
    const mail = {
      mailKeys: false,
      mailSubject: '{product}: {tier}',
      mailText: 'Open {product}.\n\tThen paste the key.',
      mailEnding: true,
    };
    const product = { id: 'prod_1', name: 'Sketchpad', createdAt, ...plainFacts };
    const put = (body: object) => admin().put('/admin/products/prod_1', { name: 'Sketchpad', ...body });
    expect(dataOf(await put(mail))).to.deep.equal({ ...product, ...mail });
    for (const [member, wrong] of [
      ['mailKeys', 'false'],
      ['mailKeys', 0],
      ['mailSubject', ''],
      ['mailSubject', ' '],
      ['mailSubject', 'two\nlines'],
      ['mailSubject', 'x'.repeat(201)],
      ['mailSubject', '{key}'],
      ['mailSubject', '{Product}'],
      ['mailSubject', '{ product }'],
      ['mailSubject', '{product'],
      ['mailSubject', 'tier}'],
      ['mailSubject', '{{product}}'],
      ['mailText', 'x'.repeat(2001)],
      ['mailText', '\n \n'],
      ['mailText', '{licenseKey}'],
      ['mailText', 'a\u0000b'],
      ['mailText', 'a\rb'],
      ['mailText', 'a\ud800b'],
      ['mailText', 5],
      ['mailEnding', 'true'],
    ] as const) {
      const refused = await put({ ...mail, [member]: wrong });
      expect([refused.status, refused.headers['error-code']], `${member} ${wrong}`).to.deep.equal([
        400,
        'invalid_body',
      ]);
      expect(JSON.stringify(refused.body)).to.include(member);
    }
    expect(dataOf(await admin().get('/admin/products'))).to.deep.equal([{ ...product, ...mail }]);
    const longest = { mailSubject: '🎉'.repeat(200), mailText: 'é'.repeat(2000) };
    expect(dataOf(await put(longest))).to.deep.equal({ ...product, ...longest });
    expect(dataOf(await put({ mailText: 'a\r\nb', mailKeys: null }))).to.deep.equal({ ...product, mailText: 'a\nb' });
    expect(dataOf(await put({}))).to.deep.equal(product);
  });

  it('have links and an icon, which a request that leaves them out removes', async () => {
    const links = {
      downloadUrl: 'https://sketchpad.example/get',
      supportUrl: 'mailto:help@sketchpad.example',
      accountUrl: 'https://sketchpad.example/account',
      activateUrl: 'sketchpad://activate?key={key}',
      iconUrl: 'https://cdn.example/sketchpad.png',
    };
    const product = { id: 'prod_1', name: 'Sketchpad', createdAt, ...plainFacts };
    const put = (body: object) => admin().put('/admin/products/prod_1', { name: 'Sketchpad', ...body });
    expect(dataOf(await put(links))).to.deep.equal({ ...product, ...links });
    for (const [member, wrong] of [
      ['downloadUrl', 'mailto:help@sketchpad.example'],
      ['downloadUrl', 'http://sketchpad.example'],
      ['supportUrl', 'http://sketchpad.example'],
      ['supportUrl', 'mailto:ada@sketchpad.example,bob@sketchpad.example'],
      ['supportUrl', ''],
      ['accountUrl', 'mailto:help@sketchpad.example'],
      ['activateUrl', 'https://sketchpad.example/{key}'],
      ['activateUrl', 'javascript:{key}'],
      ['activateUrl', 'sketchpad://activate'],
      ['activateUrl', 7],
      ['iconUrl', 'http://cdn.example/sketchpad.png'],
      ['iconUrl', 'data:image/png;base64,AAAA'],
      ['iconUrl', 'https://ada@cdn.example/sketchpad.png'],
      ['homeUrl', 'https://sketchpad.example'],
    ] as const) {
      const refused = await put({ ...links, [member]: wrong });
      expect([refused.status, refused.headers['error-code']]).to.deep.equal([400, 'invalid_body']);
      expect(JSON.stringify(refused.body)).to.include(member);
    }
    expect(dataOf(await admin().get('/admin/products'))).to.deep.equal([{ ...product, ...links }]);
    expect(dataOf(await put({ ...links, downloadUrl: null }))).to.deep.equal({
      ...product,
      ...links,
      downloadUrl: null,
    });
    expect(dataOf(await put({}))).to.deep.equal(product);
    expect(admin().changes).to.deep.equal(
      ['add', 'set', 'set'].map((verb) => ({ command: `product ${verb}`, productId: 'prod_1', ...by })),
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
