import { expect } from 'chai';
import * as fc from 'fast-check';
import { addInterval } from '../../../adapters/calendar/utc-calendar.ts';
import { commandFor, type GivenCommand } from '../../../core/entitlement/administration/renewal.ts';
import { decideAlignment } from '../../../core/entitlement/alignment.ts';
import { decideCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { EntitlementDecision } from '../../../core/entitlement/entitlement-decision.ts';
import { billingIntervals, type BillingInterval, type Entitlement } from '../../../core/entitlement/entitlement.ts';
import { decideGrant, type Grant } from '../../../core/entitlement/grant.ts';
import { aSubscription, day } from '../../support/builders.ts';
import { aTarget } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';

/** A change of an entitlement, by the instant at which it is made. */
type Step = (entitlement: Entitlement, now: Date) => EntitlementDecision;

describe('the ends of periods', () => {
  it('are those of the first day, however many renewals lie between', () => {
    const starts = fc.date({ min: new Date('2026-01-01'), max: new Date('2035-12-31'), noInvalidDate: true });
    const intervals = fc.constantFrom(...billingIntervals);
    const counts = fc.integer({ min: 1, max: 24 });
    fc.assert(
      fc.property(starts, intervals, counts, fc.integer({ min: 1, max: 15 }), (start, interval, count, renewals) => {
        const ends = endsAfter(
          granted(start, interval, count),
          range(renewals).map(() => renewed()),
        );
        const expected = range(renewals + 1).map((number) => addInterval(start, interval, count * (number + 1)));
        expect(ends).to.deep.equal(expected.map(isoDay));
      }),
    );
  });

  const examples: readonly (readonly [string, Entitlement, readonly Step[], readonly string[]])[] = [
    [
      'return to the 31st after February, and count on from an end that was named',
      granted(at('2027-01-31'), 'month'),
      [renewed(), renewed('2027-04-28'), renewed(), renewed()],
      ['2027-02-28', '2027-03-31', '2027-04-28', '2027-05-28', '2027-06-28'],
    ],
    [
      'return to it after an end that was named and is the next one anyway',
      granted(at('2027-01-31'), 'month'),
      [renewed('2027-03-31'), renewed('2027-04-30'), renewed()],
      ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ],
    [
      'return to 29 February in the next leap year',
      granted(at('2028-02-29'), 'year', 3),
      [renewed(), renewed(), renewed()],
      ['2031-02-28', '2034-02-28', '2037-02-28', '2040-02-29'],
    ],
    [
      'count from the day of a grant that named the end which the calendar makes',
      granted(at('2027-01-31'), 'month', 1, at('2027-02-28')),
      [renewed()],
      ['2027-02-28', '2027-03-31'],
    ],
    [
      'count from the end of a grant that named another',
      granted(at('2027-01-31'), 'month', 1, at('2027-02-27')),
      [renewed()],
      ['2027-02-27', '2027-03-27'],
    ],
    [
      'keep the day through a change of tier, and lose it with an end that the change names',
      granted(at('2027-01-31'), 'month'),
      [tierChanged('month'), renewed(), renewed(), tierChanged('month', '2027-04-29'), renewed()],
      ['2027-02-28', '2027-02-28', '2027-03-31', '2027-04-30', '2027-04-29', '2027-05-29'],
    ],
    [
      'keep the day when months become years',
      granted(at('2027-01-31'), 'month'),
      [tierChanged('year'), renewed(), renewed()],
      ['2027-02-28', '2027-02-28', '2028-02-29', '2029-02-28'],
    ],
    [
      'are on their own day once days are counted',
      granted(at('2027-01-31'), 'month'),
      [tierChanged('day'), renewed(), tierChanged('month'), renewed()],
      ['2027-02-28', '2027-02-28', '2027-03-01', '2027-03-01', '2027-04-01'],
    ],
    [
      'follow the periods of a billing system',
      granted(at('2027-01-31'), 'month'),
      [aligned('2027-02-28', '2027-03-31'), aligned('2027-03-31', '2027-04-30'), renewed()],
      ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ],
  ];
  for (const [what, first, steps, ends] of examples) {
    it(what, () => expect(endsAfter(first, steps)).to.deep.equal(ends));
  }

  it('count from now once a period has been missed, by the day of now', () => {
    const now = at('2027-08-31');
    const decision = renewed()(granted(at('2027-01-30'), 'month'), now);
    const ends = decision.kind === 'changed' ? endsAfter(decision.next, [renewed()]) : [];
    expect(ends).to.deep.equal(['2027-09-30', '2027-10-31']);
  });
});

function at(date: string): Date {
  return new Date(`${date}T10:00:00.000Z`);
}

function granted(start: Date, billingInterval: BillingInterval, count = 1, end: Date | null = null): Entitlement {
  const { productId, tierId, tierName, standing, reference } = aSubscription();
  const terms = { kind: 'subscription', productId, tierId, tierName, standing, reference, grace: day } as const;
  const interval = { billingInterval, billingIntervalCount: count };
  const grant: Grant = { ...terms, ...interval, currentPeriodStart: start, currentPeriodEnd: end };
  const decision = decideGrant(grant, { id: 'ent_1', license: null }, start, addInterval);
  if (decision.kind === 'refused') throw new Error(decision.code);
  return decision.entitlement;
}

function renewed(end: string | null = null): Step {
  const kind = 'renew';
  const renewal: GivenCommand =
    end === null ? { kind, currentPeriodEnd: null, grace: day } : { kind, currentPeriodEnd: at(end), grace: day };
  return (entitlement, now) => decideCommand(commandFor(renewal, entitlement, now, addInterval), entitlement, now);
}

function tierChanged(billingInterval: BillingInterval, end: string | null = null): Step {
  const terms = { tierId: 'team', tierName: 'Team', billingIntervalCount: null, grace: null };
  const change = {
    kind: 'change-tier',
    ...terms,
    billingInterval,
    currentPeriodEnd: end === null ? null : at(end),
  } as const;
  return (entitlement, now) => decideCommand(change, entitlement, now);
}

function aligned(start: string, end: string): Step {
  const target = aTarget({ currentPeriodStart: at(start), currentPeriodEnd: at(end) });
  return (entitlement, now) => decideAlignment(target, entitlement, now);
}

/** The days on which the first period ends, and the one that each step leaves. Steps are made where a period begins. */
function endsAfter(first: Entitlement, steps: readonly Step[]): readonly string[] {
  let entitlement = first;
  const ends = [endOf(first)];
  for (const step of steps) {
    const decision = step(entitlement, entitlement.currentPeriodStart);
    if (decision.kind === 'changed') entitlement = decision.next;
    ends.push(endOf(entitlement));
  }
  return ends;
}

function endOf(entitlement: Entitlement): string {
  return entitlement.kind === 'one_time' ? 'never' : isoDay(entitlement.currentPeriodEnd);
}

function isoDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
