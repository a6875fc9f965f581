import { expect } from 'chai';
import {
  isForBilling,
  outgoing,
  outgoingChange,
  outgoingPart,
  partOfChange,
} from '../../../core/billing/outgoing-stream.ts';
import { eventsAt, parkedChange, recordParked } from '../../../core/billing/parked-changes.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { newStream, streamName, type PendingEvents } from '../../../core/webhook/stream/delivery-stream.ts';
import { noChanges } from '../../../core/webhook/stream/set-aside.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { addSetAside } from '../../support/webhooks/builders.ts';

const by = 'operator:opk_1';

function event(overrides: Partial<EntitlementEvent>, entitlement: Parameters<typeof aSubscription>[0] = {}) {
  return anEvent(aSubscription({ id: 'sub_1', ...entitlement }), { by, ...overrides });
}

const revoked = { hold: { kind: 'revoked', at: noon } } as const;
const cancellation = event({ id: 'evt_1', type: 'entitlement.cancellation_scheduled', at: later(-9) });
const suspension = event({ id: 'evt_2', type: 'entitlement.suspended', at: later(-8) });
const renewal = event({ id: 'evt_3', type: 'entitlement.renewed', at: later(-10) });

describe('the changes that the billing system is asked for', () => {
  it('are those of its subscriptions, and not its own', () => {
    const expected = [
      [cancellation, 'cancellation', 'cancellation'],
      [event({ type: 'entitlement.cancellation_undone' }), 'cancellation', 'resumption'],
      [suspension, 'collection', 'suspension'],
      [event({ type: 'entitlement.reinstated' }), 'collection', 'reinstatement'],
      [event({ type: 'entitlement.ended' }, revoked), 'end', 'revocation'],
      [event({ type: 'entitlement.cancellation_scheduled', by: 'clock' }), 'cancellation', 'cancellation'],
    ] as const;
    for (const [one, part, change] of expected) {
      expect([outgoingPart(one), outgoingChange(one), isForBilling(one)], one.type).to.deep.equal([part, change, true]);
      expect(partOfChange[change]).to.equal(part);
      expect(outgoing.types).to.include(one.type);
    }
    const others = [
      renewal,
      event({ type: 'entitlement.cancellation_scheduled', by: 'stripe' }),
      event({ type: 'entitlement.cancellation_scheduled' }, { id: 'cs_1' }),
      event({ type: 'entitlement.cancellation_scheduled' }, { id: 'a_sub_1' }),
      event({ type: 'entitlement.suspended', by: 'clock' }),
      event({ type: 'entitlement.reinstated', by: 'clock' }),
      event({ type: 'entitlement.ended' }),
    ];
    for (const one of others)
      expect([outgoingPart(one), outgoingChange(one), isForBilling(one)], one.type).to.deep.equal([null, null, false]);
  });

  it('wait with the last one, since the first', () => {
    expect(parkedChange([renewal, cancellation, suspension, renewal])).to.deep.equal({
      change: 'suspension',
      since: later(-9),
    });
    expect(parkedChange([renewal])).to.equal(null);
    expect(parkedChange([])).to.equal(null);
  });
});

const parked = (...positions: readonly number[]): PendingEvents => ({ positions, attempt: 9, at: null });

describe('the cases of changes that are parked', () => {
  const store = freshStore(memory.open);
  const record = (isStopped?: () => boolean) => recordParked(store())(() => aCall(), isStopped);
  const cases = (id = 'sub_1') => store().stripeCases.find(id, aCall());
  const aCase = aStripeCase({ since: later(-9), change: 'suspension' });

  /** Logs the events, and adds the stream of the billing system with these pending ones. */
  async function open(pending: Readonly<Record<string, PendingEvents>>): Promise<void> {
    for (const id of ['sub_1', 'sub_2']) {
      const entitlement = aSubscription({ id, sequence: 3 });
      const own = [cancellation, suspension, renewal].map((one) => ({
        ...one,
        id: `${one.id}_${id}`,
        entitlement: { ...one.entitlement, id },
      }));
      const changeRecord = { ...aChangeRecord(entitlement), events: own };
      await store().allEntitlements.add([{ entitlement, changeRecord }], aCall());
    }
    const stream = newStream(streamName(outgoing, 'prod_1'), 6);
    const rows = new Map(Object.entries(pending));
    await addSetAside(store().deliveryStreams, { ...stream, pending: rows });
  }

  it('say what was asked for, and since when', async () => {
    await open({ sub_1: parked(1, 2), sub_2: { ...parked(4), at: noon } });
    await record();
    expect(await cases()).to.deep.equal([aCase]);
    expect(await cases('sub_2')).to.deep.equal([]);
    await store().stripeCases.put({ ...aCase, detail: 'seen' }, aCall());
    await record();
    expect(await cases()).to.deep.equal([{ ...aCase, detail: 'seen' }]);
  });

  it('are none of what the billing system is not asked for, nor of what the log has no more', async () => {
    await open({ sub_1: parked(3), sub_2: parked(9) });
    await record();
    expect([await cases(), await cases('sub_2')]).to.deep.equal([[], []]);
  });

  it('stand beside a case of another kind', async () => {
    await open({ sub_1: parked(1, 2) });
    const other = aStripeCase({ kind: 'revoked_here' });
    await store().stripeCases.put(other, aCall());
    await record();
    expect(await cases()).to.have.deep.members([other, aCase]);
  });

  it('are left to the next time when the process stops', async () => {
    await open({ sub_1: parked(1, 2), sub_2: parked(4) });
    let left = 1;
    await record(() => (left -= 1) < 0);
    expect([(await cases()).length, (await cases('sub_2')).length]).to.deep.equal([1, 0]);
  });

  it('are not those of a change that was sent meanwhile', async () => {
    await open({ sub_1: parked(1, 2) });
    const stripeCases = interposed(store().stripeCases, async (method) => {
      if (method !== 'put') return;
      const stream = await store().deliveryStreams.find(streamName(outgoing, 'prod_1'), aCall(), 'all');
      if (stream === null) throw new Error('there is no stream');
      const sent = { ...noChanges, remove: new Set(['sub_1']) };
      await store().deliveryStreams.replace({ ...stream, pending: new Map(), fence: stream.fence + 1 }, aCall(), sent);
    });
    await recordParked({ ...store(), deliveryStreams: store().deliveryStreams, events: store().events, stripeCases })(
      () => aCall(),
    );
    expect(await cases()).to.deep.equal([]);
  });

  it('are read from the log event by event', async () => {
    await open({});
    const found = await eventsAt(store().events, 'prod_1', [2, 9, 6], aCall());
    expect(found.map(({ id }) => id)).to.deep.equal(['evt_2_sub_1', 'evt_3_sub_2']);
  });
});
