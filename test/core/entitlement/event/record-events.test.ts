import { expect } from 'chai';
import * as fc from 'fast-check';
import { decideCommand } from '../../../../core/entitlement/entitlement-command.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../../core/entitlement/event/entitlement-event.ts';
import { clockEvents, tell, tellGrant } from '../../../../core/entitlement/event/record-events.ts';
import { nextTransition } from '../../../../core/entitlement/event/transitions.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { statusAt } from '../../../../core/entitlement/status.ts';
import { aCall, aLicense, aSubscription, later } from '../../../support/builders.ts';
import { countingIds, entitlements, instants, span, toldUntil } from '../../../support/random-entitlements.ts';

const period = { currentPeriodEnd: later(100), graceUntil: later(200) };
const fresh = toldUntil(aSubscription(period), later(0), 4);
const at = (milliseconds: number) => aCall({ now: later(milliseconds) });

/** The events of a sweep at each of the instants. */
function sweptAt(entitlement: Entitlement, sweeps: readonly Date[]): readonly EntitlementEvent[] {
  const newId = countingIds();
  let seen = toldUntil(entitlement, later(-10));
  return sweeps.flatMap((now) => {
    const { next, events } = tell(seen, seen, null, aCall({ now }), newId);
    seen = next;
    return events;
  });
}

describe('clockEvents', () => {
  it('tells the end of the period and the end of the grace', () => {
    const pastDue = snapshotAt(fresh, later(100));
    const ended = snapshotAt(fresh, later(200));
    const facts = { by: 'clock', correlationId: null, license: null } as const;
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

  it('tells nothing before it is due, and nothing of a period that ends while suspended', () => {
    expect(clockEvents(fresh, later(99), countingIds())).to.deep.equal([]);
    const suspended = toldUntil(aSubscription({ ...period, hold: { kind: 'suspended' } }), later(0));
    expect(clockEvents(suspended, later(199), countingIds())).to.deep.equal([]);
  });

  it('tells the same whether the clock is looked at often or once at the end', () => {
    fc.assert(
      fc.property(entitlements, fc.array(instants, { maxLength: 8 }), (entitlement, sweeps) => {
        const end = later(span + 10);
        const often = sweptAt(entitlement, [...sweeps.toSorted((a, b) => a.getTime() - b.getTime()), end]);
        expect(often).to.deep.equal(sweptAt(entitlement, [end]));
      }),
      { numRuns: 2000 },
    );
  });

  it('tells each change of the status once, with the status it leads to', () => {
    fc.assert(
      fc.property(entitlements, (entitlement) => {
        const told = sweptAt(entitlement, [later(span + 10)]).map((event) => [event.at, event.entitlement.status]);
        const expected = [];
        for (let next = nextTransition(entitlement, later(-10)); next; next = nextTransition(entitlement, next)) {
          expected.push([next, statusAt(entitlement, next)]);
        }
        expect(told).to.deep.equal(expected);
      }),
    );
  });
});

describe('tell', () => {
  it('tells a change with its cause and the earlier values', () => {
    const decision = decideCommand({ kind: 'cancel' }, fresh, later(10));
    if (decision.kind !== 'changed') throw new Error('cancel changes nothing');
    const call = at(10);
    const { next, events } = tell(fresh, decision.next, 'entitlement.cancellation_scheduled', call, countingIds());
    expect(next).to.deep.equal({ ...decision.next, sequence: 5, nextEventAt: later(100) });
    expect(events).to.deep.equal([
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
      },
    ]);
  });

  it('tells what the clock has done before a renewal that comes after it', () => {
    const renewal = { kind: 'renew', currentPeriodEnd: later(1000), grace: 100 } as const;
    const decision = decideCommand(renewal, fresh, later(250));
    if (decision.kind !== 'changed') throw new Error('the renewal changes nothing');
    const { next, events } = tell(fresh, decision.next, 'entitlement.renewed', at(250), countingIds());
    expect(events.map(({ type, at: instant, sequence }) => [type, instant, sequence])).to.deep.equal([
      ['entitlement.past_due', later(100), 5],
      ['entitlement.ended', later(200), 6],
      ['entitlement.renewed', later(250), 7],
    ]);
    expect(events.at(-1)?.previous).to.deep.include({ status: 'expired', endedAt: later(200) });
    expect([next.sequence, next.nextEventAt]).to.deep.equal([7, later(1000)]);
  });

  it('shows the license without its digest in events of the license alone', () => {
    const licensed = toldUntil(aSubscription({ ...period, license: aLicense() }), later(0));
    const [event] = tell(licensed, licensed, 'license.rotated', at(10), countingIds()).events;
    const { digest, ...facts } = aLicense();
    expect(event?.license).to.deep.equal(facts);
    expect(JSON.stringify(event)).not.to.include(digest);
    expect(tell(licensed, licensed, 'entitlement.suspended', at(10), countingIds()).events[0]?.license).to.equal(null);
  });
});

describe('tellGrant', () => {
  it('tells the grant as the first event, and nothing of a period that has ended before', () => {
    const { next, events } = tellGrant(aSubscription(period), at(150), countingIds());
    expect(events.map(({ type, sequence, previous }) => [type, sequence, previous])).to.deep.equal([
      ['entitlement.granted', 1, {}],
    ]);
    expect(events[0]?.entitlement.status).to.equal('past_due');
    expect([next.sequence, next.nextEventAt]).to.deep.equal([1, later(200)]);
  });
});
