import { expect } from 'chai';
import { readFeed } from '../../../core/feed/read-feed.ts';
import { aCall, aSubscription, granted, hour, later, noon } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';
import { anAttempt } from '../../support/webhooks/builders.ts';

const url = 'https://shop.example/hooks?tenant=1';
const id = 'whk_1';
const view = {
  id,
  url,
  productId: null,
  types: null,
  state: 'enabled',
  reason: null,
  secrets: 1,
  createdAt: noon.toISOString(),
};
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

const logged = (...verbs: readonly string[]) => verbs.map((verb) => ({ command: `webhook ${verb}`, webhookId: id }));

atEachDoor('the commands about webhook endpoints', (door) => {
  beforeEach(() => door().administration.addProduct('prod_1', 'Sketchpad', aCall()));

  const add = async (more: object = { id }) =>
    (await door().run('webhook add', { url, ...more })) as { readonly id: string; readonly secret: string | null };

  it('add an endpoint with a secret that is shown once', async () => {
    expect((await add()).secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await add()).to.deep.include({ id, secret: null });
    expect(await door().run('webhook list')).to.deep.equal([view]);
    expect(door().changes()).to.deep.equal(logged('add'));
  });

  it('give one an id, the product and the types', async () => {
    const types = ['entitlement.ended', 'license.rotated'];
    const added = await add({ productId: 'prod_1', types: types.toReversed() });
    expect(added.id).to.match(/^whk_[0-9A-Za-z]{22}$/);
    const shown = { ...view, id: added.id, productId: 'prod_1', types, deliveries: [stream] };
    expect(await door().run('webhook show', { id: added.id })).to.deep.equal(shown);
  });

  it('make a new secret, while the one before it signs for the overlap', async () => {
    const { secret } = await add();
    const rotated = (await door().run('webhook rotate-secret', { id, overlap: '1h' })) as { readonly secret: string };
    const { endpoint } = await door().administration.showWebhook(id, aCall());
    expect(endpoint.secrets).to.deep.equal([
      { key: rotated.secret, until: null },
      { key: secret, until: later(hour) },
    ]);
    await door().run('webhook rotate-secret', { id, overlap: '0s' });
    expect(await door().run('webhook list')).to.deep.equal([view]);
    expect(door().changes()).to.deep.equal(logged('add', 'rotate-secret', 'rotate-secret'));
  });

  it('disable, enable and delete one, each once', async () => {
    await add();
    const disabled = { ...view, state: 'disabled', reason: 'requested' };
    for (const [verb, says] of [
      ['disable', disabled],
      ['disable', disabled],
      ['enable', view],
      ['enable', view],
      ['delete', { deleted: 1 }],
      ['delete', { deleted: 0 }],
    ] as const) {
      expect(await door().run(`webhook ${verb}`, { id })).to.deep.equal(says);
    }
    expect(door().changes()).to.deep.equal(logged('add', 'disable', 'enable', 'delete'));
  });

  it('show the last attempts of its deliveries, one stream for each product', async () => {
    await add();
    const { ports } = door();
    const [stored] = await ports.deliveryStreams.page({ endpointId: id, after: null, limit: 1 }, aCall());
    if (stored === undefined) throw new Error('the endpoint has a stream');
    const failed = anAttempt({ status: null, reason: 'no answer in time', durationMs: 15_000 });
    await ports.deliveryStreams.replace(
      { ...stored, attempts: [anAttempt(), failed], fence: stored.fence + 1 },
      aCall(),
    );
    const attempt = { at: noon.toISOString(), eventId: 'evt_1' };
    const attempts = [
      { ...attempt, status: 204, reason: null, durationMs: 12 },
      { ...attempt, status: null, reason: 'no answer in time', durationMs: 15_000 },
    ];
    const shown = { ...view, deliveries: [{ ...stream, attempts }] };
    expect(await door().run('webhook show', { id })).to.deep.equal(shown);
  });

  it('retry, replay and skip events, and a repeat changes nothing', async () => {
    await add();
    const { ports } = door();
    await ports.allEntitlements.add(granted([aSubscription({ sequence: 1 })]), aCall());
    const { next: to } = await readFeed(ports.events)('prod_1', { after: null, limit: 1 }, aCall());
    const own = { id, productId: 'prod_1' };
    expect(await door().run('webhook retry', { id })).to.deep.equal({ events: 0 });
    expect(await door().run('webhook replay', { ...own, from: '0-' })).to.deep.equal(stream);
    const skipOne = { ...own, to, entitlementId: 'ent_1' };
    expect(await door().run('webhook skip', skipOne)).to.include({ position: 0 });
    for (const _ of ['once', 'twice']) {
      expect(await door().run('webhook skip', { ...own, to })).to.include({ position: 1, pending: 0 });
    }
    expect(
      door()
        .changes()
        .filter(({ command }) => command === 'webhook skip'),
    ).to.have.length(1);
  });
});
