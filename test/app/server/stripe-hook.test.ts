import { expect } from 'chai';
import { Stripe } from 'stripe';
import { tokens } from '../../../app/service/tokens.ts';
import { putTier } from '../../../core/tier/manage-tiers.ts';
import type { ApiVersion, FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall } from '../../support/builders.ts';
import { failing } from '../../support/failing.ts';
import { sizedHead } from '../../support/flood/flood.ts';
import { RawClient } from '../../support/http/raw-client.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { committed } from '../../support/openapi/document.ts';
import { memory } from '../../support/stores/stores.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';

const older = 'whsec_older';
const versions: readonly ApiVersion[] = ['2024-06-20', '2025-03-31.basil', '2026-10-28.endive'];

function event(type: string, object: object): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
}

describe('POST /hooks/stripe', () => {
  let shop: FakeStripe;
  let service: TestService;

  async function start(options: ServiceOptions = {}): Promise<void> {
    service = await TestService.at(
      await memory.address(),
      {
        adminPort: 0,
        ...sellingAt(shop),
        stripeWebhookSecret: [shop.webhookSecret, older],
        ...options,
      },
      sellAtStripe,
    );
    openShop(shop, service);
  }

  beforeEach(async () => {
    shop = await fakeStripe();
    await start();
  });
  afterEach(async () => {
    await service.stop();
    await shop.stop();
  });

  const post = async (body: string, signature: string): Promise<readonly [status: number, code: string | null]> => {
    const headers = { 'Stripe-Signature': signature };
    const answer = await fetch(`${service.url}/hooks/stripe`, { method: 'POST', headers, body });
    return [answer.status, answer.headers.get('error-code')];
  };

  const signed = (body: string, secret = shop.webhookSecret): string =>
    Stripe.webhooks.generateTestHeaderString({ payload: body, secret });

  const statusOf = async (id: string): Promise<string | undefined> => {
    const found = (await service.stored()).find((each) => each.id === id);
    return found && (found.hold.kind === 'none' ? found.standing : found.hold.kind);
  };

  it('says in the log that a sale, or another price of it, has a tier that is not declared where others are', async () => {
    const { container } = service;
    const [tiers, prices] = [container.get(tokens.keptTiers), container.get(tokens.priceMap)];
    const put = putTier(tiers, container.get(tokens.products), () => crypto.randomUUID());
    await put({ productId: 'sketchpad', id: 'solo' }, { deviceLimit: null, trial: null, features: {} }, aCall());
    for (const tierId of ['tema', 'solo']) {
      const mapping = {
        price: `price_${tierId}`,
        productId: 'sketchpad',
        tierId,
        tierName: 'Any',
        deviceLimit: null,
        updates: null,
      };
      await prices.put(mapping, aCall());
      shop.addPrice({ id: `price_${tierId}` });
    }
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    const { subscription } = await shop.subscribe({ price: 'price_pro' });
    await shop.changePrice(subscription, 'price_tema');
    await shop.renew(subscription);
    await shop.changePrice(subscription, 'price_solo');
    const lines = service.logged.filter(({ message }) => message === 'changed');
    expect(lines.map((line) => [line['command'], line['warning']])).to.deep.equal([
      ['entitlement grant', 'tier_not_declared'],
      ['entitlement align', 'tier_not_declared'],
      ['entitlement align', undefined],
      ['entitlement align', undefined],
    ]);
  });

  const styles = [...versions.map((apiVersion) => ({ apiVersion })), { payload: 'thin' }] as const;
  for (const style of styles) {
    it(`follows a sale by events of ${Object.values(style).join()}, each named in the history`, async () => {
      shop.addEndpoint({ url: `${service.url}/hooks/stripe`, ...style });
      const { subscription } = await shop.subscribe({ price: 'price_pro' });
      const session = await shop.purchase({ price: 'price_once' });
      expect(await statusOf(subscription)).to.equal('active');
      expect(await statusOf(session)).to.equal('active');
      await shop.dispute(subscription);
      await shop.refund(session);
      expect(await statusOf(subscription)).to.equal('suspended');
      expect(await statusOf(session)).to.equal('revoked');
      await shop.closeDispute(subscription, 'won');
      expect(await statusOf(subscription)).to.equal('active');
      expect(shop.deliveries.map(({ status }) => status)).to.deep.equal(shop.deliveries.map(() => 200));
      const changes = service.logged.filter(({ message }) => message === 'changed');
      const ids = new Set(shop.events.map(({ id }) => id));
      expect(changes.every(({ by, correlationId }) => by === 'stripe' && ids.has(String(correlationId)))).to.equal(
        true,
      );
      expect(changes).to.have.length(5);
      expect(JSON.stringify(service.logged)).not.to.include(session);
      expect(service.faults).to.deep.equal([]);
    });
  }

  it('answers 200 to a signed message that is no event, and says so once a minute', async () => {
    for (const body of [
      '{}',
      'not JSON',
      JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type: 'v1.invoice.paid' }),
    ])
      expect(await post(body, signed(body))).to.deep.equal([200, null]);
    const lines = service.logged.filter(({ message }) => String(message).includes('is no event'));
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn']);
    expect(shop.requests).to.deep.equal([]);
  });

  it('asks Stripe nothing where the signature is missing, of other bytes or of another secret', async () => {
    const body = event('customer.subscription.updated', { id: 'sub_1' });
    const nothing = signed(body).replace(/v1=.*/, 'v1=');
    for (const signature of ['', nothing, 't=1,v1=00', signed(`${body} `), signed(body, 'whsec_of_others')]) {
      expect(await post(body, signature), signature).to.deep.equal([400, 'invalid_signature']);
    }
    expect(shop.requests).to.deep.equal([]);
  });

  it('does not wait for the body where the signature can be of none', async () => {
    const now = Math.floor(Date.now() / 1000);
    const digest = '0'.repeat(64);
    const signatures = ['', `v1=${digest}`, `t=${now}`, `t=${now},v1=`, `t=,v1=${digest}`, `t=now,v1=${digest}`];
    for (const signature of [...signatures, `t=${now - 400},v1=${digest}`, `t=${now},v0=${digest}`]) {
      const client = new RawClient(service.url);
      client.send(sizedHead('/hooks/stripe', 1000, signature === '' ? [] : [`Stripe-Signature: ${signature}`]));
      const { status, headers } = await client.read('POST');
      expect([status, headers['error-code']], signature).to.deep.equal([400, ['invalid_signature']]);
      client.close();
    }
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).to.include('latchkey_stripe_events_total{outcome="invalid_signature"} 8\n');
  });

  it('takes the secret before the last one while it is rolled', async () => {
    const body = event('customer.subscription.updated', { id: 'sub_1' });
    expect(await post(body, signed(body, older))).to.deep.equal([200, null]);
    expect(shop.requests).to.have.length(1);
  });

  it('takes 1 MiB, and no byte more', async () => {
    const empty = event('customer.created', { name: '' });
    const body = event('customer.created', { name: 'x'.repeat(1024 * 1024 - empty.length) });
    expect(Buffer.byteLength(body)).to.equal(1024 * 1024);
    expect(await post(body, signed(body))).to.deep.equal([200, null]);
    expect(await post(`${body} `, signed(`${body} `))).to.deep.equal([413, 'payload_too_large']);
  });

  it('asks Stripe nothing where an event names nothing that is sold here, and answers 200', async () => {
    const others = ['customer.updated', 'invoice.created', 'charge.succeeded', 'checkout.session.expired'];
    const bodies = [
      ...others.map((type) => event(type, { id: 'sub_1' })),
      event('invoice.paid', { id: 'in_1', subscription: null }),
      event('invoice.paid', { id: 'in_1', parent: null }),
      event('charge.refunded', { id: 'ch_1', payment_intent: null }),
      'not JSON',
    ];
    for (const body of bodies) {
      expect(await post(body, signed(body))).to.deep.equal([200, null]);
    }
    expect(shop.requests).to.deep.equal([]);
  });

  it('answers 200 for what this key cannot see, and for payments of nothing that is sold here', async () => {
    const bodies = [
      event('customer.subscription.updated', { id: 'sub_of_others' }),
      event('checkout.session.completed', { id: 'cs_of_others' }),
      event('invoice.paid', { id: 'in_of_others' }),
      event('charge.refunded', { id: 'ch_1', payment_intent: 'pi_of_others' }),
    ];
    for (const body of bodies) expect(await post(body, signed(body)), body).to.deep.equal([200, null]);
    expect(await service.stored()).to.deep.equal([]);
  });

  const failures: Readonly<Record<string, () => void>> = {
    'answers 500': () => shop.faults.answer('*', 500, { times: 10 }),
    'answers 429': () => shop.faults.answer('*', 429, { times: 10 }),
    'cuts the connection': () => shop.faults.cut('*', { times: 10 }),
    'refuses the key': () => shop.expireKey(),
  };
  for (const [name, fail] of Object.entries(failures)) {
    it(`answers 500 while Stripe ${name}, and grants when the event comes again`, async () => {
      shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
      shop.pauseDeliveries();
      const { subscription } = await shop.subscribe({ price: 'price_pro' });
      fail();
      const body = event('customer.subscription.created', { id: subscription });
      expect(await post(body, signed(body))).to.deep.equal([500, 'stripe_unavailable']);
      expect(await service.stored()).to.deep.equal([]);
      shop.faults.clear();
      shop.restoreKey();
      await shop.deliver();
      expect(await statusOf(subscription)).to.equal('active');
      expect(JSON.stringify(service.logged)).not.to.include(shop.apiKey);
    });
  }

  it('answers 500 while the store fails, and grants when the event comes again', async () => {
    const { subscription } = await shop.subscribe({ price: 'price_pro' });
    const body = event('customer.subscription.created', { id: subscription });
    await service.stop();
    await start({
      rebind: (container) => {
        const add = failing(container.get(tokens.allEntitlements), { method: 'add', nth: 1, when: 'after' });
        container.rebind(tokens.allEntitlements).toConstantValue(add);
      },
    });
    expect(await post(body, signed(body))).to.deep.equal([500, 'stripe_unavailable']);
    expect(await post(body, signed(body))).to.deep.equal([200, null]);
    expect(await service.stored()).to.have.length(1);
  });

  it('counts the events, the looks and what could not be carried out', async () => {
    shop.addEndpoint({ url: `${service.url}/hooks/stripe`, events: ['customer.subscription.created'] });
    await shop.subscribe({ price: 'price_pro' });
    await shop.subscribe({ price: shop.addPrice() });
    await post('{}', '');
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    for (const line of [
      'latchkey_stripe_events_total{outcome="looked"} 2',
      'latchkey_stripe_events_total{outcome="invalid_signature"} 1',
      'latchkey_stripe_looks_total{outcome="granted"} 1',
      'latchkey_stripe_looks_total{outcome="nothing"} 1',
      'latchkey_stripe_unmapped_total 1',
      'latchkey_stripe_refused_total{reason="revoked_here"} 0',
    ]) {
      expect(metrics).to.include(line);
    }
    const [warning] = service.logged.filter(({ level }) => level === 'warn');
    expect(warning).to.include({ message: 'no price of a sale is mapped: add one with stripe map add' });
  });

  it('is not served without a key or a signing secret, and is not in the document of merchants', async () => {
    expect(JSON.stringify(committed.paths)).not.to.include('stripe');
    for (const left of [{ stripeApiKey: null }, { stripeWebhookSecret: null }]) {
      await service.stop();
      await start(left);
      expect(await post('{}', '')).to.deep.equal([404, 'not_found']);
    }
    expect(service.logged.filter(({ level }) => level === 'warn').map(({ message }) => message)).to.deep.equal([
      'STRIPE_WEBHOOK_SECRET is not set: /hooks/stripe is not served, so that no event of Stripe arrives',
    ]);
  });
});
