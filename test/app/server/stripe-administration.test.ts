import { expect } from 'chai';
import { startStripeDeliveries } from '../../../app/server/stripe-deliveries.ts';
import { portsIn } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { caseKinds } from '../../../core/billing/stripe-cases.port.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { anAffiliate, aPromotion } from '../../support/affiliates/builders.ts';
import { aCall, day, hour, later, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { AdminClient } from '../../support/http/admin-client.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { memory } from '../../support/stores/stores.ts';
import { aStripeCase } from '../../support/stripe/stripe-cases.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';

const nextMonth = '2026-08-18T12:00:00.000Z';
const unanswered = { status: null, next: null, nextAt: null, amount: null, currency: null, lastPayment: null };

interface Listed<Data> {
  readonly data: Data;
  readonly meta: { readonly next: string | null };
}

describe('what the administration knows of Stripe', () => {
  let shop: FakeStripe;
  let service: TestService;
  let admin: AdminClient;

  async function start(options: ServiceOptions = {}): Promise<void> {
    service = await TestService.at(
      await memory.address(),
      {
        adminPort: 0,
        ...sellingAt(shop),
        ...options,
      },
      sellAtStripe,
    );
    await service.addOperatorKey(operatorKeys.full);
    admin = new AdminClient(service);
  }

  beforeEach(async () => {
    shop = await fakeStripe();
    await start();
    openShop(shop, service);
    shop.addPrice({ id: 'price_other' });
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
  });
  afterEach(async () => {
    await service.stop();
    await shop.stop();
  });

  const read = async <Data>(path: string): Promise<Listed<Data>> => (await admin.get(path)).body as Listed<Data>;

  /** Sends changes to Stripe, as a server does. */
  const deliver = (): Promise<(timeout: number) => Promise<void>> => {
    const parts = { container: service.container, clock: () => service.now, log: loggerTo({ write: () => undefined }) };
    const settings = { ...defaultSettings, stripeApiKey: shop.apiKey, stripeApiBase: shop.url };
    const clocks = { monotonicClock: () => performance.now(), isPaused: () => false };
    return startStripeDeliveries(parts, settings, clocks, new AbortController().signal);
  };

  /** The ids of the first two pages. */
  const pages = async (path: string): Promise<readonly (readonly string[])[]> => {
    const first = await read<readonly { readonly id: string }[]>(path);
    const second = await read<readonly { readonly id: string }[]>(`${path}&after=${first.meta.next}`);
    return [first, second].map(({ data }) => data.map(({ id }) => id));
  };

  const sale = async (id: string): Promise<Record<string, unknown>> =>
    (await read<Record<string, unknown>>(`/admin/entitlements/${id}/stripe`)).data;

  const charged = {
    livemode: false,
    status: 'active',
    next: 'charge',
    nextAt: nextMonth,
    amount: 900,
    currency: 'usd',
    sent: 'agreed',
    refusal: null,
    difference: null,
    lastPayment: { at: noon.toISOString(), amount: 900, currency: 'usd', refunded: 0, dispute: null },
  };

  it('is the next payment of a subscription, its end, or neither', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const url = `https://dashboard.stripe.com/test/subscriptions/${id}`;
    expect(await sale(id)).to.deep.equal({ url, ...charged });
    await shop.cancelAtPeriodEnd(id);
    expect(await sale(id)).to.deep.equal({ url, ...charged, next: 'end', amount: null });
    await shop.undoCancellation(id);
    await shop.pauseCollection(id);
    expect(await sale(id)).to.deep.equal({ url, ...charged, next: 'none', nextAt: null, amount: null });
    await shop.end(id);
    expect(await sale(id)).to.deep.include({ status: 'canceled', next: 'none', nextAt: null });
  });

  it('is the payment of a purchase, and what became of it', async () => {
    const id = await shop.purchase({ price: 'price_once' });
    const found = await sale(id);
    expect(found['url']).to.match(/^https:\/\/dashboard\.stripe\.com\/test\/payments\/pi_\w+$/);
    const { url: _url, ...facts } = found;
    expect(facts).to.deep.equal({ ...charged, status: 'paid', next: 'none', nextAt: null });
    await shop.refund(id);
    const lastPayment = { ...charged.lastPayment, refunded: 900 };
    expect(await sale(id)).to.deep.include({ status: 'refunded', difference: null, lastPayment });
  });

  it('asks Stripe for the subscription and its payment, and is there without an answer', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const url = `https://dashboard.stripe.com/test/subscriptions/${id}`;
    const before = shop.requests.length;
    await sale(id);
    expect(shop.requests.length - before).to.equal(2);
    shop.faults.hang('GET /v1/subscriptions/:id', { times: 2 });
    expect(await sale(id)).to.deep.equal({ url, ...charged, ...unanswered });
    shop.expireKey();
    expect(await sale(id)).to.deep.equal({ url, ...charged, ...unanswered });
  });

  it('says what is on its way, what Stripe refuses with its words, and what differs', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const stop = await deliver();
    const arriving = shop.faults.hold('GET /v1/subscriptions/:id');
    await admin.post(`/admin/entitlements/${id}/revoke`);
    await arriving.arrived;
    expect(await sale(id)).to.deep.include({ next: 'charge', sent: 'pending', difference: null, refusal: null });
    shop.faults.answer('DELETE /v1/subscriptions/:id', 400);
    arriving.release();
    const refused = await eventually(
      () => sale(id),
      ({ sent }) => sent === 'refused',
    );
    expect(refused).to.deep.include({ next: 'charge', difference: 'revoked_here' });
    expect(refused['refusal']).to.match(/\w/);
    const cases = await eventually(
      async () => (await read<readonly object[]>('/admin/stripe/cases')).data,
      (found) => found.length === 2,
    );
    expect(cases).to.deep.equal([
      { id, kind: 'refused_by_stripe', since: service.now.toISOString(), detail: refused['refusal'] },
      { id, kind: 'revoked_here', since: service.now.toISOString(), detail: `900 usd on ${nextMonth}` },
    ]);
    await stop(0);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    for (const kind of caseKinds) {
      const count = kind === 'refused_by_stripe' || kind === 'revoked_here' ? 1 : 0;
      expect(metrics).to.include(`latchkey_stripe_cases{kind="${kind}"} ${count}`);
    }
  });

  it('confirms what is kept of the sale of an affiliate once a hold has ended, and counts what nothing confirms', async () => {
    const ports = portsIn(service.container);
    const metric = async (line: string): Promise<boolean> =>
      (await (await fetch(`${service.adminUrl}/metrics`)).text()).includes(`\n${line}\n`);
    await ports.affiliates.replace(null, anAffiliate(), aCall());
    await ports.promotions.replace(null, aPromotion({ productId: 'sketchpad' }), aCall());
    const { subscription: id } = await shop.subscribe({ price: 'price_pro', reference: 'via_ada' });
    expect(await ports.sales.find(id, aCall())).to.deep.include({ confirmedAt: noon, by: 'link' });
    expect(await metric('latchkey_sales_total{by="link"} 1')).to.equal(true);
    service.now = later(30 * day + hour);
    expect(await metric('latchkey_sales_unconfirmed 1')).to.equal(true);
    const stop = await deliver();
    await eventually(
      () => ports.sales.find(id, aCall()),
      (found) => found?.confirmedAt?.getTime() === service.now.getTime(),
    );
    await stop(0);
    expect(await metric('latchkey_sales_unconfirmed 0')).to.equal(true);
  });

  it('lists the cases page by page, the oldest first', async () => {
    const cases = service.container.get(tokens.stripeCases);
    const stored = [3, 1, 2].map((age) => aStripeCase({ id: `sub_${age}`, since: later(-age), detail: 'x' }));
    for (const each of stored) await cases.put(each, aCall());
    const [first, second] = await pages('/admin/stripe/cases?limit=2');
    expect([first, second]).to.deep.equal([['sub_3', 'sub_2'], ['sub_1']]);
    const { meta } = await read('/admin/stripe/prices?limit=1');
    const refused = await admin.get(`/admin/stripe/cases?after=${meta.next}`);
    expect([refused.status, refused.headers['error-code']]).to.deep.equal([400, 'invalid_parameter']);
  });

  it('is that of a process without a key, too', async () => {
    await service.stop();
    await start({ stripeApiKey: null });
    await admin.put('/admin/entitlements/sub_1', {
      productId: 'sketchpad',
      tierId: 'pro',
      tierName: 'Pro',
      billingInterval: 'month',
    });
    const url = 'https://dashboard.stripe.com/subscriptions/sub_1';
    expect(await sale('sub_1')).to.deep.equal({ url, ...charged, livemode: true, ...unanswered });
  });
});
