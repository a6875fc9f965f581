import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { eventTypes } from '../../../../core/event/event-type.ts';
import { aCall, aSubscription, hour, noon } from '../../../support/builders.ts';
import { AdminClient, dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory, stores } from '../../../support/stores/stores.ts';
import { loopback } from '../../../support/webhooks/deliveries.ts';
import { answerWith, Receiver } from '../../../support/webhooks/receiver.ts';

const path = '/admin/webhooks';
const url = 'https://shop.example/hooks?tenant=1';
const by = { by: 'operator:opk_1', correlationId: requestId };

const view = {
  id: 'whk_1',
  url,
  productId: null,
  types: null,
  state: 'enabled',
  reason: null,
  secrets: 1,
  createdAt: noon.toISOString(),
};

/** The members of an answer but the secret. */
function withoutSecret(reply: Reply): object {
  const { secret: _, ...members } = dataOf(reply) as { readonly secret?: string };
  return members;
}

function secretOf(reply: Reply): unknown {
  return (dataOf(reply) as { readonly secret?: unknown }).secret;
}

for (const store of stores) {
  describe(`the webhook endpoints of the administration on ${store.name}`, () => {
    const admin = freshAdmin(store);

    const add = (body: object = {}): Promise<Reply> => admin().post(path, { id: 'whk_1', url, ...body });

    it('are added with a secret that is shown once', async () => {
      const added = await add();
      expect([added.status, withoutSecret(added)]).to.deep.equal([201, view]);
      expect(secretOf(added)).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const repeated = await add();
      expect([repeated.status, dataOf(repeated)]).to.deep.equal([200, { ...view, secret: null }]);
      const listed = await admin().get(path);
      expect([dataOf(listed), outcomeOf(await admin().get(`${path}/whk_1`))[0]]).to.deep.equal([[view], 200]);
      expect(admin().changes).to.deep.equal([{ command: 'webhook add', webhookId: 'whk_1', ...by }]);
    });

    it('get an id if none is given, and the product and types that are', async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      const types = ['entitlement.ended', 'license.rotated'];
      const added = await admin().post(path, { url, productId: 'prod_1', types: types.toReversed() });
      const { id } = withoutSecret(added) as { readonly id: string };
      expect(id).to.match(/^whk_[0-9A-Za-z]{22}$/);
      expect(withoutSecret(added)).to.deep.equal({ ...view, id, productId: 'prod_1', types });
    });

    it('are refused with an id on other terms, and with an unknown product', async () => {
      await add();
      const exists = [409, 'webhook_exists', 'Another webhook endpoint has this id.'];
      expect(outcomeOf(await add({ url: 'https://shop.example/' }))).to.deep.equal(exists);
      expect(outcomeOf(await add({ types: [...eventTypes] }))).to.deep.equal(exists);
      expect(outcomeOf(await add({ productId: 'prod_1' }))).to.deep.equal([
        404,
        'product_not_found',
        'Product not found.',
      ]);
    });

    it('are added once by twenty requests at the same time', async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => add()));
      expect(replies.filter(({ status }) => status === 201)).to.have.length(1);
      expect(replies.filter((reply) => secretOf(reply) !== null)).to.have.length(1);
    });

    it('get a new secret, while the one before it signs for the overlap', async () => {
      const added = await add();
      const rotated = await admin().post(`${path}/whk_1/rotate-secret`, { overlap: '1h' });
      expect([rotated.status, withoutSecret(rotated)]).to.deep.equal([201, { ...view, secrets: 2 }]);
      expect(secretOf(rotated)).to.not.equal(secretOf(added));
      const { secrets = [] } =
        (await admin().service.container.get(tokens.webhookEndpoints).find('whk_1', aCall())) ?? {};
      expect(secrets).to.deep.equal([
        { key: secretOf(rotated), until: null },
        { key: secretOf(added), until: new Date(+noon + hour) },
      ]);
      const last = await admin().post(`${path}/whk_1/rotate-secret`, { overlap: '0s' });
      expect(withoutSecret(last)).to.deep.equal(view);
      expect(admin().changes.slice(1)).to.deep.equal(
        [1, 2].map(() => ({ command: 'webhook rotate-secret', webhookId: 'whk_1', ...by })),
      );
    });

    it('have at most ten secrets', async () => {
      await add();
      const statuses = [];
      for (let count = 0; count < 10; count += 1) {
        statuses.push((await admin().post(`${path}/whk_1/rotate-secret`)).status);
      }
      expect(statuses).to.deep.equal([...Array.from({ length: 9 }, () => 201), 409]);
    });

    it('are disabled and enabled, each once', async () => {
      await add();
      const states = [];
      for (const change of ['disable', 'disable', 'enable', 'enable']) {
        const reply = await admin().post(`${path}/whk_1/${change}`);
        states.push(dataOf(reply));
      }
      const disabled = { ...view, state: 'disabled', reason: 'requested' };
      expect(states).to.deep.equal([disabled, disabled, view, view]);
      expect(admin().changes.slice(1)).to.deep.equal([
        { command: 'webhook disable', webhookId: 'whk_1', ...by },
        { command: 'webhook enable', webhookId: 'whk_1', ...by },
      ]);
      await admin().post(`${path}/whk_1/disable`);
      expect(outcomeOf(await admin().post(`${path}/whk_1/retry`)).slice(0, 2)).to.deep.equal([409, 'webhook_disabled']);
    });

    it('show the state of their deliveries, one for each product', async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      await add();
      const stream = {
        productId: 'prod_1',
        position: 0,
        pending: 0,
        parked: 0,
        failingSince: null,
        nextProbeAt: null,
        deliveredAt: null,
      };
      expect(dataOf(await admin().get(`${path}/whk_1`))).to.deep.equal({ ...view, deliveries: [stream] });
      expect(dataOf(await admin().post(`${path}/whk_1/retry`))).to.deep.equal({ events: 0 });
      const replayed = await admin().post(`${path}/whk_1/replay`, { productId: 'prod_1', from: '0-' });
      expect(dataOf(replayed)).to.deep.equal(stream);
    });

    it('refuse to replay from a cursor of another log, and events of another product', async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      await admin().service.grant(aSubscription({ sequence: 1 }));
      await add();
      const replay = async (productId: string, from: string): Promise<readonly unknown[]> =>
        outcomeOf(await admin().post(`${path}/whk_1/replay`, { productId, from })).slice(0, 2);
      expect(await replay('prod_1', '1-12345678')).to.deep.equal([410, 'cursor_unknown']);
      expect(await replay('prod_1', 'next')).to.deep.equal([400, 'invalid_body']);
      expect(await replay('prod_2', '0-')).to.deep.equal([404, 'product_not_found']);
    });

    it('skip events up to a cursor, and a repeat changes nothing', async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      await add();
      const own = { productId: 'prod_1', to: '0-' };
      for (const body of [own, { ...own, entitlementId: 'ent_1' }]) {
        expect(dataOf(await admin().post(`${path}/whk_1/skip`, body))).to.include({ position: 0, pending: 0 });
      }
      const skip = async (productId: string, to: string): Promise<readonly unknown[]> =>
        outcomeOf(await admin().post(`${path}/whk_1/skip`, { productId, to })).slice(0, 2);
      expect(await skip('prod_1', '1-12345678')).to.deep.equal([410, 'cursor_unknown']);
      expect(await skip('prod_1', 'next')).to.deep.equal([400, 'invalid_body']);
      expect(await skip('prod_2', '0-')).to.deep.equal([404, 'product_not_found']);
      expect(admin().changes.filter((change) => JSON.stringify(change).includes('skip'))).to.deep.equal([]);
    });

    it('are deleted, and a repeat is no error', async () => {
      await add();
      const deleted = [];
      for (const _ of [1, 2]) deleted.push(dataOf(await admin().send('DELETE', `${path}/whk_1`)));
      expect(deleted).to.deep.equal([{ deleted: 1 }, { deleted: 0 }]);
      const malformed = await admin().send('DELETE', `${path}/a%20b`);
      expect(outcomeOf(malformed).slice(0, 2)).to.deep.equal([400, 'invalid_parameter']);
      expect(admin().changes.slice(1)).to.deep.equal([{ command: 'webhook delete', webhookId: 'whk_1', ...by }]);
    });

    it('are not found under another id', async () => {
      const requests: readonly (readonly [string, object?])[] = [
        ['rotate-secret'],
        ['enable'],
        ['disable'],
        ['test'],
        ['retry'],
        ['replay', { productId: 'prod_1', from: '0-' }],
        ['skip', { productId: 'prod_1', to: '0-' }],
      ];
      const notFound = [404, 'webhook_not_found', 'Webhook endpoint not found.'];
      for (const [change, body] of requests) {
        expect(outcomeOf(await admin().post(`${path}/whk_2/${change}`, body)), change).to.deep.equal(notFound);
      }
      expect(outcomeOf(await admin().get(`${path}/whk_2`))).to.deep.equal(notFound);
    });
  });
}

describe('the bodies of requests for webhook endpoints', () => {
  const admin = freshAdmin(memory);
  const message = async (body: object): Promise<unknown> => outcomeOf(await admin().post(path, body))[2];

  const urls = [
    'ftp://shop.example/',
    'https://',
    'https:///path',
    'https://[::1]/',
    'https://shop.example:65536/',
    'https://ada:secret@shop.example/',
    'https://shop.example/#top',
    'https://shop.example/a b',
    'shop.example',
    `https://shop.example/${'x'.repeat(2000)}`,
  ];
  for (const bad of urls) {
    it(`have no URL such as ${bad.slice(0, 40)}`, async () => {
      const reply = await admin().post(path, { url: bad });
      expect(outcomeOf(reply).slice(0, 2)).to.deep.equal([400, 'invalid_body']);
    });
  }

  it('name their mistakes', async () => {
    expect(await message({ adress: url }))
      .to.include('adress')
      .and.to.include('url is missing.');
    for (const types of [[], ['entitlement.end'], 'entitlement.ended', [1]]) {
      expect(await message({ url, types })).to.equal(`types must be one or more of ${eventTypes.join(', ')}.`);
    }
  });

  it('need the scope admin:access, for reading too', async () => {
    await admin().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    const reply = await admin().send('GET', path, { key: operatorKeys.reader });
    expect(outcomeOf(reply).slice(0, 2)).to.deep.equal([403, 'insufficient_scope']);
  });
});

describe('a test of a webhook endpoint over HTTP', () => {
  const service = freshService(memory, { adminPort: 0, webhookAllowNetworks: loopback });
  let receiver: Receiver;

  beforeEach(async () => {
    await service().addOperatorKey(operatorKeys.full);
    receiver = await Receiver.start();
    receiver.clock = () => [+noon];
  });
  afterEach(async () => {
    await receiver.close();
    expect(receiver.forged).to.deep.equal([]);
  });

  it('says whether the message arrived, whatever the state of the endpoint', async () => {
    const admin = new AdminClient(service());
    const added = await admin.post(path, { id: 'whk_1', url: receiver.url });
    receiver.secrets = [String(secretOf(added))];
    const tested = async (): Promise<unknown> => dataOf(await admin.post(`${path}/whk_1/test`));
    expect(await tested()).to.deep.equal({ delivered: true, answer: 'status 204' });
    await admin.post(`${path}/whk_1/disable`);
    receiver.answer = answerWith(410);
    expect(await tested()).to.deep.equal({ delivered: false, answer: 'status 410' });
    expect(receiver.received.map(({ type, data }) => [type, data])).to.deep.equal([
      ['webhook.test', {}],
      ['webhook.test', {}],
    ]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).to.equal(2);
  });
});
