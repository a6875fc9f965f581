import { expect } from 'chai';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { Hold } from '../../../core/entitlement/entitlement.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { showStripeSale, withoutKey, type AtStripe, type StripeAnswer } from '../../../core/purchase/stripe-sale.ts';
import { newStream, streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import { aCall, aChangeRecord, anEvent, aSubscription, later, noon } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { refusalOf } from '../../support/thrown.ts';
import { anAttempt } from '../../support/webhooks/builders.ts';

const charging: StripeAnswer = {
  status: 'active',
  next: 'charge',
  nextAt: later(9),
  amount: 900,
  currency: 'usd',
  interval: { billingInterval: 'month', billingIntervalCount: 1 },
  lastPayment: null,
  isPaused: false,
};
const atStripe: AtStripe = { url: 'https://stripe.example/sub_1', invoiceUrl: null, livemode: true, answer: charging };
const unanswered: AtStripe = { ...atStripe, answer: null };
const suspended: Hold = { kind: 'suspended' };
const revoked: Hold = { kind: 'revoked', at: noon };
const name = streamName(outgoing, 'prod_1');

describe('both sides of a sale', () => {
  const store = freshStore(memory.open);
  let answer: AtStripe;
  beforeEach(async () => {
    answer = atStripe;
    const tier = { tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
    await store().priceMap.put({ ...tier, productId: 'prod_1', price: 'price_1' }, aCall());
  });

  const show = (id = 'sub_1') => showStripeSale(store(), async () => answer)(id, aCall());
  const differenceOf = async () => (await show()).difference;
  /** Adds the sale with these events. */
  const add = async (hold: Hold = { kind: 'none' }, events: readonly Partial<EntitlementEvent>[] = []) => {
    const entitlement = aSubscription({ id: 'sub_1', hold, sequence: events.length });
    const own = events.map((event, index) => anEvent(entitlement, { id: `evt_${index}`, by: 'command:ada', ...event }));
    await store().allEntitlements.add(
      [{ entitlement, changeRecord: { ...aChangeRecord(entitlement), events: own } }],
      aCall(),
    );
  };
  const open = (cursor: number, overrides: Partial<DeliveryStream> = {}) =>
    store().deliveryStreams.add([{ ...newStream(name, cursor), ...overrides }], aCall());
  const put = (overrides: Partial<StripeCase>) => store().stripeCases.put(aStripeCase(overrides), aCall());

  it('agree where nothing waits and there is no case', async () => {
    await add();
    const { answer: shown, ...sale } = await show();
    expect(shown).to.equal(charging);
    expect(sale).to.deep.equal({
      ...charging,
      url: atStripe.url,
      invoiceUrl: null,
      livemode: true,
      sent: 'agreed',
      refusal: null,
      difference: null,
      ours: null,
    });
    await open(0);
    expect(await show()).to.deep.include({ sent: 'agreed', ours: null });
  });

  it('are shown without what Stripe has not said', async () => {
    await add();
    answer = unanswered;
    expect(await show()).to.deep.equal({
      ...unanswered,
      status: null,
      next: null,
      nextAt: null,
      amount: null,
      currency: null,
      lastPayment: null,
      sent: 'agreed',
      refusal: null,
      difference: null,
      ours: null,
    });
  });

  it('are those of a sale', async () => {
    expect((await refusalOf(show())).code).to.equal('entitlement_not_found');
    await add();
    await store().priceMap.remove('price_1', aCall());
    expect((await refusalOf(show())).code).to.equal('not_sold_by_stripe');
  });

  it('differ by a change that waits, read or not, with the attempt on the first of its events', async () => {
    await add(suspended, [{ type: 'entitlement.suspended' }, { type: 'entitlement.cancellation_scheduled' }]);
    await open(0);
    expect(await show()).to.deep.include({
      sent: 'pending',
      ours: { change: 'cancellation', tried: 0, attempt: null, nextAt: noon },
    });
    const stream = await store().deliveryStreams.find(name, aCall());
    const pending = new Map([['sub_1', { positions: [1, 2], attempt: 3, at: later(7) }]]);
    const attempts = [anAttempt({ position: 2, status: 200 }), anAttempt({ position: 1, status: 503 })];
    const fence = (stream?.fence ?? 0) + 1;
    await store().deliveryStreams.replace({ ...newStream(name, 2), pending, attempts, fence }, aCall());
    // A change that waits hides an earlier refusal.
    await put({ kind: 'refused_by_stripe', detail: 'No such subscription', change: 'revocation' });
    expect(await show()).to.deep.include({
      sent: 'pending',
      refusal: null,
      difference: 'refused_by_stripe',
      ours: { change: 'cancellation', tried: 3, attempt: attempts[1], nextAt: later(7) },
    });
  });

  it('differ by a change that is parked', async () => {
    await add(suspended, [{ type: 'entitlement.suspended' }]);
    await open(1, { pending: new Map([['sub_1', { positions: [1], attempt: 9, at: null }]]) });
    expect(await show()).to.deep.include({
      sent: 'parked',
      difference: 'not_sent',
      ours: { change: 'suspension', tried: 9, attempt: null, nextAt: null },
    });
  });

  it('agree where what waits is none of Stripe’s', async () => {
    await add({ kind: 'none' }, [{ type: 'entitlement.renewed' }]);
    await open(1, { pending: new Map([['sub_1', { positions: [1], attempt: 0, at: noon }]]) });
    expect(await show()).to.deep.include({ sent: 'agreed', ours: null });
  });

  it('differ by what Stripe has refused, in its words', async () => {
    await add();
    await put({ kind: 'refused_by_stripe', detail: 'No such subscription', change: 'revocation' });
    expect(await show()).to.deep.include({
      sent: 'refused',
      refusal: 'No such subscription',
      difference: 'refused_by_stripe',
      ours: { change: 'revocation', tried: 1, attempt: null, nextAt: null },
    });
    await put({ kind: 'refused_by_stripe', detail: null, change: null });
    expect(await show()).to.deep.include({ sent: 'refused', refusal: null, ours: null });
  });

  for (const [hold, kind] of [
    [revoked, 'revoked_here'],
    [suspended, 'suspended_here'],
  ] as const) {
    it(`differ where Stripe charges what is ${hold.kind} here, and as long as it does`, async () => {
      await add(hold);
      expect(await differenceOf()).to.equal(kind);
      await put({ kind });
      for (const next of ['end', 'none'] as const) {
        answer = { ...atStripe, answer: { ...charging, next } };
        expect(await differenceOf()).to.equal(null);
      }
      // The result of the last look counts where Stripe does not answer.
      answer = unanswered;
      expect(await differenceOf()).to.equal(kind);
      answer = atStripe;
      await put({ kind: 'refused_by_stripe' });
      expect(await differenceOf()).to.equal(kind);
    });
  }

  it('do not differ by a charge while the change is on its way', async () => {
    await add(suspended, [{ type: 'entitlement.suspended' }]);
    await open(0);
    expect(await differenceOf()).to.equal(null);
  });

  it('do not differ by a suspension for a payment, which Stripe collects', async () => {
    await add({ kind: 'suspended', causes: ['payment'] });
    await put({ kind: 'suspended_here' });
    expect(await differenceOf()).to.equal(null);
  });

  it('keep the case of an entitlement that has access until the next look', async () => {
    await add();
    await put({ kind: 'suspended_here' });
    expect(await differenceOf()).to.equal('suspended_here');
  });

  it('differ by a pause of ours that is left, unless Stripe says that it is not', async () => {
    await add();
    await put({ kind: 'paused_here' });
    expect(await differenceOf()).to.equal(null);
    answer = { ...atStripe, answer: { ...charging, isPaused: true } };
    expect(await differenceOf()).to.equal('paused_here');
    answer = unanswered;
    expect(await differenceOf()).to.equal('paused_here');
  });

  it('do not differ by the pause of what an operator suspends', async () => {
    await add(suspended);
    await put({ kind: 'paused_here' });
    answer = unanswered;
    expect(await differenceOf()).to.equal(null);
  });

  it('differ by the most pressing case, but by none of a mail, and not by what was sent since', async () => {
    await add();
    for (const kind of ['mail_refused', 'mail_parked', 'not_sent'] as const) await put({ kind });
    expect(await differenceOf()).to.equal(null);
    for (const kind of ['differs', 'other_product'] as const) await put({ kind });
    expect(await differenceOf()).to.equal('other_product');
  });

  it('have a page at Stripe also in a process without a key', async () => {
    expect(await withoutKey('cs_test_1', aCall())).to.deep.equal({
      url: 'https://dashboard.stripe.com/test/payments',
      invoiceUrl: null,
      livemode: false,
      answer: null,
    });
    expect(await withoutKey('sub_1', aCall())).to.include({
      url: 'https://dashboard.stripe.com/subscriptions/sub_1',
      livemode: true,
    });
  });
});
