import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { decisionCall, decisionInstant, nextTransition } from '../../../../core/entitlement/event/transitions.ts';
import { hasEnded, statusAt } from '../../../../core/entitlement/status.ts';
import { aCall, aSubscription, later } from '../../../support/builders.ts';
import { entitlements, instants, span, toldUntil } from '../../../support/random-entitlements.ts';

/** The instants at which the status differs from the one a millisecond before, found by asking at every instant. */
function transitions(entitlement: Entitlement): readonly Date[] {
  const all = Array.from({ length: span + 20 }, (_, index) => later(index - 10));
  return all.filter((at) => statusAt(entitlement, at) !== statusAt(entitlement, new Date(at.getTime() - 1)));
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
    expect([...found]).to.have.members(['past_due', 'canceled', 'expired']);
  });

  it('is the instant of a cancellation before the end of the period', () => {
    const cancellation = { at: later(5), requestedAt: later(0) };
    const canceled = aSubscription({ currentPeriodEnd: later(10), graceUntil: later(20), cancellation });
    expect(nextTransition(canceled, later(0))).to.deep.equal(later(5));
    expect(nextTransition(canceled, later(5))).to.equal(null);
  });

  it('leads to an end in at most two steps', () => {
    fc.assert(
      fc.property(entitlements, (entitlement) => {
        expect(transitions(entitlement).length).to.be.at.most(2);
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
      fc.property(entitlements, instants, instants, (entitlement, told, now) => {
        const recorded = transitions(entitlement).filter((at) => at <= told);
        const expected = new Date(Math.max(now.getTime(), ...recorded.map((at) => at.getTime())));
        expect(decisionInstant(toldUntil(entitlement, told), now)).to.deep.equal(expected);
        if (expected > now) delayed += 1;
      }),
      { numRuns: 5000 },
    );
    expect(delayed).to.be.above(100);
  });
});

describe('decisionCall', () => {
  it('is the call itself, or has the instant of the last change by the clock that has an event', () => {
    const period = { currentPeriodEnd: later(10), graceUntil: later(20) };
    const told = toldUntil(aSubscription(period), later(10));
    const [slow, fast] = [aCall({ now: later(9) }), aCall({ now: later(11) })];
    expect(decisionCall(told, slow)).to.deep.equal({ ...slow, now: later(10) });
    expect(decisionCall(told, fast)).to.equal(fast);
  });
});
