import { expect } from 'chai';
import { decideCancellation, type CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import type { Entitlement, Hold } from '../../../core/entitlement/entitlement.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { aOneTimePurchase, aSubscription, later } from '../../support/builders.ts';

const dates = { currentPeriodEnd: later(100), graceUntil: later(200) };
const suspended: Hold = { kind: 'suspended' };
const revoked: Hold = { kind: 'revoked', at: later(0) };
const scheduled = { at: later(100), requestedAt: later(-5) };
const running = aSubscription(dates);
const canceled = aSubscription({ ...dates, cancellation: scheduled, version: 4, revision: 9 });

describe('decideCancellation', () => {
  it('cancels at the end of the period', () => {
    expect(decideCancellation('cancel', running, later(99))).to.deep.equal({
      kind: 'changed',
      operation: 'cancellation_scheduled',
      next: {
        ...running,
        cancellation: { at: later(100), requestedAt: later(99) },
        updatedAt: later(99),
        version: 2,
        revision: 2,
      },
    });
  });

  it('cancels at the end of the grace once the period has ended', () => {
    for (const milliseconds of [100, 199]) {
      const now = later(milliseconds);
      const cancellation = { at: later(200), requestedAt: now };
      expect(decideCancellation('cancel', running, now)).to.deep.equal({
        kind: 'changed',
        operation: 'cancellation_scheduled',
        next: { ...running, cancellation, updatedAt: now, version: 2, revision: 2 },
      });
    }
  });

  it('undoes a cancellation until the last millisecond before it takes effect', () => {
    expect(decideCancellation('resume', canceled, later(99))).to.deep.equal({
      kind: 'changed',
      operation: 'cancellation_undone',
      next: { ...canceled, cancellation: null, updatedAt: later(99), version: 5, revision: 10 },
    });
  });

  it('changes only the revision if a cancellation is scheduled already', () => {
    expect(decideCancellation('cancel', canceled, later(50))).to.deep.equal({
      kind: 'unchanged',
      next: { ...canceled, revision: 10 },
    });
  });

  it('changes only the revision if there is no cancellation to undo', () => {
    expect(decideCancellation('resume', running, later(150))).to.deep.equal({
      kind: 'unchanged',
      next: { ...running, revision: 2 },
    });
  });

  it('cancels and resumes a suspended subscription, which stays suspended', () => {
    const held = aSubscription({ ...dates, hold: suspended });
    const decision = decideCancellation('cancel', held, later(0));
    expect(decision.kind).to.equal('changed');
    const back = decision.kind === 'changed' ? decideCancellation('resume', decision.next, later(1)) : decision;
    expect(back).to.deep.equal({
      kind: 'changed',
      operation: 'cancellation_undone',
      next: { ...held, updatedAt: later(1), version: 3, revision: 3 },
    });
  });

  const refusals: readonly (readonly [string, Entitlement, number, string])[] = [
    ['one whose scheduled end has come', canceled, 100, 'entitlement_ended'],
    ['one whose grace is over', running, 200, 'entitlement_ended'],
    ['a suspended one at its end', aSubscription({ ...dates, hold: suspended }), 200, 'entitlement_ended'],
    ['a revoked one', aSubscription({ ...dates, hold: revoked }), 1, 'entitlement_ended'],
    ['a revoked one that is scheduled', aSubscription({ ...canceled, hold: revoked }), 1, 'entitlement_ended'],
    ['a purchase', aOneTimePurchase(), 0, 'not_a_subscription'],
    ['a revoked purchase', aOneTimePurchase({ hold: revoked }), 1, 'not_a_subscription'],
  ];
  const operations: readonly CancellationOperation[] = ['cancel', 'resume'];
  for (const [title, entitlement, milliseconds, code] of refusals) {
    it(`refuses to cancel or to resume ${title}: ${code}`, () => {
      const decisions = operations.map((operation) => decideCancellation(operation, entitlement, later(milliseconds)));
      expect(decisions).to.deep.equal(operations.map(() => ({ kind: 'refused', code })));
    });
    it(`allows nothing for ${title}`, () => {
      expect(allowedActions(entitlement, later(milliseconds))).to.deep.equal([]);
    });
  }
});

describe('allowedActions', () => {
  const samples = [
    running,
    canceled,
    aSubscription({ ...dates, hold: suspended }),
    aSubscription({ ...dates, standing: 'trialing' }),
  ];

  it('are the operations that would change something now', () => {
    for (const entitlement of samples) {
      for (const milliseconds of [0, 99, 100, 199, 200]) {
        const now = later(milliseconds);
        const changing = (['cancel', 'resume'] as const).filter(
          (operation) => decideCancellation(operation, entitlement, now).kind === 'changed',
        );
        expect(allowedActions(entitlement, now)).to.deep.equal(changing);
      }
    }
  });

  it('are one of the two until the end', () => {
    const allowed = [allowedActions(running, later(199)), allowedActions(canceled, later(99))];
    expect(allowed).to.deep.equal([['cancel'], ['resume']]);
  });
});

function allowedActions(entitlement: Entitlement, now: Date): readonly CancellationOperation[] {
  return snapshotAt(entitlement, now).allowedActions;
}
