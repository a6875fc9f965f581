import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Entitlement, Hold } from '../../../core/entitlement/entitlement.ts';
import {
  endedAt,
  entitlementStatuses,
  givesAccess,
  hasEnded,
  statusAt,
  type EntitlementStatus,
} from '../../../core/entitlement/status.ts';
import { aOneTimePurchase, aSubscription, later } from '../../support/builders.ts';

const suspended: Hold = { kind: 'suspended' };
const revoked: Hold = { kind: 'revoked', at: later(50) };
const dates = { currentPeriodEnd: later(100), graceUntil: later(200) };
const atEnd = { at: later(100), requestedAt: later(0) };
const inGrace = { at: later(200), requestedAt: later(150) };
const once = aOneTimePurchase();

/** A subscription or purchase, and its status some milliseconds after noon. */
const rows: readonly (readonly [string, Entitlement, readonly (readonly [number, EntitlementStatus])[]])[] = [
  [
    'an active one',
    aSubscription(dates),
    [
      [99, 'active'],
      [100, 'past_due'],
      [199, 'past_due'],
      [200, 'expired'],
    ],
  ],
  [
    'a purchase for a time',
    aOneTimePurchase({ accessEndsAt: later(100) }),
    [
      [99, 'active'],
      [100, 'expired'],
    ],
  ],
  [
    'a suspended purchase for a time',
    aOneTimePurchase({ accessEndsAt: later(100), hold: suspended }),
    [
      [99, 'suspended'],
      [100, 'expired'],
    ],
  ],
  ['a revoked purchase for a time', aOneTimePurchase({ accessEndsAt: later(100), hold: revoked }), [[100, 'revoked']]],
  [
    'a trialing one',
    aSubscription({ ...dates, standing: 'trialing' }),
    [
      [99, 'trialing'],
      [100, 'past_due'],
      [199, 'past_due'],
      [200, 'expired'],
    ],
  ],
  [
    'a past-due one',
    aSubscription({ ...dates, standing: 'past_due' }),
    [
      [99, 'past_due'],
      [100, 'past_due'],
      [199, 'past_due'],
      [200, 'expired'],
    ],
  ],
  [
    'one that is unpaid',
    aSubscription({ ...dates, standing: 'past_due', unpaidUntil: later(50) }),
    [
      [49, 'past_due'],
      [50, 'suspended'],
      [199, 'suspended'],
      [200, 'expired'],
    ],
  ],
  [
    'one that is unpaid, and canceled later',
    aSubscription({ ...dates, unpaidUntil: later(50), cancellation: atEnd }),
    [
      [49, 'active'],
      [50, 'suspended'],
      [100, 'canceled'],
    ],
  ],
  [
    'one that is unpaid and revoked',
    aSubscription({ ...dates, unpaidUntil: later(50), hold: revoked }),
    [[50, 'revoked']],
  ],
  [
    'one without a grace',
    aSubscription({ ...dates, graceUntil: later(100) }),
    [
      [99, 'active'],
      [100, 'expired'],
    ],
  ],
  [
    'a canceled one',
    aSubscription({ ...dates, cancellation: atEnd }),
    [
      [99, 'active'],
      [100, 'canceled'],
      [200, 'canceled'],
      [1e9, 'canceled'],
    ],
  ],
  [
    'one canceled while trialing',
    aSubscription({ ...dates, standing: 'trialing', cancellation: atEnd }),
    [
      [99, 'trialing'],
      [100, 'canceled'],
    ],
  ],
  [
    'one canceled in the grace',
    aSubscription({ ...dates, cancellation: inGrace }),
    [
      [150, 'past_due'],
      [199, 'past_due'],
      [200, 'canceled'],
    ],
  ],
  [
    'a suspended one',
    aSubscription({ ...dates, hold: suspended }),
    [
      [0, 'suspended'],
      [99, 'suspended'],
      [100, 'suspended'],
      [199, 'suspended'],
      [200, 'expired'],
    ],
  ],
  [
    'a suspended and canceled one',
    aSubscription({ ...dates, hold: suspended, cancellation: atEnd }),
    [
      [99, 'suspended'],
      [100, 'canceled'],
    ],
  ],
  [
    'a revoked one',
    aSubscription({ ...dates, hold: revoked }),
    [
      [0, 'revoked'],
      [100, 'revoked'],
      [200, 'revoked'],
    ],
  ],
  [
    'a revoked and canceled one',
    aSubscription({ ...dates, hold: revoked, cancellation: atEnd }),
    [
      [0, 'revoked'],
      [100, 'revoked'],
      [200, 'revoked'],
    ],
  ],
  [
    'a purchase',
    once,
    [
      [-1e12, 'active'],
      [0, 'active'],
      [1e12, 'active'],
    ],
  ],
  [
    'a past-due purchase',
    aOneTimePurchase({ standing: 'past_due' }),
    [
      [0, 'past_due'],
      [1e12, 'past_due'],
    ],
  ],
  [
    'a suspended purchase',
    aOneTimePurchase({ hold: suspended }),
    [
      [0, 'suspended'],
      [1e12, 'suspended'],
    ],
  ],
  [
    'a revoked purchase',
    aOneTimePurchase({ hold: revoked }),
    [
      [0, 'revoked'],
      [1e12, 'revoked'],
    ],
  ],
];

describe('statusAt', () => {
  for (const [title, entitlement, times] of rows) {
    const story = times.map(([milliseconds, status]) => `${status} at ${milliseconds}`).join(', ');
    it(`of ${title} is ${story}`, () => {
      const found = times.map(([milliseconds]) => [milliseconds, statusAt(entitlement, later(milliseconds))]);
      expect(found).to.deep.equal(times);
    });
  }

  it('never brings a subscription back by the clock alone', () => {
    const subscriptions = fc.record({
      standing: fc.constantFrom('trialing' as const, 'active' as const, 'past_due' as const),
      hold: fc.constantFrom<Hold>({ kind: 'none' }, suspended, revoked),
      cancellation: fc.constantFrom(null, atEnd, inGrace),
    });
    const instants = fc.tuple(fc.integer({ min: -10, max: 400 }), fc.integer({ min: 0, max: 400 }));
    fc.assert(
      fc.property(subscriptions, instants, (parts, [first, wait]) => {
        const entitlement = aSubscription({ ...dates, ...parts });
        const status = statusAt(entitlement, later(first));
        if (hasEnded(status)) expect(statusAt(entitlement, later(first + wait))).to.equal(status);
      }),
    );
  });
});

describe('givesAccess and hasEnded', () => {
  it('classify every status', () => {
    const sorted = entitlementStatuses.map((status) => [status, givesAccess(status), hasEnded(status)]);
    expect(sorted).to.deep.equal([
      ['trialing', true, false],
      ['active', true, false],
      ['past_due', true, false],
      ['suspended', false, false],
      ['canceled', false, true],
      ['expired', false, true],
      ['revoked', false, true],
    ]);
  });
});

describe('endedAt', () => {
  const ends: readonly (readonly [string, Entitlement, number, Date | null])[] = [
    ['null before the end', aSubscription(dates), 199, null],
    ['the end of the grace when expired', aSubscription(dates), 1000, later(200)],
    ['the scheduled end when canceled', aSubscription({ ...dates, cancellation: atEnd }), 1000, later(100)],
    ['null before a scheduled end', aSubscription({ ...dates, cancellation: atEnd }), 99, null],
    ['the instant of revocation when revoked', aSubscription({ ...dates, hold: revoked }), 60, later(50)],
    [
      'the revocation, even of one that had ended before',
      aSubscription({ ...dates, hold: { kind: 'revoked', at: later(900) }, cancellation: atEnd }),
      1000,
      later(900),
    ],
    ['null while suspended', aSubscription({ ...dates, hold: suspended }), 150, null],
    ['null for a purchase', once, 1e12, null],
    ['the revocation of a purchase', aOneTimePurchase({ hold: revoked }), 60, later(50)],
  ];
  for (const [title, entitlement, milliseconds, end] of ends) {
    it(`is ${title}`, () => {
      expect(endedAt(entitlement, statusAt(entitlement, later(milliseconds)))).to.deep.equal(end);
    });
  }
});
