import { expect } from 'chai';
import { decideCommand, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Entitlement, Hold, SuspensionCause } from '../../../core/entitlement/entitlement.ts';
import { statusAt } from '../../../core/entitlement/status.ts';
import { causesAt, causesOf, heldBy, withCause } from '../../../core/entitlement/suspension.ts';
import { aOneTimePurchase, aSubscription, later, noon } from '../../support/builders.ts';

const none = { kind: 'none' } as const;
const operator = { kind: 'suspended' } as const;
const payment = { kind: 'suspended', causes: ['payment'] } as const;
const both = { kind: 'suspended', causes: ['operator', 'payment'] } as const;
const revoked = { kind: 'revoked', at: noon } as const;

describe('a suspension', () => {
  it('has its causes in one order, and is the operator’s if it names none', () => {
    const holds: readonly Hold[] = [none, operator, payment, both, revoked];
    expect(holds.map(causesOf)).to.deep.equal([[], ['operator'], ['payment'], ['operator', 'payment'], []]);
  });

  it('is by payment too once that is missing for longer than access lasts without it', () => {
    for (const [hold, before, after] of [
      [none, [], ['payment']],
      [operator, ['operator'], ['operator', 'payment']],
      [payment, ['payment'], ['payment']],
      [revoked, [], []],
    ] as const) {
      const unpaid = aSubscription({ hold, unpaidUntil: later(1) });
      expect([causesAt(unpaid, noon), causesAt(unpaid, later(1))]).to.deep.equal([before, after]);
    }
    expect(causesAt(aOneTimePurchase(), noon)).to.deep.equal([]);
  });

  it('goes on after an operator has lifted his own, while a payment is missing for too long', () => {
    const unpaid = aSubscription({ hold: operator, standing: 'past_due', unpaidUntil: noon });
    const decision = decideCommand({ kind: 'reinstate' }, unpaid, noon);
    expect(decision).to.deep.include({ kind: 'changed', operation: 'suspended' });
    const next = decision.kind === 'changed' ? decision.next : unpaid;
    expect([statusAt(next, noon), next.hold]).to.deep.equal(['suspended', none]);
    expect(decideCommand({ kind: 'reinstate' }, next, noon)).to.deep.equal({ kind: 'unchanged' });
  });

  it('of a missing payment ends with a renewal', () => {
    const unpaid = aSubscription({ standing: 'past_due', unpaidUntil: noon });
    const renewal = { kind: 'renew', currentPeriodEnd: new Date('2026-09-01T00:00:00.000Z'), grace: 0 } as const;
    const decision = decideCommand(renewal, unpaid, noon);
    expect(decision.kind === 'changed' && statusAt(decision.next, noon)).to.equal('active');
  });

  it('is kept in one form, whatever the order of its causes', () => {
    const lists: readonly (readonly SuspensionCause[])[] = [
      [],
      ['operator'],
      ['payment'],
      ['operator', 'payment'],
      ['payment', 'operator'],
    ];
    expect(lists.map(heldBy)).to.deep.equal([none, operator, payment, both, both]);
  });

  const changes: readonly (readonly [Hold, SuspensionCause, boolean, Hold])[] = [
    [none, 'operator', true, operator],
    [none, 'payment', true, payment],
    [none, 'payment', false, none],
    [operator, 'payment', true, both],
    [operator, 'payment', false, operator],
    [payment, 'operator', true, both],
    [payment, 'operator', false, payment],
    [payment, 'payment', true, payment],
    [payment, 'payment', false, none],
    [both, 'operator', false, payment],
    [both, 'payment', false, operator],
    [both, 'operator', true, both],
    [revoked, 'payment', true, revoked],
    [revoked, 'operator', false, revoked],
  ];
  for (const [hold, cause, holds, expected] of changes) {
    it(`${holds ? 'gets' : 'loses'} the cause ${cause}: ${JSON.stringify(hold)} to ${JSON.stringify(expected)}`, () => {
      expect(withCause(hold, cause, holds)).to.deep.equal(expected);
    });
  }

  for (const bought of [aSubscription(), aOneTimePurchase()]) {
    it(`of a ${bought.kind} lasts until each cause is lifted, and each command lifts its own`, () => {
      const steps: readonly (readonly [EntitlementCommand, string, Hold])[] = [
        [{ kind: 'suspend', cause: 'payment' }, 'suspended', payment],
        [{ kind: 'suspend', cause: 'payment' }, 'unchanged', payment],
        [{ kind: 'reinstate' }, 'unchanged', payment],
        [{ kind: 'suspend' }, 'suspended', both],
        [{ kind: 'reinstate', cause: 'payment' }, 'suspended', operator],
        [{ kind: 'reinstate', cause: 'payment' }, 'unchanged', operator],
        [{ kind: 'suspend', cause: 'payment' }, 'suspended', both],
        [{ kind: 'reinstate', cause: 'operator' }, 'suspended', payment],
        [{ kind: 'reinstate', cause: 'payment' }, 'reinstated', none],
      ];
      let entitlement: Entitlement = bought;
      for (const [command, operation, hold] of steps) {
        const decision = decideCommand(command, entitlement, noon);
        expect(decision.kind === 'changed' ? decision.operation : decision.kind).to.equal(operation);
        if (decision.kind === 'changed') entitlement = decision.next;
        expect(entitlement.hold).to.deep.equal(hold);
        expect(statusAt(entitlement, noon)).to.equal(hold.kind === 'none' ? 'active' : 'suspended');
      }
    });
  }
});
