import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { FakeStripe } from '../../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../../testing/stripe/start-fake-stripe.ts';
import { aCall, aSignUp, aSubscription, noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { TestService, type ServiceOptions } from '../../../support/http/test-service.ts';
import { MailReceiver } from '../../../support/mail/mail-receiver.ts';
import { mailSettings } from '../../../support/mail/mailed-shop.ts';
import { range } from '../../../support/range.ts';
import { secretsIn } from '../../../support/run/output-search.ts';
import { memory } from '../../../support/stores/stores.ts';
import { aMapping } from '../../../support/stripe/states.ts';
import { openShop, sellingAt } from '../../../support/stripe/stripe-sales.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { ConsoleClient, outcomeOf } from '../../../support/web/console-client.ts';
import { sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

const email = 'ada@left.example';
const says = 'Stripe knows the address you typed. Latchkey has asked it now, and keeps nothing.';
const limitedKey = 'svc_op_live_limited-to-the-metronome';
const prices = [
  ['price_pro', 'sketchpad'],
  ['price_once', 'metronome'],
] as const;

describe('finding the purchases of an address on the console', () => {
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;
  let client: ConsoleClient;
  const answered: string[] = [];

  async function start(options: ServiceOptions = {}): Promise<void> {
    const settings = {
      adminPort: 0,
      ...sellingAt(shop),
      ...mailSettings(receiver),
      trustedProxies: ['127.0.0.1'],
      ...options,
    };
    service = await TestService.at(await memory.address(), settings, async ({ products, priceMap, waitlist }) => {
      await waitlist.join(aSignUp({ email: 'eve@left.example' }), aCall());
      for (const [price, productId] of prices) {
        await products.put({ id: productId, name: productId.toUpperCase(), createdAt: noon }, aCall());
        await priceMap.put(aMapping({ price, productId }), aCall());
      }
    });
    await service.addOperatorKey(operatorKeys.full);
    client = await signedIn(operatorKeys.full);
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
  }

  beforeEach(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
  });
  afterEach(async () => {
    // The address is nowhere: not in the answers, the log, the metrics or what is stored.
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    const shown = [...answered.splice(0), metrics, ...service.logged.map((line) => JSON.stringify(line))];
    expect(shown.filter((text) => text.includes('left.example'))).to.deep.equal([]);
    expect(service.logged.filter((line) => secretsIn(JSON.stringify(line)).length > 0)).to.deep.equal([]);
    await service.stop();
    await receiver.close();
    await shop.stop();
  });

  async function signedIn(key: string, overrides: Partial<OperatorKey> | null = null): Promise<ConsoleClient> {
    if (overrides !== null) await service.addOperatorKey(key, { id: 'opk_2', ...overrides });
    const signing = new ConsoleClient(service);
    await signing.signIn(key);
    return signing;
  }
  const limited = (): Promise<ConsoleClient> =>
    signedIn(limitedKey, { products: ['metronome'], scopes: ['admin:read', 'admin:entitlements'] });

  const find = async (what = email, by = client): Promise<ReceivedPage> => {
    const page = await by.submit('/console/find', { what });
    answered.push(page.text, JSON.stringify(page.headers));
    return page;
  };
  const found = async (what = email, by = client): Promise<string> => {
    const page = await find(what, by);
    expect(page.status).to.equal(200);
    return textIn(page.text).replaceAll('&#39;', "'");
  };
  const later = (): void => {
    service.now = new Date(service.now.getTime() + 1000);
  };
  const subscribe = async (): Promise<string> => {
    later();
    return (await shop.subscribe({ price: 'price_pro', email })).subscription;
  };
  const buy = (): Promise<string> => {
    later();
    return shop.purchase({ price: 'price_once', email });
  };
  const looked = (): readonly unknown[] =>
    service.logged.filter(({ message }) => message === 'found by address').map((line) => line['found']);
  const metric = async (line: string): Promise<boolean> =>
    (await (await fetch(`${service.adminUrl}/metrics`)).text()).includes(`${line}\n`);

  it('shows each in a row, the newest first, in whichever case it is typed, and logs their number alone', async () => {
    await start();
    const sub = await subscribe();
    expect(await found()).to.include(`1 purchase of this address ${says}`);
    const bought = await buy();
    await shop.refund(bought);
    const page = await find('ADA@left.example');
    const text = textIn(page.text);
    expect(text).to.include(`2 purchases of this address ${says}`);
    expect(text).to.match(
      /Purchase Product Key State Renews or ends Bought cs_test_\w{4}… METRONOME Pro, bought once \w{4} Refunded Ended 18 Jul 2026 now 18 Jul 2026 now sub_\w{8}… SKETCHPAD Pro, monthly \w{4} Active Renews 18 Aug 2026 in 4 weeks 18 Jul 2026 1 second ago/,
    );
    expect(page.text).to.include(`href="/console/entitlements/${sub}"`);
    expect(page.text).to.match(/href="https:\/\/dashboard\.stripe\.com\/test\/customers\/cus_\w+"/);
    expect(text).to.include(
      'Lost the key, or the mail never came? The same mail as at /license/lost : every key that works, and a link of 24 hours to manage each. It goes to the address as Stripe has it. Mail the keys to this address Open the customer at Stripe',
    );
    expect(page.text).to.include(`href="/console/entitlements/${bought}/mail-keys"`);
    expect(looked()).to.deep.equal([1, 2]);
    const [line] = service.logged.filter(({ message }) => message === 'found by address');
    expect(line).to.include({ by: 'operator:opk_1', level: 'info' });
    expect(await metric('latchkey_address_looks_total{outcome="found"} 2')).to.equal(true);
  });

  it('shows the first twenty, a dispute, and what Stripe has sold and is not here', async () => {
    await start();
    for (const _ of range(20)) await buy();
    await shop.dispute(await subscribe());
    shop.pauseDeliveries();
    await subscribe();
    expect(await found())
      .to.include('21 purchases of this address')
      .and.include('Disputed')
      .and.include('20 of 21 are shown')
      .and.include('Stripe has 1 more sale to this address, which has no entitlement here.');
  });

  it('says also what else has the address, and that Stripe knows it where nothing is here', async () => {
    await start();
    await service.grant(aSubscription({ productId: 'sketchpad', reference: email }));
    expect(outcomeOf(await find())).to.deep.equal([303, '/console/entitlements/ent_1']);
    await subscribe();
    await service.container.get(tokens.waitlist).join(aSignUp({ email }), aCall());
    const page = await find();
    // A reference is shown on the pages of an entitlement, and not here.
    expect(textIn(page.text)).to.include('It is the reference of ent_1. It is on the waitlist since 18 July 2026');
    shop.pauseDeliveries();
    await shop.subscribe({ price: 'price_pro', email: 'bo@left.example' });
    await shop.subscribe({ price: 'price_pro', email: 'bo@left.example' });
    expect(await found('bo@left.example')).to.include(
      'No purchase of this address Stripe knows the address you typed. Latchkey has asked it now, and keeps nothing. Stripe has 2 sales to this address, which have no entitlement here.',
    );
  });

  it('says that nobody has it, and what to do', async () => {
    await start();
    expect(await found()).to.include(
      "Nothing found Neither Stripe, the waitlist nor a reference has the address that you typed. What you can look for Another address Buyers often pay with another one. Ask for the one on Stripe's receipt. Tell the buyer https://licenses.sketchpad.example/license/lost tries any address.",
    );
    expect(await found('EVE@left.example')).to.include('On the waitlist The address that you typed has signed up.');
    expect(looked()).to.deep.equal([0, 0]);
    expect(await metric('latchkey_address_looks_total{outcome="none"} 2')).to.equal(true);
  });

  it('asks nobody without Stripe, and says so', async () => {
    await start({ stripeApiKey: null, stripeWebhookSecret: null });
    const text = await found();
    expect(text).to.include('A buyer This server asks no shop for addresses: STRIPE_API_KEY is not set.');
    expect([looked(), shop.requests.length]).to.deep.equal([[], 0]);
  });

  it('says that Stripe does not answer, with what else was found', async () => {
    await start();
    await subscribe();
    shop.expireKey();
    expect(await found()).to.include('Nothing found Stripe does not answer now. Try another');
    expect(await found('eve@left.example')).to.include('Stripe does not answer now. It is on the waitlist since');
    expect(await metric('latchkey_address_looks_total{outcome="failed"} 2')).to.equal(true);
  });

  it('waits for Stripe longer than for the store, and no longer than eight seconds', async function () {
    this.timeout(20_000);
    await start({ storeDeadline: 1000 });
    await subscribe();
    shop.faults.hang('GET /v1/customers', { times: 2 });
    expect(await found())
      .to.include('1 purchase of this address')
      .and.include('Stripe does not answer now.');
  });

  it('shows what sessions alone have found where the key may not read customers', async () => {
    await start({ stripeApiKey: shop.restrictedKey({ subscription: 'read', checkout_session: 'read' }) });
    const refused =
      'The key of this server may not read customers. Give it Customers: read; latchkey stripe check names what is missing.';
    expect(await found()).to.include(`Nothing found ${refused}`);
    await service.grant(aSubscription({ id: await subscribe(), productId: 'sketchpad' }));
    expect(await found()).to.include(`1 purchase of this address ${refused}`);
  });

  it('finds with admin:read, and mails with admin:entitlements', async () => {
    await start();
    const sub = await subscribe();
    const reader = await signedIn(operatorKeys.reader, { scopes: ['admin:read'] });
    const text = await found(email, reader);
    expect(text).to.include('1 purchase of this address').and.include('Open the customer at Stripe');
    expect(text).to.not.include('Mail the keys');
    const path = `/console/entitlements/${sub}/mail-keys`;
    expect((await reader.get(path)).status).to.equal(403);
    expect((await reader.submit(path, { id: '0123456789abcdef' })).status).to.equal(403);
    expect(await found('nobody@left.example', reader)).to.include(
      'Neither Stripe nor a reference has the address that you typed.',
    );
  });

  it('finds the purchases of its products with a limited key, and nothing that tells of others', async () => {
    await start();
    const merchant = await limited();
    await subscribe();
    const ofOthers = await find(email, merchant);
    const ofNobody = await find('nobody@left.example', merchant);
    expect(textIn(ofOthers.text)).to.include('Nothing found');
    expect(ofOthers.text).to.equal(ofNobody.text);
    await buy();
    shop.pauseDeliveries();
    await buy();
    const page = await find(email, merchant);
    expect(textIn(page.text)).to.include('1 purchase of this address').and.not.include('more sale');
    expect(page.text).to.not.include('dashboard.stripe.com');
    expect(looked()).to.deep.equal([0, 0, 1]);
    const asked = shop.requests.filter(({ method }) => method === 'GET').length;
    await find(email, merchant);
    const ofMerchant = shop.requests.filter(({ method }) => method === 'GET').length - asked;
    await find(email, client);
    expect(shop.requests.filter(({ method }) => method === 'GET').length - asked).to.equal(2 * ofMerchant);
  });

  it('looks for thirty addresses a minute for an operator key', async () => {
    await start({ rateLimits: 'off' });
    const token = await client.token();
    const statuses: number[] = [];
    for (const index of range(31)) {
      statuses.push((await client.post('/console/find', { token, what: `buyer-${index}@left.example` })).status);
    }
    expect(statuses).to.deep.equal([...range(30).map(() => 200), 429]);
    const other = await signedIn(operatorKeys.reader, { scopes: ['admin:read'] });
    expect((await find(email, other)).status).to.equal(200);
    expect((await client.submit('/console/find', { what: 'nothing' })).status).to.equal(200);
  });

  it('mails the keys in two steps, once for a form, and says who has had them mailed', async () => {
    await start();
    const sub = await subscribe();
    await buy();
    const path = `/console/entitlements/${sub}/mail-keys`;
    const asked = await client.get(path);
    expect(textIn(asked.text)).to.include('Mail the keys to this buyer?').and.include('Mail the keys Keep it');
    answered.push(asked.text);
    const [, id = ''] = /name="id" value="([0-9a-f]{16})"/.exec(asked.text) ?? [];
    for (const _ of range(2)) {
      const sent = await client.submit(path, { id });
      expect(outcomeOf(sent)).to.deep.equal([303, `/console/entitlements/${sub}?done=mailed`]);
    }
    expect(textIn((await client.get(`/console/entitlements/${sub}?done=mailed`)).text)).to.include(
      'A mail with the keys is on its way.',
    );
    await mailed(1);
    const [mail] = receiver.mails;
    expect([mail?.to, mail?.parsed.messageId]).to.deep.equal([[email], `<lost.${id}@licenses.sketchpad.example>`]);
    expect(mail?.parsed.text?.match(/LK-/g)).to.have.length(2);
    const lines = await eventually(
      async () => service.logged.filter(({ message }) => message === 'keys mailed'),
      (logged) => logged.length > 0,
    );
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ entitlementId: sub, by: 'operator:opk_1' });
    expect(await metric('latchkey_mails_total{kind="desk",outcome="sent"} 1')).to.equal(true);
    expect((await client.submit(path, { id: 'a@left.example' })).status).to.equal(400);
    expect((await client.submit('/console/entitlements/ent_none/mail-keys', { id })).status).to.equal(404);
  });

  const mailed = (count: number): Promise<unknown> =>
    eventually(
      async () => receiver.mails.length,
      (length) => length >= count,
    );

  const atPage = (): Promise<ReceivedPage> => sendForm(`${service.url}/license/lost`, { email: 'ADA@left.example' });

  it('counts with /license/lost, in both directions', async () => {
    await start();
    const sub = await subscribe();
    const path = `/console/entitlements/${sub}/mail-keys`;
    const token = await client.token();
    const atDesk = (id: string): Promise<ReceivedPage> => client.post(path, { token, id });
    expect((await atDesk('0'.repeat(16))).status).to.equal(303);
    expect((await atPage()).status).to.equal(303);
    expect((await atDesk('1'.repeat(16))).status).to.equal(303);
    expect((await atPage()).status).to.equal(429);
    const refused = await atDesk('2'.repeat(16));
    expect(outcomeOf(refused)).to.deep.equal([429, 'rate_limited']);
    expect(textIn(refused.text)).to.match(
      /This address has had three of these mails in an hour\. The next can be sent at \d\d:\d\d UTC\./,
    );
    expect((await atDesk('1'.repeat(16))).status).to.equal(303);
    await mailed(3);
    expect(receiver.mails).to.have.length(3);
  });

  it('names in the mail of a limited key its products alone', async () => {
    await start();
    const merchant = await limited();
    const sub = await subscribe();
    const bought = await buy();
    const id = '0123456789abcdef';
    expect((await merchant.submit(`/console/entitlements/${sub}/mail-keys`, { id })).status).to.equal(404);
    expect((await merchant.submit(`/console/entitlements/${bought}/mail-keys`, { id })).status).to.equal(303);
    await mailed(1);
    expect(receiver.mails[0]?.parsed.text).to.include('METRONOME').and.not.include('SKETCHPAD');
  });

  it('says of a sale without an address, and of Stripe without an answer, that nothing is mailed', async () => {
    await start();
    const sub = await subscribe();
    const path = `/console/entitlements/${sub}/mail-keys`;
    await shop.changeEmail(sub, null);
    const administration = administrationOf(portsIn(service.container), nodePlatform);
    expect(await administration.findEntitlement(sub, aCall())).to.not.equal(null);
    shop.expireKey();
    expect(outcomeOf(await client.submit(path, { id: '0'.repeat(16) }))).to.deep.equal([500, 'stripe_unavailable']);
    await service.grant(aSubscription({ productId: 'sketchpad' }));
    expect((await client.get('/console/entitlements/ent_1/mail-keys')).status).to.equal(404);
    expect(receiver.mails).to.deep.equal([]);
  });

  for (const [without, options] of Object.entries({
    'This server sends no mail: SMTP_URL is not set. Copy a link on the page of the purchase.': {
      smtpUrl: null,
      mailFrom: null,
    },
    'BUYER_PAGES is off, so there is no page to link to.': { buyerPages: 'off' },
  } satisfies Record<string, ServiceOptions>)) {
    it(`mails no keys and says: ${without}`, async () => {
      await start(options);
      const sub = await subscribe();
      const text = await found();
      expect(text).to.include(`never came? ${without} Open the customer at Stripe`).and.not.include('Mail the keys');
      expect((await client.get(`/console/entitlements/${sub}/mail-keys`)).status).to.equal(404);
      expect(await found('nobody@left.example')).to.not.include('Tell the buyer');
    });
  }
});
