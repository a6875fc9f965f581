import { expect } from 'chai';
import { decideCommand, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { Entitlement, OneTimePurchase, Subscription } from '../../../core/entitlement/entitlement.ts';
import type { HistoryOperation } from '../../../core/entitlement/history-entry.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { statusAt, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import type { CommandRefusal } from '../../../core/refusal.ts';
import { aOneTimePurchase, aSubscription, day, hour, later, noon } from '../../support/builders.ts';

const nextEnd = new Date('2026-09-01T00:00:00.000Z');
const commands = {
  renew: { kind: 'renew', currentPeriodEnd: nextEnd, grace: 2 * hour },
  'change-tier': {
    kind: 'change-tier',
    tierId: 'team',
    tierName: 'Team',
    billingInterval: null,
    billingIntervalCount: null,
    currentPeriodEnd: null,
    grace: null,
  },
  allow: { kind: 'allow', deviceLimit: 5 },
  cancel: { kind: 'cancel' },
  resume: { kind: 'resume' },
  'past-due': { kind: 'past-due' },
  suspend: { kind: 'suspend' },
  reinstate: { kind: 'reinstate' },
  revoke: { kind: 'revoke' },
} as const satisfies Record<EntitlementCommand['kind'], EntitlementCommand>;

/** The members that a command changes, or why it does not. */
type Expected = Partial<Subscription> | Partial<OneTimePurchase> | 'unchanged' | CommandRefusal;

interface Row {
  readonly state: string;
  readonly entitlement: Entitlement;
  readonly status: EntitlementStatus;
  readonly expected: Record<EntitlementCommand['kind'], Expected>;
}

const suspended = { kind: 'suspended' } as const;
const revokedEarlier = { kind: 'revoked', at: later(-day) } as const;
const graceOnly = { currentPeriodEnd: later(0), graceUntil: later(1) };
const over = { currentPeriodEnd: later(-day), graceUntil: later(0) };
const scheduled = { cancellation: { at: new Date('2026-08-01T00:00:00.000Z'), requestedAt: later(-day) } };
const reached = { cancellation: { at: later(0), requestedAt: later(-day) } };

const renewed = (end: Date): Expected => ({
  standing: 'active',
  currentPeriodStart: end,
  currentPeriodEnd: nextEnd,
  graceUntil: new Date(nextEnd.getTime() + 2 * hour),
});
const renewedInTime = renewed(new Date('2026-08-01T00:00:00.000Z'));
const unpaid: Expected = { standing: 'past_due' };
const endingAt = (at: Date): Expected => ({ cancellation: { at, requestedAt: noon } });
const resumed: Expected = { cancellation: null };
const held: Expected = { hold: suspended };
const released: Expected = { hold: { kind: 'none' } };
const ended: Expected = { hold: { kind: 'revoked', at: noon } };

const team: Expected = { tierId: 'team', tierName: 'Team' };

const current = {
  renew: renewedInTime,
  'change-tier': team,
  allow: { deviceLimit: 5 },
  cancel: endingAt(new Date('2026-08-01T00:00:00.000Z')),
  resume: 'unchanged',
  'past-due': unpaid,
  suspend: held,
  reinstate: 'unchanged',
  revoke: ended,
} as const;
const behind = { ...current, 'past-due': 'unchanged' } as const;
const stopped = {
  ...behind,
  'past-due': 'entitlement_not_current',
  suspend: 'unchanged',
  reinstate: released,
} as const;
const gone = {
  'change-tier': 'entitlement_ended',
  allow: 'entitlement_ended',
  renew: 'entitlement_canceled',
  cancel: 'entitlement_ended',
  resume: 'entitlement_ended',
  'past-due': 'entitlement_ended',
  suspend: 'entitlement_ended',
  reinstate: 'unchanged',
  revoke: ended,
} as const;
const finished = { ...gone, renew: 'entitlement_revoked', revoke: 'unchanged' } as const;
const once = { renew: 'not_a_subscription', cancel: 'not_a_subscription', resume: 'not_a_subscription' } as const;
const endingOnce = { ...once, renew: { standing: 'active', accessEndsAt: nextEnd } } as const;
const inGrace = { renew: renewed(noon), cancel: endingAt(later(1)) } as const;
const ending = { renew: 'cancellation_scheduled', cancel: 'unchanged', resume: resumed } as const;

const rows: readonly Row[] = [
  row('trialing', aSubscription({ standing: 'trialing' }), 'trialing', current),
  row('active', aSubscription(), 'active', current),
  row('past due', aSubscription({ standing: 'past_due' }), 'past_due', behind),
  row('active and in its grace', aSubscription(graceOnly), 'past_due', { ...behind, ...inGrace }),
  row('suspended', aSubscription({ hold: suspended }), 'suspended', stopped),
  row('suspended and in its grace', aSubscription({ hold: suspended, ...graceOnly }), 'suspended', {
    ...stopped,
    ...inGrace,
  }),
  row('scheduled to end', aSubscription(scheduled), 'active', { ...current, ...ending }),
  row('scheduled to end and suspended', aSubscription({ ...scheduled, hold: suspended }), 'suspended', {
    ...stopped,
    ...ending,
  }),
  row('canceled', aSubscription(reached), 'canceled', gone),
  row('canceled and suspended', aSubscription({ ...reached, hold: suspended }), 'canceled', gone),
  row('expired', aSubscription(over), 'expired', { ...gone, renew: renewed(later(-day)) }),
  row('expired and suspended', aSubscription({ ...over, hold: suspended }), 'expired', {
    ...gone,
    renew: renewed(later(-day)),
  }),
  row('revoked', aSubscription({ hold: revokedEarlier }), 'revoked', finished),
  row('revoked after it was canceled', aSubscription({ ...reached, hold: revokedEarlier }), 'revoked', finished),
  row('revoked after it expired', aSubscription({ ...over, hold: revokedEarlier }), 'revoked', finished),
  row('one-time, trialing', aOneTimePurchase({ standing: 'trialing' }), 'trialing', { ...current, ...once }),
  row('one-time, active', aOneTimePurchase(), 'active', { ...current, ...once }),
  row('one-time, past due', aOneTimePurchase({ standing: 'past_due' }), 'past_due', { ...behind, ...once }),
  row('one-time, suspended', aOneTimePurchase({ hold: suspended }), 'suspended', { ...stopped, ...once }),
  row('one-time with an end', aOneTimePurchase({ accessEndsAt: later(1) }), 'active', { ...current, ...endingOnce }),
  row(
    'one-time with an end, suspended',
    aOneTimePurchase({ accessEndsAt: later(1), hold: suspended, standing: 'past_due' }),
    'suspended',
    { ...stopped, ...endingOnce },
  ),
  row('one-time, expired', aOneTimePurchase({ accessEndsAt: noon }), 'expired', {
    ...gone,
    ...endingOnce,
  }),
  row('one-time with this end', aOneTimePurchase({ accessEndsAt: nextEnd }), 'active', {
    ...current,
    ...once,
    renew: 'unchanged',
  }),
  row('one-time with a later end', aOneTimePurchase({ accessEndsAt: new Date(+nextEnd + 1) }), 'active', {
    ...current,
    ...once,
    renew: 'period_end_too_early',
  }),
  row('one-time with an end, revoked', aOneTimePurchase({ accessEndsAt: later(1), hold: revokedEarlier }), 'revoked', {
    ...finished,
    ...once,
    renew: 'entitlement_revoked',
  }),
  row('one-time, revoked', aOneTimePurchase({ hold: revokedEarlier }), 'revoked', { ...finished, ...once }),
];

function row(state: string, entitlement: Entitlement, status: Row['status'], expected: Row['expected']): Row {
  return { state, entitlement, status, expected };
}

describe('an administrator', () => {
  for (const { state, entitlement, status, expected } of rows) {
    it(`sees an entitlement that is ${state} as ${status}`, () => {
      expect(statusAt(entitlement, noon)).to.equal(status);
    });

    for (const command of Object.values(commands)) {
      const outcome = expected[command.kind];
      it(`${titleOf(command.kind, outcome)} one that is ${state}`, () => {
        expect(decideCommand(command, entitlement, noon)).to.deep.equal(decision(command.kind, entitlement, outcome));
      });
    }
  }

  describe('who renews', () => {
    const tooEarly = { kind: 'refused', code: 'period_end_too_early' };

    it('must name an end after the current one', () => {
      const end = aSubscription().currentPeriodEnd;
      const command = { kind: 'renew', currentPeriodEnd: new Date(end.getTime() - 1), grace: 0 } as const;
      expect(decideCommand(command, aSubscription(), noon)).to.deep.equal(tooEarly);
      expect(renewal(aSubscription(), new Date(end.getTime() + 1))).to.equal('changed');
    });

    it('changes nothing by the current end, whatever has happened since the renewal', () => {
      for (const since of [{}, scheduled, reached, { hold: suspended }, { hold: revokedEarlier }, graceOnly, over]) {
        const entitlement = aSubscription(since);
        expect(renewal(entitlement, new Date(entitlement.currentPeriodEnd))).to.equal('unchanged');
      }
    });

    it('must name an end in the future', () => {
      const command = { kind: 'renew', currentPeriodEnd: noon, grace: 0 } as const;
      expect(decideCommand(command, aSubscription(over), noon)).to.deep.equal(tooEarly);
      expect(renewal(aSubscription(over), later(1))).to.equal('changed');
    });

    it('makes an expired entitlement active again, until the new end if there is no grace', () => {
      const next = after({ kind: 'renew', currentPeriodEnd: nextEnd, grace: 0 }, aSubscription(over));
      expect([noon, new Date(nextEnd.getTime() - 1), nextEnd].map((at) => statusAt(next, at))).to.deep.equal([
        'active',
        'active',
        'expired',
      ]);
    });

    it('makes the present period longer where it keeps its start, and begins the next one otherwise', () => {
      const { currentPeriodStart, currentPeriodEnd } = aSubscription();
      const renew = { kind: 'renew', currentPeriodEnd: nextEnd, grace: 0 } as const;
      for (const [keepStart, start] of [
        [true, currentPeriodStart],
        [false, currentPeriodEnd],
      ] as const) {
        expect(after({ ...renew, keepStart }, aSubscription())).to.deep.include({
          currentPeriodStart: start,
          currentPeriodEnd: nextEnd,
        });
      }
    });

    it('leaves a suspension in place', () => {
      const next = after(commands.renew, aSubscription({ ...over, hold: suspended }));
      expect(statusAt(next, noon)).to.equal('suspended');
    });
  });

  it('who reinstates restores the standing before the suspension', () => {
    for (const standing of ['trialing', 'active', 'past_due'] as const) {
      const next = after(commands.reinstate, after(commands.suspend, aSubscription({ standing })));
      expect(statusAt(next, noon)).to.equal(standing);
    }
  });

  it('who revokes an ended entitlement ends it now, and keeps the facts of its cancellation', () => {
    const { status, endedAt, cancelAt, canceledAt, cancelAtPeriodEnd } = snapshotAt(
      after(commands.revoke, aSubscription({ cancellation: { at: later(-hour), requestedAt: later(-day) } })),
      noon,
    );
    expect({ status, endedAt, cancelAt, canceledAt, cancelAtPeriodEnd }).to.deep.equal({
      status: 'revoked',
      endedAt: noon,
      cancelAt: later(-hour),
      canceledAt: later(-day),
      cancelAtPeriodEnd: true,
    });
  });
});

function renewal(entitlement: Entitlement, currentPeriodEnd: Date): string {
  return decideCommand({ kind: 'renew', currentPeriodEnd, grace: 0 }, entitlement, noon).kind;
}

const operations: Record<EntitlementCommand['kind'], HistoryOperation> = {
  renew: 'renewed',
  'change-tier': 'tier_changed',
  allow: 'allowance_changed',
  cancel: 'cancellation_scheduled',
  resume: 'cancellation_undone',
  'past-due': 'past_due',
  suspend: 'suspended',
  reinstate: 'reinstated',
  revoke: 'revoked',
};

function decision(kind: EntitlementCommand['kind'], entitlement: Entitlement, expected: Expected): unknown {
  if (expected === 'unchanged') return { kind: 'unchanged' };
  if (typeof expected === 'string') return { kind: 'refused', code: expected };
  const moved = { version: entitlement.version + 1, revision: entitlement.revision + 1, updatedAt: noon };
  const next = { ...entitlement, ...expected, ...moved };
  const merchants = { kind: 'changed', next, operation: operations[kind] };
  return kind === 'cancel' || kind === 'resume' ? merchants : { ...merchants, reason: null };
}

function titleOf(command: string, expected: Expected): string {
  if (expected === 'unchanged') return `changes nothing by ${command} of`;
  return typeof expected === 'string' ? `cannot ${command} (${expected})` : `can ${command}`;
}

function after(command: EntitlementCommand, entitlement: Entitlement): Entitlement {
  const decided = decideCommand(command, entitlement, noon);
  if (decided.kind !== 'changed') throw new Error(`nothing changed: ${decided.kind}`);
  return decided.next;
}
