import { expect } from 'chai';
import { billing } from '../../../core/billing/outgoing-stream.ts';
import { subjectOf } from '../../../core/feed/logged-event.ts';
import { withUnread } from '../../../core/receiver/unread-events.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { addSetAside } from '../../support/webhooks/builders.ts';

const name = streamName(billing.endpoint, 'prod_1');
const effect = { at: noon, mark: 'mark', unseen: [], keptAt: noon };

describe('what a log has after the position of a stream', () => {
  const store = freshStore(memory.open);
  let finds: unknown[];
  beforeEach(async () => {
    finds = [];
    for (const [id, type] of [
      ['sub_1', 'entitlement.suspended'],
      ['sub_2', 'entitlement.renewed'],
      ['sub_3', 'entitlement.suspended'],
    ] as const) {
      const entitlement = aSubscription({ id, sequence: 1 });
      const event = anEvent(entitlement, { id: `evt_${id}`, type, by: 'command:ada' });
      const changeRecord = { ...aChangeRecord(entitlement), events: [event] };
      await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
    }
  });

  const read = (stream: DeliveryStream, sendsState = true) => {
    const deliveryStreams = interposed(store().deliveryStreams, (_method, [, , aside]) => finds.push(aside));
    const terms = { wants: billing.wants, sendsState };
    return withUnread({ events: store().events, deliveryStreams }, terms, stream, aCall());
  };
  const stored = async (): Promise<DeliveryStream> => {
    const found = await store().deliveryStreams.find(name, aCall());
    if (found === null) throw new Error('there is no stream');
    return found;
  };

  it('is taken as far as it is wanted', async () => {
    const { stream, taken } = await read(newStream(name, 0));
    expect([stream.cursor, [...stream.pending]]).to.deep.equal([
      3,
      [
        ['sub_1', { positions: [1], attempt: 0, at: noon }],
        ['sub_3', { positions: [3], attempt: 0, at: noon }],
      ],
    ]);
    expect(taken.map(({ position, event }) => [position, subjectOf(event)])).to.deep.equal([
      [1, 'sub_1'],
      [3, 'sub_3'],
    ]);
    // Nothing was set aside, so that nothing is looked for.
    expect(finds).to.deep.equal([]);
  });

  it('is nothing at its end', async () => {
    const end = newStream(name, 3);
    const { stream, taken } = await read(end);
    expect([stream === end, taken]).to.deep.equal([true, []]);
  });

  for (const at of [later(9), null]) {
    it(`follows what was set aside ${at === null ? 'for a person' : 'for later'}`, async () => {
      const pending = new Map([
        ['sub_1', { positions: [1], attempt: 4, at }],
        ['sub_9', { positions: [1], attempt: 4, at }],
      ]);
      const effects = new Map([['sub_1', effect]]);
      await addSetAside(store().deliveryStreams, { ...newStream(name, 2), pending, effects });
      const before = await stored();
      expect([before.pending.size, before.aside.waiting + before.aside.parked]).to.deep.equal([0, 2]);
      const { stream } = await read({ ...before, cursor: 0 }, false);
      expect(stream.pending.get('sub_1')).to.deep.equal({ positions: [1, 1], attempt: 4, at });
      expect(stream.pending.get('sub_3')).to.deep.equal({ positions: [3], attempt: 0, at: noon });
      expect([stream.effects.get('sub_1'), stream.pending.has('sub_9')]).to.deep.equal([effect, false]);
      expect([stream.aside.waiting + stream.aside.parked, finds]).to.deep.equal([1, [['sub_1', 'sub_3']]]);
    });
  }

  it('brings what is parked, where the state of now is sent', async () => {
    const pending = new Map([['sub_1', { positions: [9], attempt: 4, at: null }]]);
    const known = { ...newStream(name, 0), pending };
    expect((await read(known)).stream.pending.get('sub_1')).to.deep.equal({ positions: [9, 1], attempt: 0, at: noon });
    expect((await read(known, false)).stream.pending.get('sub_1')).to.deep.equal({
      positions: [9, 1],
      attempt: 4,
      at: null,
    });
  });

  it('looks for nothing that the stream has itself', async () => {
    const pending = new Map([['sub_9', { positions: [1], attempt: 4, at: null }]]);
    await addSetAside(store().deliveryStreams, { ...newStream(name, 2), pending });
    const own = { positions: [2], attempt: 1, at: noon };
    await read({ ...(await stored()), pending: new Map([['sub_3', own]]) });
    expect(finds).to.deep.equal([]);
  });
});
