import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, hour, noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { AdminClient, dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { freshService, startService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';
import { anAttempt } from '../../../support/webhooks/builders.ts';
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

describe('the webhook endpoints of the administration', () => {
  const admin = freshAdmin(memory);

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
      attempts: [],
    };
    expect(dataOf(await admin().get(`${path}/whk_1`))).to.deep.equal({ ...view, deliveries: [stream] });
    expect(dataOf(await admin().post(`${path}/whk_1/retry`))).to.deep.equal({ events: 0 });
    const replayed = await admin().post(`${path}/whk_1/replay`, { productId: 'prod_1', from: '0-' });
    expect(dataOf(replayed)).to.deep.equal(stream);
  });

  it('show the last attempts of their deliveries', async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await add();
    const streams = admin().service.container.get(tokens.deliveryStreams);
    const [stored] = await streams.page({ endpointId: 'whk_1', after: null, limit: 1 }, aCall());
    if (stored === undefined) throw new Error('the endpoint has a stream');
    const failed = anAttempt({ status: null, reason: 'no answer in time', durationMs: 15_000 });
    await streams.replace({ ...stored, attempts: [anAttempt(), failed], fence: stored.fence + 1 }, aCall());
    const { deliveries } = dataOf(await admin().get(`${path}/whk_1`)) as { readonly deliveries: readonly object[] };
    const attempt = { at: noon.toISOString(), eventId: 'evt_1' };
    expect(deliveries.map((delivery) => 'attempts' in delivery && delivery.attempts)).to.deep.equal([
      [
        { ...attempt, status: 204, reason: null, durationMs: 12 },
        { ...attempt, status: null, reason: 'no answer in time', durationMs: 15_000 },
      ],
    ]);
  });

  it('skip events up to a cursor, and a repeat changes nothing', async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await add();
    const own = { productId: 'prod_1', to: '0-' };
    for (const body of [own, { ...own, entitlementId: 'ent_1' }]) {
      expect(dataOf(await admin().post(`${path}/whk_1/skip`, body))).to.include({ position: 0, pending: 0 });
    }
    expect(admin().changes.filter((change) => JSON.stringify(change).includes('skip'))).to.deep.equal([]);
  });

  it('are deleted, and a repeat is no error', async () => {
    await add();
    const deleted = [];
    for (const _ of [1, 2]) deleted.push(dataOf(await admin().send('DELETE', `${path}/whk_1`)));
    expect(deleted).to.deep.equal([{ deleted: 1 }, { deleted: 0 }]);
    expect(admin().changes.slice(1)).to.deep.equal([{ command: 'webhook delete', webhookId: 'whk_1', ...by }]);
  });
});

describe('a test of a webhook endpoint over HTTP', () => {
  const service = freshService(memory, { adminPort: 0, webhookAllowNetworks: loopback });
  let receiver: Receiver;

  beforeEach(async () => {
    await service().addOperatorKey(operatorKeys.full);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    expect(receiver.forged).to.deep.equal([]);
  });

  it('says that there was no answer in time if the receiver is slower than the deadline', async () => {
    const slow = await startService(memory, { adminPort: 0, webhookAllowNetworks: loopback, storeDeadline: 4000 });
    try {
      await slow.addOperatorKey(operatorKeys.full);
      const admin = new AdminClient(slow);
      receiver.secrets = [String(secretOf(await admin.post(path, { id: 'whk_1', url: receiver.url })))];
      receiver.answer = () => {};
      // On a slow machine the quarter second that is kept for the answer may not be enough, and the request is refused.
      const tested = await eventually(
        async () => {
          slow.logged.length = 0;
          return dataOf(await admin.post(`${path}/whk_1/test`));
        },
        (data) => data !== undefined,
      );
      expect(tested).to.deep.equal({ delivered: false, answer: 'no answer in time' });
      expect(slow.faults).to.deep.equal([]);
    } finally {
      await slow.stop();
    }
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
    const test = { command: 'webhook test', webhookId: 'whk_1', ...by };
    expect(admin.changes.filter((change) => JSON.stringify(change).includes('webhook test'))).to.deep.equal([
      test,
      test,
    ]);
  });
});
