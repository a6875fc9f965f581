import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, day, later } from '../../support/builders.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { TestService } from '../../support/http/test-service.ts';
import { range } from '../../support/range.ts';
import { memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';
import { ConsoleClient } from '../../support/web/console-client.ts';

describe('the console of a shop at Stripe', () => {
  let shop: FakeStripe;
  let service: TestService;
  let client: ConsoleClient;

  beforeEach(async () => {
    shop = await fakeStripe();
    service = await TestService.at(await memory.address(), { adminPort: 0, ...sellingAt(shop) }, sellAtStripe);
    await service.addOperatorKey(operatorKeys.full);
    client = new ConsoleClient(service);
    await client.signIn();
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
  });
  afterEach(async () => {
    await service.stop();
    await shop.stop();
  });

  /** The text of a page between its tags. */
  const textOf = async (path: string): Promise<string> =>
    (await client.get(path)).text
      .replaceAll(/<svg.*?<\/svg>/gs, '')
      .replaceAll(/<(?:span class="sub"|(?:td|dd|p)\b)[^>]*>/g, ' ')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ');
  const page = (id: string): Promise<string> => textOf(`/console/entitlements/${id}`);
  const put = async (...cases: readonly StripeCase[]): Promise<void> => {
    for (const each of cases) await service.container.get(tokens.stripeCases).put(each, aCall());
  };

  it('says of a subscription what Stripe charges next, first on its page, and links there', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const { text } = await client.get(`/console/entitlements/${id}`);
    expect(text.indexOf('id="sold"')).to.be.within(1, text.indexOf('<h2>Purchase</h2>'));
    expect(text).to.include(`href="https://dashboard.stripe.com/test/subscriptions/${id}"`);
    const [event] = shop.events;
    expect(text).to.match(new RegExp(`href="https://dashboard\\.stripe\\.com/test/events/${event?.id.slice(0, 4)}`));
    const shown = await page(id);
    for (const each of [
      'Sold by Stripe',
      'Test mode',
      'Stripe charges US$9.00 again on 18 August.',
      'At Stripe Active US$9.00 a month',
      'Last payment US$9.00 on 18 July, now',
      'Invoices Latest at Stripe to send to the buyer',
      'A week moreThree steps at Stripe',
      'Another tierThree steps at Stripe',
    ]) {
      expect(shown).to.include(each);
    }
    await shop.cancelAtPeriodEnd(id);
    expect(await page(id))
      .to.include('Stripe charges nothing more.')
      .and.not.include('Our cancellation');
  });

  it('says that Stripe does not answer, and shows the rest', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    shop.expireKey();
    expect(await page(id))
      .to.include('Stripe does not answer now.')
      .and.include('What happened');
  });

  it('says of a purchase that nothing more is charged, with its payment', async () => {
    const id = await shop.purchase({ price: 'price_once' });
    const { text } = await client.get(`/console/entitlements/${id}`);
    expect(text.match(/href="https:\/\/dashboard\.stripe\.com\/test\/payments\/pi_\w+"/g)).to.have.length(2);
    expect(await page(id)).to.include('Invoices Receipt to send to the buyer');
    expect(await page(id))
      .to.include('Stripe charges nothing more.')
      .and.include('At Stripe Paid US$9.00');
  });

  it('says what was returned of the last payment, part by part, and not what failed', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    await shop.refund(id, 200);
    expect(await page(id)).to.include(
      'Last payment Partly refunded US$2.00 of US$9.00, 18 July, 12:00 UTC, now. Access goes on.',
    );
    await shop.refund(id, 300);
    expect(await page(id)).to.include('Partly refunded US$5.00 of US$9.00');
    await shop.failRefund(id);
    expect(await page(id)).to.include('Partly refunded US$2.00 of US$9.00');
  });

  it('says of a full refund that Stripe still charges, and leads to the end of the subscription', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    await shop.refund(id);
    const { text } = await client.get(`/console/entitlements/${id}`);
    expect(await page(id))
      .to.include('Suspended because the last payment was refunded in full')
      .and.include('Stripe still charges US$9.00 on 18 August. End the subscription if the buyer has left.')
      .and.include('Last payment Refunded US$9.00 of US$9.00, 18 July, 12:00 UTC');
    expect(text).to.include(`<a href="/console/entitlements/${id}/revoke">End the subscription</a>`);
  });

  it('says that the last payment is disputed, and that the dispute was lost', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    await shop.dispute(id);
    expect(await page(id)).to.include('Last payment Disputed US$9.00 of 18 July, now. Answer it at Stripe.');
    await shop.closeDispute(id, 'lost');
    expect(await page(id)).to.include('Last payment Dispute lost US$9.00 of 18 July');
  });

  it('leads to the pages of what Stripe decides, which say how it is done there', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const { text } = await client.get(`/console/entitlements/${id}`);
    for (const [name, says] of [
      ['extend', 'This moves the billing day for good. For whole months pause the collection instead.'],
      ['change-tier', 'Stripe decides the tier'],
    ] as const) {
      expect(text).to.include(`href="/console/entitlements/${id}/${name}"`);
      expect(await page(`${id}/${name}`)).to.include(says);
    }
  });

  it('says of what is refused that Stripe goes on charging, with its words and the way there', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    await client.submit(`/console/entitlements/${id}/revoke`, { version: '1' });
    const refused = { kind: 'refused_by_stripe', change: 'revocation', detail: 'managed by <b>' } as const;
    await put(aStripeCase({ id, ...refused }), aStripeCase({ id, kind: 'revoked_here' }));
    const shown = await page(id);
    for (const each of [
      'Stripe goes on charging. It takes US$9.00 again on 18 August, and the buyer gets nothing for it.',
      'Our revocation Refused “managed by &lt;b&gt;”',
      'End the subscription',
    ]) {
      expect(shown).to.include(each);
    }
  });

  it('says on the pages that ask what happens at Stripe', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    for (const [action, says] of [
      ['revoke', 'This cannot be undone, neither here nor at Stripe.'],
      ['revoke', 'The subscription at Stripe ends at once.'],
      [
        'revoke',
        'To return the money, refund the payment at Stripe. Only want to stop access for now? Suspend it instead.',
      ],
      ['revoke', 'Let them use what they paid for? Cancel it at the end of the period.'],
      ['revoke', 'At Stripe US$9.00 again on 18 August 2026'],
      ['suspend', 'At Stripe US$9.00 again on 18 August 2026'],
      ['suspend', 'reinstate it, and the buyer has access and is charged again from the next period on.'],
      ['cancel', 'At Stripe US$9.00 again on 18 August 2026'],
      ['suspend', 'Stripe collects nothing while it is suspended.'],
      ['cancel', 'Stripe charges nothing after this period.'],
    ] as const) {
      expect(await page(`${id}/${action}`), action).to.include(says);
    }
  });

  it('says on the pages that ask that Stripe does not answer, and of a purchase nothing of Stripe', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const session = await shop.purchase({ price: 'price_once' });
    expect(await page(`${session}/revoke`)).to.not.include('At Stripe ');
    expect(await page(`${id}/rotate-license`)).to.not.include('At Stripe ');
    shop.expireKey();
    expect(await page(`${id}/suspend`)).to.include('At Stripe Stripe does not answer now');
  });

  for (const [action, heading, step] of [
    ['extend', 'Stripe decides the period', 'Add free trial days, with Prorate changes off.'],
    ['change-tier', 'Stripe decides the tier', 'Replace the price by that of the other tier.'],
  ] as const) {
    it(`answers 409 to a typed ${action}, and to its form, with the way to change it at Stripe`, async () => {
      const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
      const path = `/console/entitlements/${id}/${action}`;
      const answers = [await client.get(path), await client.submit(path, { version: '1' })];
      for (const { status, text } of answers) {
        expect(status).to.equal(409);
        expect(text).to.include(`href="https://dashboard.stripe.com/test/subscriptions/${id}"`);
        expect(text).to.match(new RegExp(`<title>(?:Extend|Change tier) · ${id} · Latchkey console</title>`));
      }
      expect(await textOf(path))
        .to.include(heading)
        .and.include(step)
        .and.match(/Nothing was changed\. 409 managed_by_stripe · \S+/);
      const stored = await service.container.get(tokens.allEntitlements).find(id, aCall());
      expect(stored?.version).to.equal(1);
    });
  }

  it('leaves the changes of a purchase to its own pages', async () => {
    const session = await shop.purchase({ price: 'price_once' });
    const { text } = await client.get(`/console/entitlements/${session}/extend`);
    expect(text).to.include('Extend does not apply to').and.not.include('Stripe decides');
  });

  it('names on the overview who needs a person, and several of a kind once', async () => {
    const charge = { at: later(day), amount: 900, currency: 'usd' };
    await put(
      aStripeCase({ id: 'sub_1', kind: 'unmapped_price', detail: 'price_other' }),
      aStripeCase({ id: 'sub_2', kind: 'revoked_here', charge }),
      aStripeCase({ id: 'sub_2', kind: 'refused_by_stripe', change: 'revocation', detail: 'no' }),
      aStripeCase({ id: 'sub_3', kind: 'suspended_here', charge: { ...charge, at: later(2 * day) } }),
      aStripeCase({ id: 'sub_4', kind: 'suspended_here', charge }),
      aStripeCase({ id: 'sub_5', kind: 'not_sent', change: 'cancellation', since: later(-3 * day), charge }),
    );
    const shown = await textOf('/console');
    for (const each of [
      'A buyer has paid and has no key The price price_other is not mapped.',
      'sub_2 is charged after its revocation Stripe has refused to end it. It takes US$9.00 again on 19 July.',
      '2 subscriptions are charged while suspended The first of them again on 19 July. See them',
      'A cancellation has not reached Stripe for 3 days All attempts have failed. Its buyer will be charged on 19 July.',
    ]) {
      expect(shown).to.include(each);
    }
    expect(shown).to.not.include('Nothing needs you').and.not.include('Stripe has refused a');
    const { text } = await client.get('/console');
    expect(text)
      .to.include('href="https://dashboard.stripe.com/test/prices/price_other"')
      .and.include('href="/console/stripe"');
    const list = await textOf('/console/stripe');
    for (const each of [
      'Sales that need a person 5',
      'sub_1 Paid, price not mapped price_other',
      'sub_2 Charged after its revocation Stripe has refused to end it',
      'sub_4 Charged while suspended Again US$9.00 on 19 July',
      'sub_5 Cancellation parked All attempts have failed',
    ]) {
      expect(list).to.include(each);
    }
    await service.container.get(tokens.stripeCases).remove('sub_1', ['unmapped_price'], aCall());
    expect(await textOf('/console')).to.not.include('A buyer has paid');
  });

  it('names on the overview whose mails need a person, and what else is not the same', async () => {
    await put(
      aStripeCase({ id: 'sub_1', kind: 'several_products', detail: 'price_pro, price_other' }),
      aStripeCase({ id: 'sub_2', kind: 'mail_refused', detail: 'grant refused' }),
      aStripeCase({ id: 'sub_3', kind: 'mail_parked', detail: 'grant', since: later(-3 * day) }),
      aStripeCase({ id: 'sub_4', kind: 'paused_here' }),
      aStripeCase({ id: 'sub_5', kind: 'differs' }),
    );
    const shown = await textOf('/console');
    for (const each of [
      'A buyer has paid for several products and has one of them',
      'A key could not be mailed: the mail server knows no such mailbox',
      'A mail has not been sent for 3 days: all attempts have failed',
      'sub_4 has access and is not charged: a pause of ours stays at Stripe',
      'sub_5 is not the same here and at Stripe',
    ]) {
      expect(shown).to.include(each);
    }
    const path = '/console/entitlements/grant?productId=sketchpad&reference=sub_1';
    const { text } = await client.get('/console');
    expect(text).to.include(`href="${path.replace('&', '&amp;')}"`);
    for (const id of ['sub_2', 'sub_3']) expect(text).to.include(`href="/console/entitlements/${id}"`);
    const form = (await client.get(path)).text;
    expect(form)
      .to.match(/<option value="sketchpad"[^>]*selected/)
      .and.match(/name="reference"[^>]*value="sub_1"/);
    const list = await textOf('/console/stripe');
    for (const each of ['sub_2 Not mailed A key could not be mailed:', 'sub_3 Mail parked All attempts have failed']) {
      expect(list).to.include(each);
    }
    await put(aStripeCase({ id: 'sub_2', kind: 'mail_refused', detail: 'ending no_address' }));
    expect(await textOf('/console')).to.include(
      'A notice of an end could not be mailed: Stripe has no address of the buyer',
    );
  });

  it('names on the overview a kind whose cases are all younger than a hundred others', async () => {
    for (const index of range(100))
      await put(aStripeCase({ id: `sub_${index}`, kind: 'unmapped_price', detail: 'price_other' }));
    await put(aStripeCase({ id: 'sub_young', kind: 'revoked_here', since: later(day) }));
    expect(await textOf('/console'))
      .to.include('100 buyers have paid and have no key')
      .and.include('Charged after its revocation: 1');
  });
});
