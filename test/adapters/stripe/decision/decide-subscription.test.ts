import { expect } from 'chai';
import { decideSubscription, type OwnState } from '../../../../adapters/stripe/decision/decide-subscription.ts';
import type { Decision } from '../../../../adapters/stripe/decision/decision.ts';
import type { AlignmentTarget } from '../../../../core/entitlement/alignment.ts';
import { aOneTimePurchase, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { aMapping, anItem, aSold, aState, august, july, noMarks, seconds } from '../../../support/stripe/states.ts';

const soldPro = aSold();
const unmapped = aSold(null);
const nothing = { kind: 'nothing', reason: 'no_access' };

function known(overrides: Partial<OwnState> = {}): OwnState {
  return {
    entitlement: aSubscription(),
    pending: null,
    effect: null,
    sold: soldPro,
    reference: null,
    unpaidAccess: 21 * day,
    ...overrides,
  };
}

function askedBefore(kind: 'cancel' | 'resume'): OwnState {
  return known({ pending: { kind, askedAt: later(-1), undoes: [], parts: [], parked: null, ...noMarks } });
}

function unknown(overrides: Partial<OwnState> = {}): OwnState {
  return known({ entitlement: null, reference: 'cs_1', ...overrides });
}

function aTarget(overrides: Partial<AlignmentTarget> = {}): AlignmentTarget {
  return {
    tier: { tierId: 'pro', tierName: 'Pro' },
    deviceLimit: null,
    interval: { billingInterval: 'month', billingIntervalCount: 1 },
    currentPeriodStart: july,
    currentPeriodEnd: august,
    standing: 'active',
    isSuspended: false,
    reason: null,
    unpaidUntil: null,
    cancellation: { kind: 'none' },
    endedAt: null,
    ...overrides,
  };
}

function aligned(overrides: Partial<AlignmentTarget> = {}): object {
  return { kind: 'align', target: aTarget(overrides) };
}

describe('the decision on a subscription', () => {
  for (const status of ['trialing', 'active', 'past_due'] as const) {
    const unpaidUntil = status === 'past_due' ? new Date(july.getTime() + 21 * day) : null;

    it(`grants an unknown one that is ${status}, for the period of its item`, () => {
      expect(decideSubscription(aState({ status }), unknown(), noon)).to.deep.equal({
        kind: 'grant',
        grant: {
          kind: 'subscription',
          productId: 'prod_1',
          tierId: 'pro',
          tierName: 'Pro',
          deviceLimit: null,
          billingInterval: 'month',
          billingIntervalCount: 1,
          currentPeriodStart: july,
          currentPeriodEnd: august,
          standing: status,
          isSuspended: false,
          reason: null,
          unpaidUntil,
          cancellation: null,
          reference: 'cs_1',
          grace: day,
        },
      });
    });

    it(`aligns the standing of one that is ${status}`, () => {
      expect(decideSubscription(aState({ status }), known(), noon)).to.deep.equal(
        aligned({ standing: status, unpaidUntil }),
      );
    });
  }

  it('grants an unknown one with the cancellation that is scheduled at Stripe', () => {
    const state = aState({ cancel_at: seconds(august), canceled_at: seconds(noon) });
    expect(decideSubscription(state, unknown(), noon)).to.have.deep.nested.property('grant.cancellation', {
      at: august,
      requestedAt: noon,
    });
  });

  const cancellations = {
    'an instant within the period': [{ cancel_at: seconds(later(day)) }, later(day)],
    'an instant beyond the period': [{ cancel_at: seconds(later(90 * day)) }, later(90 * day)],
    'the end of the period': [{ cancel_at_period_end: true }, august],
    'the end of the period, as an instant too': [{ cancel_at: seconds(august), cancel_at_period_end: true }, august],
  } as const;
  for (const [name, [flags, at]] of Object.entries(cancellations)) {
    it(`schedules a cancellation at ${name}`, () => {
      const state = aState({ ...flags, canceled_at: seconds(noon) });
      const cancellation = { kind: 'at', at, requestedAt: noon } as const;
      expect(decideSubscription(state, known(), noon)).to.deep.equal(aligned({ cancellation }));
    });
  }

  for (const status of ['canceled', 'incomplete_expired'] as const) {
    const ended = aState({ status, ended_at: seconds(noon), canceled_at: seconds(july) });

    it(`ends one that is ${status}, at the instant of its end`, () => {
      expect(decideSubscription(ended, known(), noon)).to.deep.include({ kind: 'align' });
      expect(decideSubscription(ended, known(), noon)).to.have.deep.nested.property('target.endedAt', noon);
    });

    it(`grants nothing for an unknown one that is ${status}`, () => {
      const reason = status === 'canceled' ? 'no_access' : 'failed';
      expect(decideSubscription(ended, unknown(), noon)).to.deep.equal({ kind: 'nothing', reason });
    });
  }

  it('ends one whatever was asked here, is revoked here, or its price is mapped to', () => {
    const ended = aState({ status: 'canceled', ended_at: seconds(noon) });
    const others: readonly Partial<OwnState>[] = [
      { pending: { kind: 'resume', askedAt: later(1), undoes: [], parts: [], parked: null, ...noMarks } },
      { entitlement: aSubscription({ hold: { kind: 'revoked', at: noon } }) },
      { sold: aSold(aMapping({ productId: 'prod_2' }), 0) },
    ];
    for (const other of others) {
      expect(decideSubscription(ended, known(other), noon)).to.have.deep.nested.property('target.endedAt', noon);
    }
  });

  const suspending = {
    'is unpaid': [aState({ status: 'unpaid' }), 'unpaid'],
    'is paused': [aState({ status: 'paused' }), 'paused'],
    'has a status of tomorrow': [aState({ status: 'a_status_of_tomorrow' }), null],
    'is refunded': [aState({}, { payments: ['refunded', 'refunded'] }), 'refunded'],
    'is disputed': [aState({}, { payments: ['kept', 'disputed'] }), 'disputed'],
    'has lost a dispute': [aState({}, { payments: ['lost'] }), 'dispute_lost'],
    'has lost one dispute of two': [aState({}, { payments: ['disputed', 'lost'] }), 'dispute_lost'],
    'is paused, and refunded': [aState({ status: 'paused' }, { payments: ['refunded'] }), 'refunded'],
  } as const;
  for (const [name, [state, reason]] of Object.entries(suspending)) {
    it(`suspends one that ${name}, and says why`, () => {
      const { target } = decideSubscription(state, known(), noon) as Extract<Decision, { kind: 'align' }>;
      expect({ isSuspended: target.isSuspended, reason: target.reason }).to.deep.equal({ isSuspended: true, reason });
    });

    if (name === 'has a status of tomorrow') continue;
    it(`grants an unknown one that ${name}, suspended`, () => {
      const { kind, grant } = decideSubscription(state, unknown(), noon) as Extract<Decision, { kind: 'grant' }>;
      expect([kind, grant.isSuspended, grant.reason]).to.deep.equal(['grant', true, reason]);
    });
  }

  it('does not suspend one of whose payments a part was refunded, nor one that has cost nothing', () => {
    for (const payments of [['refunded', 'kept'], []] as const) {
      expect(decideSubscription(aState({}, { payments }), known(), noon)).to.deep.equal(aligned());
    }
  });

  it('leaves everything where the status is incomplete', () => {
    const state = aState({ status: 'incomplete' });
    expect(decideSubscription(state, known(), noon)).to.deep.equal({ kind: 'agreed' });
    expect(decideSubscription(state, unknown(), noon)).to.deep.equal({ kind: 'nothing', reason: 'not_paid' });
  });

  it('grants nothing for an unknown one whose status this release does not know', () => {
    const state = aState({ status: 'a_status_of_tomorrow' });
    expect(decideSubscription(state, unknown(), noon)).to.deep.equal(nothing);
  });

  for (const behavior of ['keep_as_draft', 'mark_uncollectible', 'void', 'a_behavior_of_tomorrow']) {
    it(`lets access go on while payments are not collected: ${behavior}`, () => {
      const paused = { pause_collection: { behavior } };
      expect(decideSubscription(aState(paused), known(), noon)).to.deep.equal(aligned());
      expect(decideSubscription(aState(paused), unknown(), noon)).to.have.property('kind', 'grant');
      const pastDue = aState({ ...paused, status: 'past_due' }, { unpaidSince: seconds(july) });
      expect(decideSubscription(pastDue, known(), noon)).to.deep.equal(aligned({ standing: 'past_due' }));
      const other = aState({ ...paused, status: 'paused' });
      expect(decideSubscription(other, known(), noon)).to.have.nested.property('target.isSuspended', true);
    });
  }

  it('lets access of one that is past due go on from the first period that is not paid', () => {
    const june = new Date('2026-06-01T00:00:00.000Z');
    const state = aState({ status: 'past_due' }, { unpaidSince: seconds(june) });
    const bounds = [0, day, 21 * day].map((unpaidAccess) => {
      const decision = decideSubscription(state, known({ unpaidAccess }), noon);
      return decision.kind === 'align' ? decision.target.unpaidUntil : null;
    });
    expect(bounds).to.deep.equal([0, day, 21 * day].map((length) => new Date(june.getTime() + length)));
  });

  it('grants nothing where the instant of the cancellation has passed', () => {
    expect(decideSubscription(aState({ cancel_at: seconds(noon) }), unknown(), noon)).to.deep.equal(nothing);
  });

  it('takes the tier, the interval and the period, shorter too, from the item that is mapped', () => {
    const yearly = { interval: 'year', interval_count: 2 };
    const sold = anItem({ id: 'price_2', recurring: yearly, current_period_end: seconds(later(day)) });
    const own = known({
      sold: aSold(aMapping({ price: 'price_2', tierId: 'team', tierName: 'Team' }), 1),
    });
    expect(decideSubscription(aState({}, { items: [anItem(), sold] }), own, noon)).to.deep.equal(
      aligned({
        tier: { tierId: 'team', tierName: 'Team' },
        interval: { billingInterval: 'year', billingIntervalCount: 2 },
        currentPeriodEnd: later(day),
      }),
    );
  });

  for (const [quantity, deviceLimit] of [
    [1, 3],
    [4, 12],
    [undefined, 3],
    [0, 3],
    [5000, 10_000],
  ] as const) {
    it(`allows ${deviceLimit} devices for ${quantity} units of a price for three, of a known one and a new one`, () => {
      const state = aState({}, { items: [anItem({ id: 'price_2' }), anItem({ quantity })] });
      const sold = aSold(aMapping({ deviceLimit: 3 }), 1);
      expect(decideSubscription(state, known({ sold }), noon)).to.deep.equal(aligned({ deviceLimit }));
      const granted = decideSubscription(state, unknown({ sold }), noon);
      expect(granted).to.have.nested.property('grant.deviceLimit', deviceLimit);
    });
  }

  it('aligns all but the tier where no price is mapped, and grants nothing for it', () => {
    expect(decideSubscription(aState(), known({ sold: unmapped }), noon)).to.deep.equal(aligned({ tier: null }));
    expect(decideSubscription(aState(), unknown({ sold: unmapped }), noon)).to.deep.equal({
      kind: 'nothing',
      reason: 'unmapped_price',
    });
  });

  it('leaves the cancellation while a change of ours is on its way', () => {
    const canceled = aState({ cancel_at: seconds(august), canceled_at: seconds(noon) });
    for (const state of [aState(), canceled]) {
      for (const kind of ['cancel', 'resume'] as const) {
        const own = known({
          pending: { kind, askedAt: later(-1), undoes: [noon], parts: [], parked: null, ...noMarks },
        });
        expect(decideSubscription(state, own, noon)).to.deep.equal(aligned({ cancellation: { kind: 'keep' } }));
      }
    }
  });

  it('leaves to a look a cancellation at Stripe whose mark names an attempt that was never seen, and takes any other', () => {
    const ours = { at: null, mark: 'evt_1.1', unseen: ['evt_1.2'], keptAt: noon };
    const taken = { kind: 'at', at: august, requestedAt: noon } as const;
    for (const [mark, cancellation] of [
      ['evt_1.2', { kind: 'keep' }],
      ['evt_1.1', taken],
      ['evt_2.1', taken],
      ['evt_1', taken],
    ] as const) {
      const metadata = { latchkey_canceled: mark };
      const state = aState({ cancel_at: seconds(august), canceled_at: seconds(noon), metadata });
      expect(decideSubscription(state, known({ effect: ours }), noon), mark).to.deep.equal(aligned({ cancellation }));
      const marks = { seen: 'evt_1.1', unseen: ['evt_1.2'], waiting: ['evt_1'] };
      const pending = { ...askedBefore('resume').pending, marks } as OwnState['pending'];
      expect(decideSubscription(state, known({ pending }), noon), mark).to.deep.equal(aligned({ cancellation }));
    }
  });

  it('takes the cancellation of Stripe that was made after a resumption which is on its way, not after a cancellation', () => {
    const state = aState({ cancel_at: seconds(august), canceled_at: seconds(noon) });
    const cancellation = { kind: 'at', at: august, requestedAt: noon } as const;
    expect(decideSubscription(state, askedBefore('resume'), noon)).to.deep.equal(aligned({ cancellation }));
    expect(decideSubscription(state, askedBefore('cancel'), noon)).to.deep.equal(
      aligned({ cancellation: { kind: 'keep' } }),
    );
  });

  it('takes the cancellation of Stripe, or that there is none, while only a suspension is on its way', () => {
    const canceled = aSubscription({ cancellation: { at: august, requestedAt: later(-day) } });
    const pending = {
      kind: 'hold',
      askedAt: later(-1),
      undoes: [],
      parts: ['collection'],
      parked: null,
      ...noMarks,
    } as const;
    const atStripe = aState({ cancel_at: seconds(august), canceled_at: seconds(noon) });
    expect(decideSubscription(atStripe, known({ pending }), noon)).to.deep.equal(
      aligned({ cancellation: { kind: 'at', at: august, requestedAt: noon } }),
    );
    expect(decideSubscription(aState(), known({ pending, entitlement: canceled }), noon)).to.deep.equal(aligned());
  });

  it('refuses one that is revoked here and charged at Stripe', () => {
    const own = known({ entitlement: aSubscription({ hold: { kind: 'revoked', at: noon } }) });
    const refused = { kind: 'refused', reason: 'revoked_here' };
    expect(decideSubscription(aState(), own, noon)).to.deep.equal(refused);
    expect(decideSubscription(aState({ cancel_at_period_end: true }), own, noon)).to.deep.equal({ kind: 'agreed' });
    expect(decideSubscription(aState({ status: 'unpaid' }), own, noon)).to.deep.equal({ kind: 'agreed' });
    const paused = aState({ pause_collection: { behavior: 'void' } });
    expect(decideSubscription(paused, own, noon)).to.deep.equal({ kind: 'agreed' });
  });

  it('refuses one whose price is mapped to another product, and one whose id a purchase has', () => {
    const moved = known({ sold: aSold(aMapping({ productId: 'prod_2' }), 0) });
    expect(decideSubscription(aState(), moved, noon)).to.deep.equal({ kind: 'refused', reason: 'other_product' });
    const purchase = known({ entitlement: aOneTimePurchase() });
    expect(decideSubscription(aState(), purchase, noon)).to.deep.equal({ kind: 'refused', reason: 'other_kind' });
  });
});
