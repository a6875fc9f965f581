import { expect } from 'chai';
import type { Entitlement, Hold } from '../../../../core/entitlement/entitlement.ts';
import { changeReasons, type HistoryEntry, type HistoryOperation } from '../../../../core/entitlement/history-entry.ts';
import { readWhy, whyOf, type Why } from '../../../../core/entitlement/why/why.ts';
import { aCall, anEntry, aOneTimePurchase, aSubscription, later } from '../../../support/builders.ts';

const byOperator = 'operator:opk_1';
const ofPayment = { kind: 'suspended', causes: ['payment'] } as const satisfies Hold;
const ofBoth = { kind: 'suspended', causes: ['operator', 'payment'] } as const satisfies Hold;
const ofOperator = { kind: 'suspended' } as const satisfies Hold;
const revoked = { kind: 'revoked', at: later(90) } as const satisfies Hold;

/** An entry `at` milliseconds after the grant. */
function entry(
  at: number,
  operation: HistoryOperation,
  by: HistoryEntry['by'],
  reason: HistoryEntry['reason'] = null,
): HistoryEntry {
  return anEntry(aSubscription(), { at: later(at), operation, by, reason });
}

const granted = entry(0, 'granted', 'stripe');
const none = { by: null, reason: null, at: null };

type Case = readonly [what: string, entitlement: Entitlement, newestFirst: readonly HistoryEntry[], why: Why];

const cases: readonly Case[] = [
  ['the buyer has access', aSubscription(), [entry(2, 'suspended', 'stripe', 'refunded'), granted], none],
  ['it is past due', aSubscription({ standing: 'past_due' }), [entry(2, 'past_due', 'stripe'), granted], none],
  ...changeReasons.map((reason): Case => [
    `a payment suspends it: ${reason}`,
    aSubscription({ hold: ofPayment }),
    [entry(3, 'tier_changed', 'stripe'), entry(2, 'suspended', 'stripe', reason), granted],
    { by: 'stripe', reason, at: later(2) },
  ]),
  ...changeReasons.map((reason): Case => [
    `an operator suspends it, and a payment: ${reason}`,
    aSubscription({ hold: ofBoth }),
    [entry(5, 'suspended', byOperator), entry(2, 'suspended', 'stripe', reason), granted],
    { by: 'operator', reason, at: later(5) },
  ]),
  [
    'a command has found that the payment was refunded',
    aSubscription({ hold: ofPayment }),
    [entry(2, 'suspended', 'command:root', 'refunded'), granted],
    { by: 'stripe', reason: 'refunded', at: later(2) },
  ],
  [
    'it was suspended when it was granted',
    aOneTimePurchase({ hold: ofPayment }),
    [entry(0, 'granted', 'stripe', 'disputed')],
    { by: 'stripe', reason: 'disputed', at: later(0) },
  ],
  [
    'it was suspended when it was imported',
    aSubscription({ hold: ofOperator }),
    [entry(0, 'imported', 'command:root')],
    { by: 'operator', reason: null, at: later(0) },
  ],
  [
    'the clock suspends it',
    aSubscription({ unpaidUntil: later(0) }),
    [entry(-1, 'suspended', 'stripe', 'refunded'), granted],
    { by: 'clock', reason: 'unpaid', at: later(0) },
  ],
  [
    'the clock and an operator suspend it',
    aSubscription({ hold: ofOperator, unpaidUntil: later(0) }),
    [entry(-2, 'suspended', byOperator), granted],
    { by: 'operator', reason: 'unpaid', at: later(-2) },
  ],
  [
    'Stripe suspends it by a status that nobody knows, after a refund that is over',
    aSubscription({ hold: ofPayment }),
    [entry(9, 'suspended', 'stripe'), entry(8, 'reinstated', 'stripe'), entry(2, 'suspended', 'stripe', 'refunded')],
    { by: 'stripe', reason: null, at: later(9) },
  ],
  [
    'the same, where an operator has suspended it all the time',
    aSubscription({ hold: ofBoth }),
    [
      entry(9, 'suspended', 'stripe'),
      entry(8, 'suspended', 'stripe'),
      entry(5, 'suspended', byOperator),
      entry(2, 'suspended', 'stripe', 'refunded'),
      granted,
    ],
    { by: 'operator', reason: null, at: later(5) },
  ],
  [
    'an operator has lifted the own suspension, and the refund stays',
    aSubscription({ hold: ofPayment }),
    [entry(7, 'suspended', byOperator), entry(5, 'suspended', byOperator), entry(2, 'suspended', 'stripe', 'refunded')],
    { by: 'stripe', reason: 'refunded', at: later(2) },
  ],
  [
    'a payment has arrived, and the operator suspends it still',
    aSubscription({ hold: ofOperator }),
    [entry(7, 'suspended', 'stripe'), entry(5, 'suspended', 'stripe', 'unpaid'), entry(2, 'suspended', byOperator)],
    { by: 'operator', reason: null, at: later(2) },
  ],
  ['an earlier release has suspended it by payment', aSubscription({ hold: ofPayment }), [], none],
  [
    'an operator has suspended it, and the entry is not kept any more',
    aSubscription({ hold: ofOperator }),
    [entry(9, 'license_rotated', byOperator)],
    { by: 'operator', reason: null, at: null },
  ],
  ...([null, 'refunded', 'dispute_lost'] as const).map((reason): Case => [
    `Stripe has revoked it: ${reason}`,
    aOneTimePurchase({ hold: revoked }),
    [entry(90, 'revoked', 'stripe', reason), granted],
    { by: 'stripe', reason, at: later(90) },
  ]),
  [
    'an operator has revoked it, after a refund',
    aSubscription({ hold: revoked }),
    [entry(90, 'revoked', byOperator), entry(2, 'suspended', 'stripe', 'refunded'), granted],
    { by: 'operator', reason: null, at: later(90) },
  ],
  [
    'it was revoked by nobody who is known',
    aSubscription({ hold: revoked }),
    [],
    { by: null, reason: null, at: later(90) },
  ],
  [
    'it was canceled',
    aSubscription({ cancellation: { at: later(-5), requestedAt: later(-9) } }),
    [entry(-9, 'suspended', 'stripe', 'refunded'), granted],
    { by: 'clock', reason: null, at: later(-5) },
  ],
  [
    'it has expired',
    aSubscription({ currentPeriodEnd: later(-9), graceUntil: later(-5) }),
    [granted],
    { by: 'clock', reason: null, at: later(-5) },
  ],
];

describe('why a buyer has no access', () => {
  for (const [what, entitlement, history, why] of cases) {
    it(`is known where ${what}`, () => {
      expect(whyOf(entitlement, history, later(0))).to.deep.equal(why);
    });
  }

  it('is read from the history of what is suspended or revoked, and of nothing else', async () => {
    const read: string[] = [];
    const history = {
      list: async (id: string) => {
        read.push(id);
        return [entry(2, 'suspended', 'stripe', 'paused')];
      },
    };
    const suspended = aSubscription({ id: 'ent_s', hold: ofPayment });
    expect(await readWhy(history, suspended, aCall())).to.deep.equal({ by: 'stripe', reason: 'paused', at: later(2) });
    await readWhy(history, aSubscription({ id: 'ent_r', hold: revoked }), aCall());
    for (const [, entitlement] of cases) {
      const { id, hold } = entitlement;
      if (hold.kind === 'none' && !('unpaidUntil' in entitlement && entitlement.unpaidUntil)) {
        await readWhy(history, { ...entitlement, id: `${id}_other` }, aCall());
      }
    }
    expect(read).to.deep.equal(['ent_s', 'ent_r']);
  });
});
