import { expect } from 'chai';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { HistoryEntry, HistoryOperation } from '../../../core/entitlement/history-entry.ts';
import { claimStateOf, type ClaimState } from '../../../core/purchase/claim-state.ts';
import { aOneTimePurchase, aSubscription, day, later } from '../../support/builders.ts';

const license = { digest: 'digest', lastFour: 'X5SX', createdAt: later(0), revokedAt: null };

function entry(
  operation: HistoryOperation,
  by: HistoryEntry['by'],
  reason: HistoryEntry['reason'] = null,
): HistoryEntry {
  return { at: later(0), by, operation, correlationId: 'corr-0001', version: 1, reason };
}

describe('the state of a claim', () => {
  const granted = [entry('granted', 'stripe')];
  const revoked = { hold: { kind: 'revoked', at: later(5) } } as const;
  const cases: readonly (readonly [string, Entitlement, readonly HistoryEntry[], boolean, number, ClaimState])[] = [
    ['a grant', aOneTimePurchase({ license }), granted, true, day - 1, { state: 'ready', until: later(day) }],
    ['a grant of yesterday', aOneTimePurchase({ license }), granted, true, day, { state: 'kept', key: 'shown before' }],
    [
      'a grant by a command',
      aOneTimePurchase({ license }),
      [entry('granted', 'operator:opk_1')],
      true,
      0,
      { state: 'kept', key: 'never shown' },
    ],
    ['another key', aOneTimePurchase({ license }), granted, false, 0, { state: 'kept', key: 'replaced' }],
    ['no license', aOneTimePurchase({ license: null }), granted, false, 0, { state: 'kept', key: 'none' }],
    [
      'a license that was revoked',
      aOneTimePurchase({ license: { ...license, revokedAt: later(7) } }),
      granted,
      true,
      9,
      { state: 'ended', at: later(7) },
    ],
    [
      'a refund',
      aOneTimePurchase({ license, ...revoked }),
      [...granted, entry('revoked', 'stripe')],
      true,
      9,
      { state: 'refunded', at: later(5), reason: null },
    ],
    [
      'a revocation by an operator',
      aOneTimePurchase({ license, ...revoked }),
      [...granted, entry('revoked', 'operator:opk_1')],
      true,
      9,
      { state: 'ended', at: later(5) },
    ],
    [
      'a revoked subscription',
      aSubscription({ license, ...revoked }),
      [...granted, entry('revoked', 'stripe')],
      true,
      9,
      { state: 'ended', at: later(5) },
    ],
    [
      'a purchase whose end has come',
      aOneTimePurchase({ license, accessEndsAt: later(5) }),
      granted,
      true,
      5,
      { state: 'ended', at: later(5) },
    ],
    [
      'a suspension',
      aOneTimePurchase({ license, hold: { kind: 'suspended', causes: ['payment'] } }),
      granted,
      true,
      0,
      { state: 'suspended', causes: ['payment'], reason: null },
    ],
    [
      'a suspension for a dispute, which an operator has suspended as well',
      aOneTimePurchase({ license, hold: { kind: 'suspended', causes: ['operator', 'payment'] } }),
      [
        entry('suspended', 'operator:opk_1'),
        entry('suspended', 'stripe', 'disputed'),
        entry('reinstated', 'stripe'),
        entry('suspended', 'stripe', 'refunded'),
        ...granted,
      ],
      true,
      0,
      { state: 'suspended', causes: ['operator', 'payment'], reason: 'disputed' },
    ],
    [
      'a suspension after one for a dispute',
      aOneTimePurchase({ license, hold: { kind: 'suspended', causes: ['payment'] } }),
      [entry('suspended', 'stripe'), entry('reinstated', 'stripe'), entry('suspended', 'stripe', 'disputed')],
      true,
      0,
      { state: 'suspended', causes: ['payment'], reason: null },
    ],
    [
      'a suspension by an operator alone, after one for a dispute',
      aOneTimePurchase({ license, hold: { kind: 'suspended' } }),
      [entry('suspended', 'operator:opk_1'), entry('suspended', 'stripe', 'disputed'), ...granted],
      true,
      0,
      { state: 'suspended', causes: ['operator'], reason: null },
    ],
    [
      'a refund that a command has found',
      aOneTimePurchase({ license, ...revoked }),
      [entry('revoked', 'command:root', 'refunded'), ...granted],
      true,
      9,
      { state: 'refunded', at: later(5), reason: 'refunded' },
    ],
    [
      'a lost dispute',
      aOneTimePurchase({ license, ...revoked }),
      [entry('revoked', 'stripe', 'dispute_lost'), ...granted],
      true,
      9,
      { state: 'refunded', at: later(5), reason: 'dispute_lost' },
    ],
    [
      'a suspension by an operator',
      aOneTimePurchase({ license, hold: { kind: 'suspended' } }),
      granted,
      true,
      0,
      { state: 'suspended', causes: ['operator'], reason: null },
    ],
    [
      'a payment that is missing',
      aSubscription({ license, unpaidUntil: later(3) }),
      granted,
      true,
      3,
      { state: 'suspended', causes: ['payment'], reason: 'unpaid' },
    ],
  ];

  for (const [what, entitlement, history, hasGrantedKey, at, state] of cases) {
    it(`of ${what} is ${state.state}`, () => {
      expect(claimStateOf(entitlement, history, hasGrantedKey, later(at))).to.deep.equal(state);
    });
  }
});
