import { expect } from 'chai';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import { billing } from '../../../core/billing/outgoing-stream.ts';
import { maxLead, type Served } from '../../../core/clock/clock-state.ts';
import { mailing } from '../../../core/mail/mailing.ts';
import { isOwnReceiver, onlyEndpoint, readReceiverBacklog } from '../../../core/receiver/own-receiver.ts';
import { parkOld } from '../../../core/receiver/park-old.ts';
import {
  newStream,
  streamName,
  type DeliveryStream,
  type PendingEvents,
} from '../../../core/webhook/stream/delivery-stream.ts';
import { aStatement } from '../../support/affiliates/builders.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, day, later, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { addSetAside } from '../../support/webhooks/builders.ts';

const name = streamName(billing.endpoint, 'prod_1');
const longAgo: Served = { at: later(-10 * day), isLongAgo: true };
const justNow: Served = { at: noon, isLongAgo: false };
const waiting = (...positions: readonly number[]): PendingEvents => ({ positions, attempt: 2, at: later(5) });

describe('what waits for receivers when a server returns', () => {
  const store = freshStore(memory.open);
  let position = 0;
  beforeEach(() => {
    position = 0;
  });

  const park = (served: Served, ports = store() as Parameters<typeof parkOld>[1]) =>
    parkOld([billing], ports)(served, () => aCall());
  const stream = async (): Promise<DeliveryStream> => {
    const found = await store().deliveryStreams.find(name, aCall(), 'all');
    if (found === null) throw new Error('there is no stream');
    return found;
  };
  const parked = async (): Promise<readonly string[]> =>
    [...(await stream()).pending].flatMap(([id, { at }]) => (at === null ? [id] : []));
  /** Logs changes that the billing system is asked for, at some milliseconds from noon. Returns the last position. */
  const ask = async (id: string, ...ats: readonly number[]): Promise<number> => {
    const entitlement = aSubscription({ id, sequence: ats.length });
    const events = ats.map((at, index) =>
      anEvent(entitlement, {
        id: `evt_${id}_${index}`,
        type: 'entitlement.suspended',
        by: 'operator:opk_1',
        at: later(at),
        sequence: index + 1,
      }),
    );
    await store().allEntitlements.add(
      [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events } }],
      aCall(),
    );
    position += ats.length;
    return position;
  };
  const open = (cursor: number, pending: Readonly<Record<string, PendingEvents>> = {}) =>
    store().deliveryStreams.add([{ ...newStream(name, cursor), pending: new Map(Object.entries(pending)) }], aCall());

  it('is left alone after a restart', async () => {
    await open(0, { sub_1: waiting(await ask('sub_1', -20 * day)) });
    expect(await park(justNow)).to.deep.equal([]);
    expect(await parked()).to.deep.equal([]);
  });

  it('is parked if it was asked for before the store was served long ago, and an hour after that', async () => {
    const until = -10 * day + maxLead;
    const positions = [await ask('sub_1', until - 1), await ask('sub_2', until), await ask('sub_3', until + 1)];
    await open(3, Object.fromEntries(positions.map((one) => [`sub_${one}`, waiting(one)])));
    const { fence } = await stream();
    expect(await park(longAgo)).to.deep.equal([{ receiver: billing, entitlements: 2 }]);
    expect(await parked()).to.deep.equal(['sub_1', 'sub_2']);
    const after = await stream();
    expect([after.pending.get('sub_1'), after.fence]).to.deep.equal([{ ...waiting(1), at: null }, fence + 1]);
    expect(await park(longAgo)).to.deep.equal([{ receiver: billing, entitlements: 0 }]);
    expect((await stream()).fence).to.equal(fence + 1);
  });

  it('is parked if it is older than an hour where the store does not say when it was served', async () => {
    await ask('sub_1', -maxLead);
    await ask('sub_2', -maxLead + 1);
    await open(2, { sub_1: waiting(1), sub_2: waiting(2) });
    await park({ at: null, isLongAgo: true });
    expect(await parked()).to.deep.equal(['sub_1']);
  });

  it('is parked as far as it is in a backup that was restored, once', async () => {
    await ask('sub_1', -day);
    await ask('sub_2', -day + 1);
    await open(2, { sub_1: waiting(1), sub_2: waiting(2) });
    await store().clockMarks.noteRestore(later(-day), aCall());
    const old: Served = { at: later(-2 * day), isLongAgo: false };
    expect(await park(old)).to.deep.equal([{ receiver: billing, entitlements: 1 }]);
    expect(await parked()).to.deep.equal(['sub_1']);
    expect(await store().clockMarks.restoredAt(aCall())).to.equal(null);
    expect(await park(old)).to.deep.equal([]);
  });

  it('is parked until the store was served, if the clock of the restore was behind', async () => {
    await ask('sub_1', -day);
    await ask('sub_2', -day + 1);
    await open(2, { sub_1: waiting(1), sub_2: waiting(2) });
    await store().clockMarks.noteRestore(later(-3 * day), aCall());
    await park({ at: later(-day), isLongAgo: false });
    expect(await parked()).to.deep.equal(['sub_1']);
  });

  it('is parked by the later of both', async () => {
    await ask('sub_1', -10 * day + 1);
    await open(1, { sub_1: waiting(1) });
    await store().clockMarks.noteRestore(later(-20 * day), aCall());
    await park(longAgo);
    expect(await parked()).to.deep.equal(['sub_1']);
  });

  it('is left alone where the entitlement was changed later, because the state of now is sent', async () => {
    await ask('sub_1', -20 * day, 0);
    await ask('sub_2', -20 * day);
    await open(3, { sub_1: waiting(1, 2), sub_2: waiting(3), sub_9: waiting(9) });
    await park(longAgo);
    expect(await parked()).to.deep.equal(['sub_2']);
  });

  it('is parked though it was not read yet, and though there is much of it', async () => {
    for (const number of range(201)) await ask(`sub_${number}`, -20 * day);
    await ask('sub_new', 0);
    await open(0);
    expect(await park(longAgo)).to.deep.equal([{ receiver: billing, entitlements: 201 }]);
    const after = await stream();
    expect([after.cursor, (await parked()).length]).to.deep.equal([202, 201]);
    expect(after.pending.get('sub_new')).to.deep.equal({ positions: [202], attempt: 0, at: noon });
  });

  it('is parked with what was set aside before', async () => {
    const last = await ask('sub_1', -20 * day, -19 * day);
    await addSetAside(store().deliveryStreams, { ...newStream(name, 1), pending: new Map([['sub_1', waiting(1)]]) });
    await park(longAgo);
    const pending = (await stream()).pending.get('sub_1');
    expect([pending?.positions, pending?.at]).to.deep.equal([[1, last], null]);
  });

  it('is read again where another process has written first', async () => {
    await ask('sub_1', -20 * day);
    await open(1, { sub_1: waiting(1) });
    let isOver = false;
    const deliveryStreams = interposed(store().deliveryStreams, async (method) => {
      if (method !== 'replace' || isOver) return;
      isOver = true;
      const seen = await stream();
      await store().deliveryStreams.replace({ ...seen, deliveredAt: noon, fence: seen.fence + 1 }, aCall());
    });
    const { clockMarks, events } = store();
    expect(await park(longAgo, { clockMarks, events, deliveryStreams })).to.deep.equal([
      { receiver: billing, entitlements: 1 },
    ]);
    expect([await parked(), (await stream()).deliveredAt]).to.deep.equal([['sub_1'], noon]);
  });

  it('is parked for each receiver', async () => {
    await ask('sub_1', -20 * day);
    await open(1, { sub_1: waiting(1) });
    const mails = newStream(streamName(mailing.endpoint, 'prod_1'), 1);
    await store().deliveryStreams.add([{ ...mails, pending: new Map([['sub_1', waiting(1)]]) }], aCall());
    expect(await parkOld([billing, mailing], store())(longAgo, () => aCall())).to.deep.equal([
      { receiver: billing, entitlements: 1 },
      { receiver: mailing, entitlements: 0 },
    ]);
  });

  it('is parked where it is a statement, unless that is not mailed', async () => {
    for (const [handle, balance] of [
      ['ada', 270],
      ['bob', -270],
    ] as const) {
      const statement = aStatement({ handle, total: balance, balance });
      const closing = aCall({ now: later(-20 * day) });
      const event = statementEvent(statement, closing, () => `evt_${handle}`);
      await store().statements.add({ statement, lines: [] }, event, closing);
    }
    const mails = streamName(mailing.endpoint, 'prod_1');
    await store().deliveryStreams.add([newStream(mails, 0)], aCall());
    expect(await parkOld([mailing], store())(longAgo, () => aCall())).to.deep.equal([
      { receiver: mailing, entitlements: 1 },
    ]);
    const after = await store().deliveryStreams.find(mails, aCall(), 'all');
    expect([after?.cursor, [...(after?.pending ?? [])]]).to.deep.equal([
      2,
      [[`statement/${aStatement().id}`, { positions: [1], attempt: 0, at: null }]],
    ]);
  });
});

describe('the backlog of a receiver', () => {
  const store = freshStore(memory.open);
  const read = () => readReceiverBacklog(billing, store().deliveryStreams)(aCall());
  const add = (productId: string, overrides: Partial<DeliveryStream>) =>
    store().deliveryStreams.add([{ ...newStream(streamName(billing.endpoint, productId), 0), ...overrides }], aCall());

  it('is none where nothing waits', async () => {
    expect(await read()).to.deep.equal({ pending: 0, parked: 0, failingSince: null });
    await add('prod_1', {});
    expect(await read()).to.deep.equal({ pending: 0, parked: 0, failingSince: null });
  });

  it('counts the events of all products, and says since when one fails', async () => {
    const pending = new Map([
      ['sub_1', waiting(1, 2)],
      ['sub_2', { ...waiting(3, 4, 5), at: null }],
    ]);
    await add('prod_1', { pending, failingSince: later(-5) });
    await add('prod_2', { pending: new Map([['sub_3', waiting(1)]]), failingSince: later(-9) });
    await add('prod_3', { failingSince: later(-7) });
    expect(await read()).to.deep.equal({ pending: 3, parked: 3, failingSince: later(-9) });
  });

  it('is that of no stored endpoint', async () => {
    expect([isOwnReceiver('@mail'), isOwnReceiver('whk_1'), isOwnReceiver('a@')]).to.deep.equal([true, false, false]);
    const only = onlyEndpoint(billing.endpoint);
    expect(await only.page({ products: null, after: null, limit: 1 }, aCall())).to.deep.equal([billing.endpoint]);
    expect(await only.page({ products: null, after: '@stripe', limit: 1 }, aCall())).to.deep.equal([]);
    expect(billing.endpoint).to.deep.include({ addition: '', url: '', productId: null, secrets: [], state: 'enabled' });
    expect(billing.endpoint).to.deep.include({
      reason: null,
      isPublicOnly: false,
      createdAt: new Date(0),
      revision: 1,
    });
  });
});
