import { expect } from 'chai';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import type { PlacedEvent } from '../../../core/feed/events.port.ts';
import { snapshotBefore, timelineOf } from '../../../core/purchase/timeline.ts';
import { anEntry, anEvent, aSubscription, changed, day, later, noon } from '../../support/builders.ts';

const first = aSubscription({ sequence: 1 });
const second = changed(first);
const grant = { at: first.createdAt, operation: 'granted' } as const;
const history = [anEntry(second), anEntry(first, grant)];
const events: readonly PlacedEvent[] = [
  { position: 3, event: anEvent(first, { at: first.createdAt }) },
  {
    position: 8,
    event: anEvent(second, { previous: { cancelAt: null, canceledAt: null } }),
  },
];
const byClock: PlacedEvent = {
  position: 9,
  event: anEvent(second, {
    id: 'evt_clock',
    type: 'entitlement.ended',
    by: 'clock',
    correlationId: null,
    at: later(14 * day),
    sequence: 3,
    previous: { status: 'active' },
  }),
};

describe('what happened to an entitlement', () => {
  it('has each change once, with its entry and its event, the newest first', () => {
    const timeline = timelineOf(history, events, []);
    expect(timeline.map(({ operation, version, event }) => [operation, version, event?.sequence])).to.deep.equal([
      ['cancellation_scheduled', 2, 2],
      ['granted', 1, 1],
    ]);
    expect(timeline[0]).to.deep.equal({
      at: noon,
      by: 'command:test',
      correlationId: history[0]?.correlationId,
      version: 2,
      operation: 'cancellation_scheduled',
      reason: null,
      toStripe: null,
      byMail: null,
      event: events[1]?.event,
      deliveries: [],
    });
  });

  it('leaves out devices, whose events have the version of the change before', () => {
    const device = { id: `dev_${'a'.repeat(22)}`, reason: null };
    const taken = anEvent(second, { id: 'evt_device', type: 'device.activated', sequence: 3, by: 'license', device });
    const timeline = timelineOf(history, [...events, { position: 9, event: taken }], []);
    expect(timeline).to.deep.equal(timelineOf(history, events, []));
    const released = { ...taken, type: 'device.released', device: { ...device, reason: 'app' } } as const;
    expect(timelineOf([], [{ position: 1, event: released }], [])).to.deep.equal([]);
  });

  it('has what the clock did after the change before it', () => {
    const timeline = timelineOf(history, [...events, byClock], []);
    expect(timeline.map(({ by, version }) => [by, version])).to.deep.equal([
      ['clock', 2],
      ['command:test', 2],
      ['command:test', 1],
    ]);
  });

  it('has the change of a version of which only an event of the clock is known', () => {
    const timeline = timelineOf(history, [byClock], []);
    expect(timeline.map(({ operation, by, version, event }) => [operation, by, version, event?.id])).to.deep.equal([
      [null, 'clock', 2, 'evt_clock'],
      ['cancellation_scheduled', 'command:test', 2, undefined],
      ['granted', 'command:test', 1, undefined],
    ]);
    const [, known] = timeline;
    expect(known).to.deep.equal({ ...history[0], event: null, deliveries: [], toStripe: null, byMail: null });
  });

  it('has a change whose event is not known, and an event whose entry is no longer kept', () => {
    const ofHistory = timelineOf(history, [], []);
    expect(ofHistory.map(({ operation, event }) => [operation, event])).to.deep.equal([
      ['cancellation_scheduled', null],
      ['granted', null],
    ]);
    const ofEvents = timelineOf([], events, []);
    expect(ofEvents.map(({ operation, event }) => [operation, event?.sequence])).to.deep.equal([
      [null, 2],
      [null, 1],
    ]);
  });
});

describe('an entitlement as it was at an earlier version', () => {
  const now = snapshotAt(second, noon);

  it('has the values from before every change since then', () => {
    const third = { ...changed(second, later(1)), tierId: 'team', tierName: 'Team', sequence: 3 };
    const previous = { tierId: 'pro', tierName: 'Pro', cancelAt: second.cancellation?.at ?? null };
    const placed = [...events, { position: 9, event: anEvent(third, { previous }) }];
    const timeline = timelineOf(history, placed, []);
    const { tierName, cancelAt, version } = snapshotBefore(snapshotAt(third, later(1)), 1, timeline) ?? now;
    expect([tierName, cancelAt, version]).to.deep.equal(['Pro', null, 1]);
  });

  it('is unknown where the event of a change is', () => {
    expect(snapshotBefore(now, 1, timelineOf(history, events.slice(0, 1), []))).to.equal(null);
    expect(snapshotBefore(now, 1, timelineOf([], [], []))).to.equal(null);
  });
});
