import { expect } from 'chai';
import { readFeed } from '../../../core/feed/read-feed.ts';
import { deleteWebhook } from '../../../core/webhook/add-webhook.ts';
import { skipWebhookEvents, type Skip, type Skipped } from '../../../core/webhook/redeliver-events.ts';
import type { PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const parked: PendingEvents = { positions: [1, 3], attempt: 10, at: null };
const due: PendingEvents = { positions: [3], attempt: 0, at: noon };

describe('the events that are skipped', () => {
  const store = freshStore(memory.open);
  const streams = () => store().deliveryStreams;
  const find = () => streams().find(aStream(), aCall());
  const to = '2-ent_2-an';

  const skip = (overrides: Partial<Skip> = {}, over = streams()): Promise<Skipped> =>
    skipWebhookEvents(
      store().webhookEndpoints,
      over,
      readFeed(store().events),
    )({ id: 'whk_1', productId: 'prod_1', to, entitlementId: null, ...overrides }, aCall());

  beforeEach(async () => {
    await store().webhookEndpoints.add(anEndpoint(), aCall());
    for (const id of ['ent_1', 'ent_2', 'ent_3']) {
      const entitlement = aSubscription({ id, sequence: 1 });
      const events = [anEvent(entitlement, { id: `evt_${id}-and-more` })];
      await store().allEntitlements.add(
        [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }],
        aCall(),
      );
    }
  });

  it('are those up to a cursor, once', async () => {
    await streams().add([aStream({ cursor: 3, pending: new Map([['a', parked]]) })], aCall());
    const stream = aStream({ cursor: 3, pending: new Map([['a', due]]), fence: 2 });
    expect(await skip()).to.deep.equal({ stream, changed: true });
    expect(await find()).to.deep.equal(stream);
    expect(await skip()).to.deep.equal({ stream, changed: false });
  });

  it('are those of one entitlement', async () => {
    const pending = new Map([
      ['a', parked],
      ['b', { ...parked, positions: [2] }],
    ]);
    await streams().add([aStream({ cursor: 3, pending })], aCall());
    await skip({ entitlementId: 'a' });
    const stream = await streams().find(aStream(), aCall(), 'all');
    expect(stream?.pending).to.deep.equal(new Map(pending).set('a', due));
  });

  it('are decided on the stream as the process that delivers has left it', async () => {
    await streams().add([aStream({ cursor: 3, pending: new Map([['a', parked]]) })], aCall());
    let isFirst = true;
    const contended = interposed(streams(), async (method) => {
      const seen = await find();
      if (method !== 'replace' || !isFirst || seen === null) return;
      isFirst = false;
      await streams().replace({ ...seen, pending: new Map(), fence: 2 }, aCall());
    });
    const stream = aStream({ cursor: 3, fence: 2 });
    expect(await skip({}, contended)).to.deep.equal({ stream, changed: false });
  });

  it('are none of an endpoint that is deleted meanwhile, or unknown, or gets no events of the product', async () => {
    expect((await refusalOf(skip({ id: 'whk_2' }))).code).to.equal('webhook_not_found');
    expect((await refusalOf(skip())).code).to.equal('product_not_found');
    await streams().add([aStream({ cursor: 3, pending: new Map([['a', parked]]) })], aCall());
    expect((await refusalOf(skip({ to: '2-another' }))).code).to.equal('cursor_unknown');
    const deleted = interposed(streams(), async (method) => {
      if (method === 'replace') await deleteWebhook(store().webhookEndpoints, streams())('whk_1', aCall());
    });
    expect((await refusalOf(skip({}, deleted))).code).to.equal('webhook_not_found');
  });
});
