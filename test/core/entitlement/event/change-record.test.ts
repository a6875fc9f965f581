import { expect } from 'chai';
import * as fc from 'fast-check';
import { decideCommand } from '../../../../core/entitlement/entitlement-command.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import {
  clockEvents,
  decisionCall,
  decisionInstant,
  nextTransition,
  recordChange,
  recordClock,
  recordGrant,
} from '../../../../core/entitlement/event/change-record.ts';
import type { EntitlementEvent } from '../../../../core/entitlement/event/entitlement-event.ts';
import { historyEntry } from '../../../../core/entitlement/history-entry.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { hasEnded, statusAt } from '../../../../core/entitlement/status.ts';
import { aCall, aLicense, aSubscription, changed, later } from '../../../support/builders.ts';
import { countingIds, entitlements, instants, recordedUntil, span } from '../../../support/random-entitlements.ts';

const period = { currentPeriodEnd: later(100), graceUntil: later(200) };
const fresh = recordedUntil(aSubscription(period), later(0), 4);
const callAt = (milliseconds: number) => aCall({ now: later(milliseconds) });

/** The instants at which the status differs from the one a millisecond before, found by asking at every instant. */
function transitions(entitlement: Entitlement): readonly Date[] {
  const all = Array.from({ length: span + 20 }, (_, index) => later(index - 10));
  return all.filter((at) => statusAt(entitlement, at) !== statusAt(entitlement, new Date(at.getTime() - 1)));
}

/** The events of a sweep at each of the instants. */
function sweptAt(entitlement: Entitlement, sweeps: readonly Date[]): readonly EntitlementEvent[] {
  const newId = countingIds();
  let seen = recordedUntil(entitlement, later(-10));
  return sweeps.flatMap((now) => {
    const { next, events } = recordClock(seen, now, newId);
    seen = next;
    return events;
  });
}

describe('nextTransition', () => {
  it('is the first instant at which statusAt changes', () => {
    const found = new Set<string>();
    fc.assert(
      fc.property(entitlements, instants, (entitlement, after) => {
        const expected = transitions(entitlement).find((at) => at > after) ?? null;
        expect(nextTransition(entitlement, after)).to.deep.equal(expected);
        if (expected !== null) found.add(statusAt(entitlement, expected));
      }),
      { numRuns: 5000 },
    );
    expect([...found]).to.have.members(['past_due', 'suspended', 'canceled', 'expired']);
  });

  it('is the instant of a cancellation before the end of the period', () => {
    const cancellation = { at: later(5), requestedAt: later(0) };
    const canceled = aSubscription({ currentPeriodEnd: later(10), graceUntil: later(20), cancellation });
    expect(nextTransition(canceled, later(0))).to.deep.equal(later(5));
    expect(nextTransition(canceled, later(5))).to.equal(null);
  });

  it('leads to an end by past due, and by a suspension where a payment is missing', () => {
    fc.assert(
      fc.property(entitlements, (entitlement) => {
        const isUnpaid = entitlement.kind === 'subscription' && entitlement.unpaidUntil !== null;
        expect(transitions(entitlement).length).to.be.at.most(isUnpaid ? 3 : 2);
        const last = transitions(entitlement).at(-1);
        if (last !== undefined) expect(hasEnded(statusAt(entitlement, last))).to.equal(true);
      }),
    );
  });
});

describe('decisionInstant', () => {
  it('is now, or the last change by the clock that has an event if that is later', () => {
    let delayed = 0;
    fc.assert(
      fc.property(entitlements, instants, instants, (entitlement, until, now) => {
        const recorded = transitions(entitlement).filter((at) => at <= until);
        const expected = new Date(Math.max(now.getTime(), ...recorded.map((at) => at.getTime())));
        expect(decisionInstant(recordedUntil(entitlement, until), now)).to.deep.equal(expected);
        if (expected > now) delayed += 1;
      }),
      { numRuns: 5000 },
    );
    expect(delayed).to.be.above(100);
  });
});

describe('decisionCall', () => {
  it('is the call itself, or has the instant of the last change by the clock that has an event', () => {
    const brief = { currentPeriodEnd: later(10), graceUntil: later(20) };
    const recorded = recordedUntil(aSubscription(brief), later(10));
    const [slow, fast] = [aCall({ now: later(9) }), aCall({ now: later(11) })];
    expect(decisionCall(recorded, slow)).to.deep.equal({ ...slow, now: later(10) });
    expect(decisionCall(recorded, fast)).to.equal(fast);
  });
});

describe('clockEvents', () => {
  it('are the end of the period and the end of the grace', () => {
    const pastDue = snapshotAt(fresh, later(100));
    const ended = snapshotAt(fresh, later(200));
    const facts = {
      by: 'clock',
      correlationId: null,
      license: null,
      ending: null,
      device: null,
      reason: null,
    } as const;
    expect(clockEvents(fresh, later(1000), countingIds())).to.deep.equal([
      {
        ...facts,
        id: 'evt_1',
        type: 'entitlement.past_due',
        at: later(100),
        sequence: 5,
        previous: { status: 'active' },
        entitlement: pastDue,
      },
      {
        ...facts,
        id: 'evt_2',
        type: 'entitlement.ended',
        at: later(200),
        sequence: 6,
        previous: { status: 'past_due', endedAt: null },
        entitlement: ended,
      },
    ]);
  });

  it('are none before they are due, and none of a period that ends while suspended', () => {
    expect(clockEvents(fresh, later(99), countingIds())).to.deep.equal([]);
    const suspended = recordedUntil(aSubscription({ ...period, hold: { kind: 'suspended' } }), later(0));
    expect(clockEvents(suspended, later(199), countingIds())).to.deep.equal([]);
  });

  it('are the same whether the clock is looked at often or once at the end', () => {
    fc.assert(
      fc.property(entitlements, fc.array(instants, { maxLength: 8 }), (entitlement, sweeps) => {
        const end = later(span + 10);
        const often = sweptAt(entitlement, [...sweeps.toSorted((a, b) => a.getTime() - b.getTime()), end]);
        expect(often).to.deep.equal(sweptAt(entitlement, [end]));
      }),
      { numRuns: 2000 },
    );
  });

  it('are each change of the status once, with the status it leads to', () => {
    fc.assert(
      fc.property(entitlements, (entitlement) => {
        const found = sweptAt(entitlement, [later(span + 10)]).map((event) => [event.at, event.entitlement.status]);
        const expected = [];
        for (let next = nextTransition(entitlement, later(-10)); next; next = nextTransition(entitlement, next)) {
          expected.push([next, statusAt(entitlement, next)]);
        }
        expect(found).to.deep.equal(expected);
      }),
    );
  });
});

describe('the record of a change', () => {
  it('has its cause and the earlier values', () => {
    const decision = decideCommand({ kind: 'cancel' }, fresh, later(10));
    if (decision.kind !== 'changed') throw new Error('cancel changes nothing');
    const call = callAt(10);
    const { next, changeRecord } = recordChange(fresh, decision.next, decision, call, countingIds());
    expect(next).to.deep.equal({ ...decision.next, sequence: 5, nextEventAt: later(100), unannouncedEnd: later(100) });
    expect(changeRecord.entry).to.deep.equal(historyEntry(next, { operation: 'cancellation_scheduled' }, call));
    expect(changeRecord.events).to.deep.equal([
      {
        id: 'evt_1',
        type: 'entitlement.cancellation_scheduled',
        at: later(10),
        sequence: 5,
        by: call.by,
        correlationId: call.correlationId,
        previous: { cancelAt: null, canceledAt: null },
        entitlement: snapshotAt(decision.next, later(10)),
        license: null,
        ending: null,
        device: null,
        reason: null,
      },
    ]);
  });

  it('has what the clock has done before a renewal that comes after it', () => {
    const renewal = { kind: 'renew', currentPeriodEnd: later(1000), grace: 100 } as const;
    const decision = decideCommand(renewal, fresh, later(250));
    if (decision.kind !== 'changed') throw new Error('the renewal changes nothing');
    const { next, changeRecord } = recordChange(fresh, decision.next, decision, callAt(250), countingIds());
    const { events } = changeRecord;
    expect(events.map(({ type, at: instant, sequence }) => [type, instant, sequence])).to.deep.equal([
      ['entitlement.past_due', later(100), 5],
      ['entitlement.ended', later(200), 6],
      ['entitlement.renewed', later(250), 7],
    ]);
    expect(events.at(-1)?.previous).to.deep.include({ status: 'expired', endedAt: later(200) });
    expect([next.sequence, next.nextEventAt]).to.deep.equal([7, later(1000)]);
  });

  it('has one entry, and the events of the clock before its own', () => {
    const seen = aSubscription({ ...period, updatedAt: later(0) });
    const call = callAt(150);
    const { next, changeRecord } = recordChange(seen, changed(seen), { operation: 'suspended' }, call, countingIds());
    expect(changeRecord.entry).to.deep.equal(historyEntry(next, { operation: 'suspended' }, call));
    expect(changeRecord.events.map(({ type }) => type)).to.deep.equal([
      'entitlement.past_due',
      'entitlement.suspended',
    ]);
  });

  it('has the reason in its entry and its event alone, where there is one', () => {
    const made = { operation: 'suspended', reason: 'disputed' } as const;
    const seen = aSubscription({ ...period, updatedAt: later(0) });
    const { entry, events } = recordChange(seen, changed(seen), made, callAt(150), countingIds()).changeRecord;
    expect(entry.reason).to.equal('disputed');
    expect(events.map(({ type, reason }) => [type, reason])).to.deep.equal([
      ['entitlement.past_due', null],
      ['entitlement.suspended', 'disputed'],
    ]);
  });

  it('shows the license without its digest in events of the license alone', () => {
    const licensed = recordedUntil(aSubscription({ ...period, license: aLicense() }), later(0));
    const eventOf = (operation: 'license_rotated' | 'suspended'): EntitlementEvent | undefined =>
      recordChange(licensed, licensed, { operation }, callAt(10), countingIds()).changeRecord.events[0];
    const { digest, ...facts } = aLicense();
    expect(eventOf('license_rotated')?.license).to.deep.equal(facts);
    expect(JSON.stringify(eventOf('license_rotated'))).not.to.include(digest);
    expect(eventOf('suspended')?.license).to.equal(null);
  });
});

describe('the record of a new entitlement', () => {
  for (const operation of ['granted', 'imported'] as const) {
    it(`that is ${operation} has the grant as its first event, and nothing of a period that has ended before`, () => {
      const { next, changeRecord } = recordGrant(aSubscription(period), { operation }, callAt(150), countingIds());
      const { entry, events } = changeRecord;
      expect(entry).to.deep.equal(historyEntry(next, { operation }, callAt(150)));
      expect(events.map(({ type, sequence, previous }) => [type, sequence, previous])).to.deep.equal([
        ['entitlement.granted', 1, {}],
      ]);
      expect(events[0]?.entitlement.status).to.equal('past_due');
      expect([next.sequence, next.nextEventAt, next.unannouncedEnd]).to.deep.equal([1, later(200), later(200)]);
    });
  }
});
