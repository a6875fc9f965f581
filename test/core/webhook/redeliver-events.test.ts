import { expect } from 'chai';
import { readFeed } from '../../../core/feed/read-feed.ts';
import { deleteWebhook } from '../../../core/webhook/add-webhook.ts';
import { feedCursorRule, replayWebhook, retryWebhook, type Replay } from '../../../core/webhook/redeliver-events.ts';
import type { DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, deadlineIn, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const waiting = { positions: [1, 2], attempt: 3, at: later(1000) };
const due = { positions: [1, 2], attempt: 0, at: noon };

describe('the events of a webhook endpoint', () => {
  const store = freshStore(memory.open);
  const endpoints = () => store().webhookEndpoints;
  const streams = () => store().deliveryStreams;
  const find = (productId = 'prod_1') => streams().find(aStream({ productId }), aCall());

  const retry = (over = streams()): Promise<number> => retryWebhook(endpoints(), over)('whk_1', aCall());
  const replay = (overrides: Partial<Replay> = {}, over = streams()): Promise<DeliveryStream> =>
    replayWebhook(
      endpoints(),
      over,
      readFeed(store().events),
    )({ id: 'whk_1', productId: 'prod_1', from: '0-', ...overrides }, aCall());

  /** Does something before each of the first `times` changes of a stream. */
  const contended = (times: number, work: (seen: DeliveryStream, change: number) => Promise<unknown>) => {
    let changes = 0;
    return interposed(streams(), async (method) => {
      if (method !== 'replace') return;
      changes += 1;
      const seen = await find();
      if (seen !== null && changes <= times) await work(seen, changes);
    });
  };
  const delivering = (seen: DeliveryStream, change: number) =>
    streams().replace({ ...seen, cursor: 10 + change, fence: seen.fence + 1 }, aCall());
  const deleting = () => deleteWebhook(endpoints(), streams())('whk_1', aCall());

  /** The cursor of the feed behind the event at a position. */
  const cursorAt = async (position: number): Promise<string> =>
    (await readFeed(store().events)('prod_1', { after: null, limit: position }, aCall())).next;

  beforeEach(async () => {
    await endpoints().add(anEndpoint({ productId: null }), aCall());
  });

  it('are retried at once if they wait, are parked or their endpoint is down', async () => {
    const parked = { positions: [3], attempt: 10, at: null };
    const failing = { failing: ['a'], failingSince: noon, probe: { attempt: 2, at: later(1000) } };
    await streams().add([aStream({ pending: new Map([['a', waiting]]) })], aCall());
    await streams().add([aStream({ productId: 'prod_2', pending: new Map([['b', parked]]), ...failing })], aCall());
    expect(await retry()).to.equal(3);
    expect(await find()).to.deep.equal(aStream({ pending: new Map([['a', due]]), fence: 2 }));
    expect(await find('prod_2')).to.deep.equal(
      aStream({ productId: 'prod_2', pending: new Map([['b', { ...due, positions: [3] }]]), fence: 2 }),
    );
  });

  it('leave a stream alone that has none, unless it counts as failing', async () => {
    await streams().add([aStream()], aCall());
    await streams().add([aStream({ productId: 'prod_2', failingSince: noon })], aCall());
    expect(await retry()).to.equal(0);
    expect(await find()).to.deep.equal(aStream());
    expect(await find('prod_2')).to.deep.equal(aStream({ productId: 'prod_2', fence: 2 }));
  });

  it('are retried in every one of many streams', async () => {
    for (const index of range(201)) {
      const pending = new Map([['a', { ...waiting, positions: [7] }]]);
      await streams().add([aStream({ productId: `prod_${index}`, pending })], aCall());
    }
    expect(await retry()).to.equal(201);
  });

  it('are not retried for an endpoint that is disabled or unknown', async () => {
    const retryOf = (id: string): Promise<number> => retryWebhook(endpoints(), streams())(id, aCall());
    await endpoints().add(anEndpoint({ id: 'whk_2', state: 'disabled', reason: 'requested' }), aCall());
    expect((await refusalOf(retryOf('whk_2'))).code).to.equal('webhook_disabled');
    expect((await refusalOf(retryOf('whk_3'))).code).to.equal('webhook_not_found');
  });

  it('are retried as the process that delivers has left them', async () => {
    await streams().add([aStream({ pending: new Map([['a', waiting]]) })], aCall());
    expect(await retry(contended(9, delivering))).to.equal(2);
    expect(await find()).to.deep.equal(aStream({ pending: new Map([['a', due]]), cursor: 19, fence: 11 }));
  });

  it('are not retried if the process that delivers is faster until the deadline', async () => {
    await streams().add([aStream({ pending: new Map([['a', waiting]]) })], aCall());
    const call = aCall({ deadline: deadlineIn(50) });
    const retried = retryWebhook(endpoints(), contended(Infinity, delivering))('whk_1', call);
    expect((await refusalOf(retried)).code).to.equal('changed_meanwhile');
  });

  it('are gone if the endpoint was deleted meanwhile', async () => {
    await streams().add([aStream({ cursor: 2, pending: new Map([['a', waiting]]) })], aCall());
    expect(await retry(contended(1, deleting))).to.equal(0);
    await streams().add([aStream({ cursor: 2 })], aCall());
    await endpoints().add(anEndpoint({ productId: null }), aCall());
    expect((await refusalOf(replay({}, contended(1, deleting)))).code).to.equal('webhook_not_found');
  });

  describe('with a log', () => {
    beforeEach(async () => {
      for (const id of ['ent_1', 'ent_2', 'ent_3']) {
        const entitlement = aSubscription({ id, sequence: 1 });
        const events = [anEvent(entitlement, { id: `evt_${id}-and-more` })];
        await store().allEntitlements.add(
          [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }],
          aCall(),
        );
      }
    });

    it('are delivered again from a cursor on', async () => {
      await streams().add([aStream({ cursor: 3 })], aCall());
      const replayed = aStream({ cursor: 1, fence: 2 });
      expect(await replay({ from: await cursorAt(1) })).to.deep.equal(replayed);
      expect(await find()).to.deep.equal(replayed);
    });

    it('change nothing if they were not read yet', async () => {
      await streams().add([aStream({ cursor: 1 })], aCall());
      expect(await replay({ from: await cursorAt(2) })).to.deep.equal(aStream({ cursor: 1 }));
    });

    it('are not delivered again from a cursor that the feed refuses', async () => {
      await streams().add([aStream({ cursor: 3 })], aCall());
      for (const from of ['1-another', '4-ent_4-an']) {
        expect((await refusalOf(replay({ from }))).code).to.equal('cursor_unknown');
      }
      expect(await find()).to.deep.equal(aStream({ cursor: 3 }));
    });

    it('are not delivered again for an unknown endpoint, or a product that it gets no events of', async () => {
      expect((await refusalOf(replay({ id: 'whk_2' }))).code).to.equal('webhook_not_found');
      expect((await refusalOf(replay())).code).to.equal('product_not_found');
    });
  });
});

describe('the rule for a cursor of the feed', () => {
  it('takes what a page of the feed has as its next', () => {
    expect(['0-', '1-abcdefgh', '123456789012345-a'].map(feedCursorRule.parse)).to.not.include(null);
    for (const text of ['', '1', '-1-a', '0-a', 'next']) expect(feedCursorRule.parse(text)).to.equal(null);
    expect(feedCursorRule.rule).to.equal('must be a cursor of the feed, the next of one of its pages');
  });
});
