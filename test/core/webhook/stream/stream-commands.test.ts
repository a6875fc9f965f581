import { expect } from 'chai';
import type { DeliveryStream, PendingEvents } from '../../../../core/webhook/stream/delivery-stream.ts';
import { replayedFrom, retried, skippedTo, withoutParked } from '../../../../core/webhook/stream/stream-commands.ts';
import { later, noon } from '../../../support/builders.ts';
import { anAttempt, aStream } from '../../../support/webhooks/builders.ts';

describe('a command that changes a stream', () => {
  it('keeps its attempts', () => {
    const stream = aStream({
      cursor: 9,
      pending: new Map([['a', { positions: [2, 5], attempt: 1, at: noon }]]),
      attempts: [anAttempt()],
    });
    const changed = [
      retried(stream, noon),
      replayedFrom(stream, 3),
      skippedTo(stream, { position: 3, entitlementId: null }, noon),
    ];
    expect(changed.map(({ attempts }) => attempts)).to.deep.equal(changed.map(() => [anAttempt()]));
  });
});

describe('skippedTo', () => {
  const parked: PendingEvents = { positions: [2, 5, 8], attempt: 10, at: null };
  const waiting: PendingEvents = { positions: [3, 7], attempt: 2, at: later(1000) };
  const failing: DeliveryStream = aStream({
    cursor: 9,
    pending: new Map<string, PendingEvents>([
      ['a', parked],
      ['b', waiting],
    ]),
    failing: ['a', 'b'],
    failingSince: later(-1000),
  });
  const skipped = (position: number, entitlementId: string | null, stream = failing): DeliveryStream =>
    skippedTo(stream, { position, entitlementId }, noon);

  it('leaves out the first events of one entitlement, and makes the next one due', () => {
    const pending = new Map<string, PendingEvents>([
      ['a', { positions: [8], attempt: 0, at: noon }],
      ['b', waiting],
    ]);
    expect(skipped(5, 'a')).to.deep.equal({ ...failing, pending, failing: ['b'] });
    expect(skipped(7, 'a')).to.deep.equal({ ...failing, pending, failing: ['b'] });
  });

  it('forgets an entitlement without further events', () => {
    expect(skipped(8, 'a')).to.deep.equal({
      ...failing,
      pending: new Map<string, PendingEvents>([['b', waiting]]),
      failing: ['b'],
    });
  });

  it('leaves out the events of every entitlement, and moves the cursor forward only', () => {
    const rest = new Map<string, PendingEvents>([['a', { positions: [8], attempt: 0, at: noon }]]);
    const passed = { failing: [], failingSince: null };
    expect(skipped(7, null)).to.deep.equal({ ...failing, pending: rest, ...passed });
    expect(skipped(20, null)).to.deep.equal({ ...failing, pending: new Map(), cursor: 20, ...passed });
  });

  it('leaves out what was not read yet', () => {
    expect(skipped(20, null, aStream({ cursor: 9 }))).to.deep.equal(aStream({ cursor: 20 }));
  });

  it('leaves an endpoint down that is down', () => {
    const down = { ...failing, probe: { attempt: 3, at: later(5) } };
    expect(skipped(20, null, down)).to.deep.include({ failingSince: later(-1000), probe: down.probe, failing: [] });
  });

  it('returns the same stream where there is nothing to skip', () => {
    expect(skipped(1, 'a')).to.equal(failing);
    expect(skipped(20, 'c')).to.equal(failing);
    expect(skipped(1, null)).to.equal(failing);
    const empty = aStream({ cursor: 9 });
    expect(skipped(9, null, empty)).to.equal(empty);
    const once = skipped(7, null);
    expect(skipped(7, null, once)).to.equal(once);
  });
});

describe('withoutParked', () => {
  const parked: PendingEvents = { positions: [2, 5], attempt: 10, at: null };
  const waiting: PendingEvents = { positions: [3], attempt: 2, at: later(1000) };
  const failing: DeliveryStream = aStream({
    cursor: 9,
    pending: new Map([
      ['a', parked],
      ['b', waiting],
      ['c', parked],
    ]),
    failing: ['a', 'b', 'c'],
    failingSince: later(-1000),
  });

  it('leaves out what is parked, and keeps what is tried again', () => {
    expect(withoutParked(failing, null)).to.deep.equal({
      ...failing,
      pending: new Map([['b', waiting]]),
      failing: ['b'],
    });
  });

  it('leaves out what is parked of one entitlement', () => {
    const pending = new Map([
      ['b', waiting],
      ['c', parked],
    ]);
    expect(withoutParked(failing, 'a')).to.deep.equal({ ...failing, pending, failing: ['b', 'c'] });
  });

  it('ends the failures if nothing else has failed', () => {
    const alone = { ...failing, pending: new Map([['a', parked]]), failing: ['a'] };
    expect(withoutParked(alone, null)).to.deep.equal({ ...alone, pending: new Map(), failing: [], failingSince: null });
  });

  it('returns the same stream where nothing of it is parked', () => {
    expect(withoutParked(failing, 'b')).to.equal(failing);
    expect(withoutParked(failing, 'd')).to.equal(failing);
    const once = withoutParked(failing, null);
    expect(withoutParked(once, null)).to.equal(once);
  });
});
