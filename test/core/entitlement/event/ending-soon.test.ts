import { expect } from 'chai';
import * as fc from 'fast-check';
import type { EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import { endingOf } from '../../../../core/entitlement/event/ending-soon.ts';
import { aOneTimePurchase, aSubscription, later } from '../../../support/builders.ts';
import { EntitlementLife } from '../../../support/workload/entitlement-life.ts';

/** Milliseconds before an end at which it is announced. */
const soon = 30;

/** Granted at 0. Its period ends at 100, and its access at 110. */
function life(overrides: Partial<Subscription> = {}, endingSoon = soon): EntitlementLife {
  const period = { currentPeriodEnd: later(100), graceUntil: later(110) };
  return new EntitlementLife(aSubscription({ ...period, ...overrides }), endingSoon);
}

function renewal(end: number, grace = 10): EntitlementCommand {
  return { kind: 'renew', currentPeriodEnd: later(end), grace };
}

function tierChange(end: number | null): EntitlementCommand {
  const currentPeriodEnd = end === null ? null : later(end);
  const terms = { billingInterval: null, billingIntervalCount: null, currentPeriodEnd, grace: null };
  return { kind: 'change-tier', tierId: 'team', tierName: 'Team', ...terms };
}

describe('the end of access by the clock', () => {
  it('is a scheduled cancellation, or the end of the grace of a trial or of a period that is not renewed', () => {
    const graceUntil = later(20);
    const period = { currentPeriodEnd: later(10), graceUntil };
    const cancellation = { at: later(10), requestedAt: later(0) };
    const examples = [
      endingOf(aSubscription(period)),
      endingOf(aSubscription({ ...period, standing: 'past_due' })),
      endingOf(aSubscription({ ...period, standing: 'trialing' })),
      endingOf(aSubscription({ ...period, standing: 'trialing', cancellation })),
      endingOf(aSubscription({ ...period, cancellation: { ...cancellation, at: graceUntil } })),
      endingOf(aSubscription({ ...period, cancellation: { ...cancellation, at: later(21) } })),
      endingOf(aSubscription({ ...period, unpaidUntil: later(5), cancellation })),
      endingOf(aSubscription({ ...period, unpaidUntil: later(15), cancellation })),
      endingOf(aSubscription({ ...period, unpaidUntil: later(25) })),
    ];
    expect(examples).to.deep.equal([
      { reason: 'unpaid', endsAt: graceUntil },
      { reason: 'unpaid', endsAt: graceUntil },
      { reason: 'trial', endsAt: graceUntil },
      { reason: 'canceled', endsAt: later(10) },
      { reason: 'canceled', endsAt: graceUntil },
      { reason: 'unpaid', endsAt: graceUntil },
      { reason: 'unpaid', endsAt: later(5) },
      { reason: 'canceled', endsAt: later(10) },
      { reason: 'unpaid', endsAt: graceUntil },
    ]);
  });

  it('is that of a purchase for a time; none of any other, and none after a revocation', () => {
    expect(endingOf(aOneTimePurchase())).to.equal(null);
    const ending = { accessEndsAt: later(9) };
    expect(endingOf(aOneTimePurchase(ending))).to.deep.equal({ reason: 'fixed_term', endsAt: later(9) });
    expect(endingOf(aOneTimePurchase({ ...ending, hold: { kind: 'revoked', at: later(0) } }))).to.equal(null);
    expect(endingOf(aSubscription({ hold: { kind: 'revoked', at: later(0) } }))).to.equal(null);
  });
});

describe('an end of access that is near', () => {
  it('is announced once, that long before it, with the entitlement as it is then', () => {
    const it = life();
    for (const at of [79, 80, 81, 95]) it.sweep(at);
    expect(it.announced).to.deep.equal([[80, 'unpaid', 110]]);
    const [, event] = it.events;
    expect(event).to.deep.include({ type: 'entitlement.ending_soon', by: 'clock', correlationId: null, previous: {} });
    expect(event).to.deep.nested.include({ sequence: 2, 'entitlement.status': 'active', license: null });
  });

  it('is announced not a millisecond earlier', () => {
    expect(life().sweep(79).announced).to.deep.equal([]);
    expect(life().sweep(80).announced).to.deep.equal([[80, 'unpaid', 110]]);
  });

  it('is that of a trial, and of a cancellation', () => {
    expect(life({ standing: 'trialing' }).sweep(80).announced).to.deep.equal([[80, 'trial', 110]]);
    expect(life().run(5, { kind: 'cancel' }).sweep(69).announced).to.deep.equal([]);
    expect(life().run(5, { kind: 'cancel' }).sweep(70).announced).to.deep.equal([[70, 'canceled', 100]]);
  });

  it('is announced at once if a grant, a cancellation or a change of tier sets one that is nearer', () => {
    const granted = life({ currentPeriodEnd: later(10), graceUntil: later(20) }).sweep(1);
    expect(granted.told).to.deep.equal(['0 granted', '0 ending_soon']);
    expect(life().run(75, { kind: 'cancel' }).sweep(76).told).to.deep.equal([
      '0 granted',
      '75 cancellation_scheduled',
      '75 ending_soon',
    ]);
    expect(life().run(50, tierChange(60)).sweep(51).announced).to.deep.equal([[50, 'unpaid', 70]]);
  });

  it('is not announced if it is over when it is granted', () => {
    const over = life({ currentPeriodEnd: later(-1), graceUntil: later(0) });
    expect(over.entitlement.unannouncedEnd).to.equal(null);
    expect(over.sweep(1).told).to.deep.equal(['0 granted']);
  });

  it('is not announced if it was renewed or ended before', () => {
    expect(life().run(79, renewal(300)).sweep(279).announced).to.deep.equal([]);
    expect(life().run(79, { kind: 'revoke' }).sweep(200).announced).to.deep.equal([]);
    expect(new EntitlementLife(aOneTimePurchase(), soon).sweep(1_000_000_000).announced).to.deep.equal([]);
  });

  it('is announced before a change that comes after it, whoever looks first', () => {
    expect(life().run(85, renewal(300)).told).to.deep.equal(['0 granted', '80 ending_soon', '85 renewed']);
    expect(life().run(85, { kind: 'revoke' }).told).to.deep.equal(['0 granted', '80 ending_soon', '85 ended']);
  });

  it('is announced anew for each new end: of a renewal, a resumption, a cancellation, a change of tier', () => {
    const renewed = life().sweep(90).run(95, renewal(300)).sweep(279).sweep(280).sweep(290);
    expect(renewed.announced).to.deep.equal([
      [80, 'unpaid', 110],
      [280, 'unpaid', 310],
    ]);
    const resumed = life()
      .run(5, { kind: 'cancel' })
      .sweep(75)
      .run(76, { kind: 'resume' })
      .sweep(79)
      .sweep(80)
      .sweep(81);
    expect(resumed.announced).to.deep.equal([
      [70, 'canceled', 100],
      [80, 'unpaid', 110],
    ]);
    const moved = life().sweep(80).run(81, tierChange(200)).sweep(179).sweep(180);
    expect(moved.announced).to.deep.equal([
      [80, 'unpaid', 110],
      [180, 'unpaid', 210],
    ]);
  });

  it('is not announced again by a change that keeps it', () => {
    const kept = life().sweep(80).run(81, tierChange(null)).run(82, { kind: 'past-due' }).sweep(83);
    expect(kept.announced).to.deep.equal([[80, 'unpaid', 110]]);
    const inGrace = life().sweep(101).run(102, { kind: 'cancel' }).sweep(103);
    expect(inGrace.announced).to.deep.equal([[80, 'unpaid', 110]]);
  });

  it('is announced once access is back if it is suspended then, and not again if it was', () => {
    const late = life().run(50, { kind: 'suspend' }).sweep(90).run(95, { kind: 'reinstate' }).sweep(96);
    expect(late.announced).to.deep.equal([[95, 'unpaid', 110]]);
    const before = life().sweep(80).run(85, { kind: 'suspend' }).run(95, { kind: 'reinstate' }).sweep(96);
    expect(before.announced).to.deep.equal([[80, 'unpaid', 110]]);
    const never = life().run(50, { kind: 'suspend' }).sweep(200).run(201, renewal(300)).sweep(290);
    expect(never.announced).to.deep.equal([]);
  });

  it('has its event after a downtime too, before those of what has happened since', () => {
    expect(life().sweep(500).told).to.deep.equal(['0 granted', '80 ending_soon', '100 past_due', '110 ended']);
  });

  it('follows a change of the status at the same instant', () => {
    const it = life({}, 10).sweep(100);
    expect(it.told).to.deep.equal(['0 granted', '100 past_due', '100 ending_soon']);
    expect(it.events.at(-1)).to.deep.include({ previous: {} });
    expect(it.events.at(-1)?.entitlement.status).to.equal('past_due');
  });

  it('has no event if the setting is 0', () => {
    expect(life({}, 0).sweep(99).sweep(500).told).to.deep.equal(['0 granted', '100 past_due', '110 ended']);
  });

  it('is announced once whatever becomes of the setting, and never before an event that it has', () => {
    expect(life().sweep(80).sweep(90, 60).sweep(95, 10).sweep(105, 5).announced).to.deep.equal([[80, 'unpaid', 110]]);
    expect(life().sweep(60).sweep(61, 60).announced).to.deep.equal([[50, 'unpaid', 110]]);
    const turnedOn = life({}, 0).sweep(105).sweep(106, 60);
    expect(turnedOn.told).to.deep.equal(['0 granted', '100 past_due', '100 ending_soon']);
    expect(life({}, 0).sweep(200).sweep(201, 200).told).to.deep.equal(['0 granted', '100 past_due', '110 ended']);
  });

  it('that a process of an older release has moved is announced when it is due', () => {
    const stale = aSubscription({ currentPeriodEnd: later(100), graceUntil: later(110), unannouncedEnd: later(5) });
    const it = new EntitlementLife(stale, soon);
    Object.assign(it.entitlement, { unannouncedEnd: later(5) });
    expect(it.sweep(10).announced).to.deep.equal([]);
    expect(it.entitlement.unannouncedEnd).to.deep.equal(later(110));
    expect(it.sweep(80).announced).to.deep.equal([[80, 'unpaid', 110]]);
  });

  it('that a process of an older release has recorded as past is not announced', () => {
    const it = life({}, 0).sweep(200);
    Object.assign(it.entitlement, { unannouncedEnd: later(110) });
    expect(it.sweep(201, soon).told).to.deep.equal(['0 granted', '100 past_due', '110 ended']);
    expect(it.entitlement.unannouncedEnd).to.equal(null);
  });

  it('is announced by a process whose clock is slow without repeating what a faster one has recorded', () => {
    const it = life({}, 0).sweep(105).sweep(95, soon);
    expect(it.told).to.deep.equal(['0 granted', '100 past_due', '100 ending_soon']);
    expect(it.sweep(106).sweep(111).told.slice(3)).to.deep.equal(['110 ended']);
  });

  it('has the same events whether the clock is looked at always or by changes alone', () => {
    let announced = 0;
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 6 }), fc.integer({ min: 0, max: 60 }), (commands, setting) => {
        const inOrder = commands.toSorted(([a], [b]) => a - b);
        const always = life({}, setting);
        const seldom = life({}, setting);
        for (let at = 1; at <= 500; at += 1) {
          for (const [instant, command] of inOrder) {
            if (instant !== at) continue;
            always.run(at, command);
            seldom.run(at, command);
          }
          always.sweep(at);
        }
        seldom.sweep(500);
        expect(seldom.events).to.deep.equal(always.events);
        const instants = always.events.map(({ at }) => at.getTime());
        expect(instants).to.deep.equal(instants.toSorted((a, b) => a - b));
        announced += always.announced.length;
      }),
      { numRuns: 300 },
    );
    expect(announced).to.be.above(100);
  });
});

const commands: fc.Arbitrary<EntitlementCommand> = fc.oneof(
  fc.integer({ min: 50, max: 300 }).map((end) => renewal(end)),
  fc.option(fc.integer({ min: 50, max: 300 }), { nil: null }).map(tierChange),
  fc
    .constantFrom('cancel', 'resume', 'past-due', 'suspend', 'reinstate', 'revoke')
    .map((kind): EntitlementCommand => ({ kind })),
);

const steps = fc.tuple(fc.integer({ min: 1, max: 250 }), commands);
