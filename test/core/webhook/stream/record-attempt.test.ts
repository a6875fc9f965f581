import { expect } from 'chai';
import {
  firstNeeded,
  parkedCount,
  pendingCount,
  type DeliveryStream,
} from '../../../../core/webhook/stream/delivery-stream.ts';
import { due, hasDue, mayRead, read } from '../../../../core/webhook/stream/due-deliveries.ts';
import { recordAttempt, type Attempt, type RecordedAttempt } from '../../../../core/webhook/stream/record-attempt.ts';
import { probeDelay, retryDelay } from '../../../../core/webhook/stream/retry-schedule.ts';
import { replayedFrom, retried } from '../../../../core/webhook/stream/stream-commands.ts';
import { day, hour, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { aStream, placed } from '../../../support/webhooks/builders.ts';

const even = { jitter: 0.5, retryAfter: null, whenDown: 'probe' } as const;
const failed: Attempt = { kind: 'failed', ...even };
const scheduled: Attempt = { ...failed, whenDown: 'schedule' };
const second = 1000;
const minute = 60 * second;

function letters(text: string): readonly string[] {
  return text.split('');
}

/** A stream that has read one event of each of these entitlements, at the positions from 1 on. */
function readOf(...entitlements: readonly string[]): DeliveryStream {
  const events = entitlements.map((id, index) => placed(index + 1, id));
  return read(aStream(), events, () => true, noon);
}

function withPositions(count: number): DeliveryStream {
  return aStream({ pending: new Map([['a', { positions: range(count), attempt: 0, at: noon }]]) });
}

function withEntitlements(count: number): DeliveryStream {
  return readOf(...range(count).map((index) => `entitlement-${index}`));
}

/** Settles the first event of an entitlement. */
function recorded(stream: DeliveryStream, entitlementId: string, attempt: Attempt, now = noon): RecordedAttempt {
  const position = stream.pending.get(entitlementId)?.positions[0] ?? -1;
  return recordAttempt(stream, { entitlementId, position }, attempt, now);
}

/** Lets the first event of each entitlement fail once, in order. */
function failing(stream: DeliveryStream, entitlements: readonly string[], attempt = failed): DeliveryStream {
  return entitlements.reduce((state, id) => recorded(state, id, attempt).stream, stream);
}

describe('retryDelay', () => {
  it('follows the schedule, and ends after ten attempts', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((failures) => retryDelay(failures, even));
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * hour);
    expect(delays).to.deep.equal([5 * second, 5 * minute, 30 * minute, ...hours, null]);
  });

  it('spreads a delay by 20 % in both directions', () => {
    const delays = [0, 1].map((jitter) => retryDelay(2, { ...even, jitter }));
    expect(delays).to.deep.equal([4 * minute, 6 * minute]);
  });

  it('waits for as long as the receiver asks, at most a day, and never less than the schedule says', () => {
    const delays = [1000, 120_000, 3 * day].map((retryAfter) => retryDelay(1, { ...even, retryAfter }));
    expect(delays).to.deep.equal([5 * second, 2 * minute, day]);
  });

  it('repeats its last delay for probes', () => {
    expect([1, 9, 10, 100].map((failures) => probeDelay(failures, even))).to.deep.equal([5 * second, day, day, day]);
  });
});

describe('read', () => {
  it('keeps what the endpoint wants, and moves the cursor past the rest', () => {
    const events = [placed(4, 'a'), placed(5, 'b'), placed(6, 'a'), placed(7, 'c')];
    const stream = read(aStream({ cursor: 3 }), events, ({ position }) => position < 7, noon);
    expect(stream).to.deep.equal(
      aStream({
        cursor: 7,
        pending: new Map([
          ['a', { positions: [4, 6], attempt: 0, at: noon }],
          ['b', { positions: [5], attempt: 0, at: noon }],
        ]),
      }),
    );
    expect([pendingCount(stream), firstNeeded(stream), firstNeeded(aStream({ cursor: 3 }))]).to.deep.equal([3, 4, 4]);
  });

  it('adds to what has failed without making it due', () => {
    const { stream } = recorded(readOf('a'), 'a', failed);
    const more = read(stream, [placed(2, 'a')], () => true, later(1));
    expect(more.pending).to.deep.equal(new Map([['a', { positions: [1, 2], attempt: 1, at: later(5000) }]]));
  });

  it('makes due what was parked before, for a receiver that is sent the state of now', () => {
    const parked = aStream({ pending: new Map([['a', { positions: [0], attempt: 10, at: null }]]) });
    const events = [placed(1, 'a')];
    expect(read(parked, events, () => true, noon).pending.get('a')).to.include({ attempt: 10, at: null });
    const revived = read(parked, events, () => true, noon, { sendsState: true });
    expect(revived.pending.get('a')).to.deep.equal({ positions: [0, 1], attempt: 0, at: noon });
  });

  it('parks what is older than it may be, with what follows of the same entitlement', () => {
    const events = [placed(1, 'a', { at: later(-1001) }), placed(2, 'b', { at: later(-1000) }), placed(3, 'a')];
    const waiting = aStream({ pending: new Map([['c', { positions: [0], attempt: 1, at: later(5) }]]) });
    const stream = read(waiting, [...events, placed(4, 'c', { at: later(-1001) })], () => true, noon, {
      maxAge: () => 1000,
    });
    expect(stream.pending).to.deep.equal(
      new Map([
        ['c', { positions: [0, 4], attempt: 1, at: later(5) }],
        ['a', { positions: [1, 3], attempt: 0, at: null }],
        ['b', { positions: [2], attempt: 0, at: noon }],
      ]),
    );
  });

  it('is not allowed with 1,000 positions in the stream, nor while the endpoint is down', () => {
    expect([999, 1000].map((count) => mayRead(withPositions(count)))).to.deep.equal([true, false]);
    expect([999, 1000].map((count) => mayRead(withEntitlements(count)))).to.deep.equal([true, false]);
    expect(mayRead(aStream({ probe: { attempt: 1, at: noon } }))).to.equal(false);
  });

  it('goes on however much is set aside', () => {
    expect(mayRead(aStream({ aside: { waiting: 1e6, parked: 1e6, wakeAt: noon } }))).to.equal(true);
  });
});

describe('due', () => {
  it('has the first event of each entitlement, the lowest position first', () => {
    const stream = readOf('b', 'a', 'b', 'c');
    expect(due(stream, new Set(['a']), noon)).to.deep.equal([
      { entitlementId: 'b', position: 1 },
      { entitlementId: 'c', position: 4 },
    ]);
  });

  it('has at most eight with those in flight', () => {
    const stream = readOf(...letters('abcdefghij'));
    const ids = (inFlight: readonly string[]): string =>
      due(stream, new Set(inFlight), noon)
        .map(({ entitlementId }) => entitlementId)
        .join('');
    expect([ids([]), ids(['a', 'x']), ids(letters('stuvwxyz'))]).to.deep.equal(['abcdefgh', 'bcdefg', '']);
  });

  it('has a failed event from the instant of its retry on, and never a parked one', () => {
    const { stream } = recorded(readOf('a'), 'a', failed);
    expect([hasDue(stream, later(4999)), hasDue(stream, later(5000))]).to.deep.equal([false, true]);
    const parked = aStream({ pending: new Map([['a', { positions: [1, 2], attempt: 10, at: null }]]) });
    expect([hasDue(parked, later(100 * day)), parkedCount(parked)]).to.deep.equal([false, 2]);
    expect([parkedCount(stream), pendingCount(stream)]).to.deep.equal([0, 1]);
  });

  it('has the lowest position first, too, after others of their entitlements were delivered', () => {
    const pending = [5, 9, 2].map(
      (position) => [`at-${position}`, { positions: [position], attempt: 0, at: noon }] as const,
    );
    const positions = due(aStream({ pending: new Map(pending) }), new Set(), noon).map(({ position }) => position);
    expect(positions).to.deep.equal([2, 5, 9]);
  });
});

describe('recordAttempt', () => {
  it('goes on with the next event of the entitlement after a success', () => {
    const { stream, verdict } = recorded(readOf('a', 'a', 'b'), 'a', { kind: 'delivered' }, later(7));
    expect(verdict).to.equal('delivered');
    expect(stream.pending.get('a')).to.deep.equal({ positions: [2], attempt: 0, at: later(7) });
    const last = recorded(stream, 'a', { kind: 'delivered' }, later(8)).stream;
    expect([...last.pending.keys(), last.deliveredAt]).to.deep.equal(['b', later(8)]);
  });

  it('parks the events of an entitlement after the tenth failure, and goes on with the others', () => {
    let stream = readOf('a', 'a', 'b');
    const verdicts = Array.from({ length: 10 }, () => {
      const after = recorded(stream, 'a', failed);
      ({ stream } = after);
      return after.verdict;
    });
    expect(verdicts).to.deep.equal([...Array.from({ length: 9 }, () => 'failed'), 'parked']);
    expect(stream.pending.get('a')).to.deep.equal({ positions: [1, 2], attempt: 10, at: null });
    expect(due(stream, new Set(), later(day))).to.deep.equal([{ entitlementId: 'b', position: 3 }]);
  });

  it('does not count what was parked as a failure of the endpoint any more', () => {
    let stream = readOf('a', 'b');
    for (const _ of range(10)) ({ stream } = recorded(stream, 'a', failed, later(3 * day)));
    expect([stream.pending.get('a')?.at, stream.failingSince]).to.deep.equal([null, null]);
    const { stream: next, verdict } = recorded(stream, 'b', failed, later(9 * day));
    expect([verdict, next.failingSince]).to.deep.equal(['failed', later(9 * day)]);
  });

  it('ignores the outcome of an event that is no longer the first', () => {
    const stream = readOf('a', 'a');
    const outdated = [
      recordAttempt(stream, { entitlementId: 'a', position: 2 }, { kind: 'delivered' }, noon),
      recordAttempt(stream, { entitlementId: 'x', position: 1 }, { kind: 'delivered' }, noon),
    ];
    for (const after of outdated) expect(after).to.deep.equal({ stream, verdict: 'outdated' });
  });

  it('keeps the event of a receiver that is gone', () => {
    const stream = readOf('a');
    expect(recorded(stream, 'a', { kind: 'gone' })).to.deep.equal({ stream, verdict: 'gone' });
  });

  it('counts an endpoint as down after five entitlements in a row, and tries one at a time', () => {
    const seen = readOf(...letters('abcdefg'));
    const four = failing(seen, letters('abcad'));
    expect([four.probe, mayRead(four)]).to.deep.equal([null, true]);
    const five = failing(four, ['e']);
    expect(five.probe).to.deep.equal({ attempt: 1, at: later(5000) });
    expect(five.pending.get('e')).to.deep.equal({ positions: [5], attempt: 0, at: noon });
    expect(due(five, new Set(), later(4999))).to.deep.equal([]);
    expect(due(five, new Set(['x']), later(5000))).to.deep.equal([]);
    expect(due(five, new Set(), later(5000))).to.deep.equal([{ entitlementId: 'a', position: 1 }]);
  });

  it('uses up no attempts while the endpoint is down, and counts only probes', () => {
    const down = failing(readOf(...letters('abcdefg')), letters('abcde'));
    const late = recorded(down, 'f', failed, later(1)).stream;
    expect([late.probe, late.pending.get('f')?.attempt]).to.deep.equal([down.probe, 0]);
    const probed = recorded(late, 'a', failed, later(5000)).stream;
    expect(probed.probe).to.deep.equal({ attempt: 2, at: later(5000 + 5 * minute) });
    expect(probed.pending.get('a')?.attempt).to.equal(1);
  });

  it('counts it as down until a success, however few entitlements have failed', () => {
    const down = { ...readOf('a'), failing: ['x'], failingSince: noon, probe: { attempt: 1, at: later(5000) } };
    const { stream } = recorded(down, 'a', failed, later(5000));
    expect(stream.probe).to.deep.equal({ attempt: 2, at: later(5000 + 5 * minute) });
    expect(stream.pending).to.deep.equal(down.pending);
  });

  it('remembers no more than five entitlements that fail', () => {
    const down = failing(readOf(...letters('abcdefg')), letters('abcdefg'));
    expect(down.failing).to.deep.equal(letters('abcde'));
  });

  it('counts it as up after one success', () => {
    const down = failing(readOf(...letters('abcdefg')), letters('abcde'));
    const up = recorded(down, 'a', { kind: 'delivered' }, later(5000)).stream;
    expect([up.probe, up.failing, up.failingSince, mayRead(up)]).to.deep.equal([null, [], null, true]);
    expect(
      due(up, new Set(), later(5000))
        .map(({ entitlementId }) => entitlementId)
        .join(''),
    ).to.equal('bcdefg');
  });

  it('begins to count again after a success', () => {
    const four = failing(readOf(...letters('abcdef')), letters('abcd'));
    const { stream } = recorded(four, 'f', { kind: 'delivered' });
    expect(failing(stream, ['e', 'a', 'b', 'c']).probe).to.equal(null);
  });

  it('demands that an endpoint is disabled after five days without a success', () => {
    const { stream } = recorded(readOf('a', 'b'), 'a', failed);
    const verdicts = [5 * day - 1, 5 * day].map((time) => recorded(stream, 'b', failed, later(time)).verdict);
    expect(verdicts).to.deep.equal(['failed', 'failing']);
    const down = failing(readOf(...letters('abcde')), letters('abcde'));
    const probes = [5 * day - 1, 5 * day].map((time) => recorded(down, 'a', failed, later(time)).verdict);
    expect(probes).to.deep.equal(['failed', 'failing']);
  });
});

describe('recordAttempt for a receiver without probes', () => {
  it('keeps the schedule of each entitlement, however many fail', () => {
    const ids = letters('abcdefg');
    const stream = failing(readOf(...ids), [...ids, ...ids], scheduled);
    expect([stream.probe, stream.failing, mayRead(stream)]).to.deep.equal([null, letters('abcde'), true]);
    const expected = ids.map(
      (id, index) => [id, { positions: [index + 1], attempt: 2, at: later(5 * minute) }] as const,
    );
    expect(stream.pending).to.deep.equal(new Map(expected));
  });

  it('parks after the tenth failure, and never demands that it is disabled', () => {
    let stream = failing(readOf(...letters('abcdef')), letters('bcdef'), scheduled);
    const verdicts = range(10).map(() => {
      const after = recorded(stream, 'a', scheduled, later(6 * day));
      ({ stream } = after);
      return after.verdict;
    });
    expect(verdicts).to.deep.equal([...range(9).map(() => 'failed'), 'parked']);
    expect(stream.pending.get('a')).to.deep.equal({ positions: [1], attempt: 10, at: null });
  });

  it('goes back to the schedule where a probe waits', () => {
    const down = failing(readOf(...letters('abcde')), letters('abcde'));
    const { stream, verdict } = recorded(down, 'a', scheduled, later(5000));
    expect([stream.probe, stream.pending.get('a')?.attempt, verdict]).to.deep.equal([null, 2, 'failed']);
  });
});

describe('retried', () => {
  it('makes everything due with all its attempts', () => {
    const down = failing(readOf(...letters('abcde')), letters('abcde'));
    const parked = new Map(down.pending).set('a', { positions: [1], attempt: 10, at: null });
    const stream = retried({ ...down, pending: parked }, later(9));
    expect([stream.probe, stream.failing, stream.failingSince]).to.deep.equal([null, [], null]);
    expect(
      [...stream.pending.values()].every(({ attempt, at }) => attempt === 0 && at?.getTime() === +later(9)),
    ).to.equal(true);
  });
});

describe('replayedFrom', () => {
  it('moves the cursor back, and leaves nothing twice in the stream', () => {
    const stream = readOf('a', 'b', 'a', 'c');
    const replayed = replayedFrom(stream, 2);
    expect([replayed.cursor, replayed.pending]).to.deep.equal([
      2,
      new Map([
        ['a', { positions: [1], attempt: 0, at: noon }],
        ['b', { positions: [2], attempt: 0, at: noon }],
      ]),
    ]);
    const events = [placed(3, 'a'), placed(4, 'c')];
    expect(read(replayed, events, () => true, noon)).to.deep.equal(stream);
  });

  it('changes nothing from the cursor on', () => {
    const stream = readOf('a', 'b');
    for (const position of [2, 3]) expect(replayedFrom(stream, position)).to.equal(stream);
  });
});
