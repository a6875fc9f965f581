import { expect } from 'chai';
import { createStripeParts } from '../../../app/server/stripe-service.ts';
import { portsIn } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { maxLinks } from '../../../core/buyer/buyer-link.ts';
import type { FakeStripe, PurchaseOptions, SubscribeOptions } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { MailReceiver, type ReceivedMail } from '../../support/mail/mail-receiver.ts';
import { mailSettings, publicUrl } from '../../support/mail/mailed-shop.ts';
import { range } from '../../support/range.ts';
import { memory } from '../../support/stores/stores.ts';
import { openShop, sellAtStripe } from '../../support/stripe/stripe-sales.ts';
import { textIn } from '../../support/web/buyers.ts';
import { getPage, sendForm, type ReceivedPage } from '../../support/web/page-client.ts';

describe('/license/lost', () => {
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;

  const stripe = () => ({ stripeApiKey: shop.apiKey, stripeApiBase: shop.url });

  async function start(options: ServiceOptions = {}): Promise<void> {
    const settings = { ...stripe(), ...mailSettings(receiver), trustedProxies: ['127.0.0.1'], ...options };
    service = await TestService.at(await memory.emptyAddress(), settings, sellAtStripe);
    openShop(shop, service);
  }

  beforeEach(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
    await shop.stop();
  });

  /** Looks at a sale as an event does. */
  async function look(id: string): Promise<string> {
    const log = loggerTo({ write: () => undefined });
    const parts = await createStripeParts({ container: service.container, log }, { ...defaultSettings, ...stripe() });
    await parts.look(id, aCall({ now: service.now, by: 'stripe' }));
    return id;
  }
  const subscribe = async (options: SubscribeOptions = {}): Promise<string> =>
    look((await shop.subscribe({ price: 'price_pro', ...options })).subscription);
  const buy = async (options: PurchaseOptions = {}): Promise<string> =>
    look(await shop.purchase({ price: 'price_once', ...options }));
  const keyOf = (id: string): Promise<string> =>
    deriveLicenseKey(portsIn(service.container).licenseSecrets, nodePlatform)(id, aCall());

  let clients = 0;
  /** Sends the form, each time as another client. */
  const ask = (email: string): Promise<ReceivedPage> => {
    clients += 1;
    return sendForm(`${service.url}/license/lost`, { email }, { 'X-Forwarded-For': `192.0.2.${clients % 250}` });
  };
  const mails = (count: number): Promise<readonly ReceivedMail[]> =>
    eventually(
      async () => receiver.mails,
      (all) => all.length >= count,
    );

  it('mails all that was bought with an address in one mail: its key, or the end of it, and a link of a day', async () => {
    await start();
    const known = await subscribe({ email: 'Ada@example.com' });
    service.now = new Date(service.now.getTime() + 1000);
    const replaced = await buy({ email: 'ada@example.com' });
    const administration = administrationOf(portsIn(service.container), nodePlatform);
    const { licenseKey } = await administration.rotateLicense(replaced, null, aCall({ now: service.now }));
    await subscribe({ email: 'bo@example.com' });
    expect(outcome(await ask('ADA@example.com'))).to.deep.equal([303, '/license/lost/sent', undefined, 'no-store', '']);
    const [mail] = await mails(1);
    const { text = '' } = mail?.parsed ?? {};
    expect(mail?.to).to.deep.equal(['ada@example.com']);
    expect(mail?.parsed.messageId).to.match(/^<lost\.[0-9a-f]{16}@licenses\.sketchpad\.example>$/);
    expect(text)
      .to.include(await keyOf(known))
      .and.include(`ends with ${licenseKey.slice(-4)}`);
    expect(text).to.not.include(licenseKey);
    const links = text.match(/https:\/\/licenses\.sketchpad\.example\/license\/links\/[\w-]{43}/g) ?? [];
    expect(links).to.have.length(2);
    for (const link of links) {
      const page = await getPage(service.url + link.slice(publicUrl.length));
      expect([page.status, textIn(page.text).includes('Replace the key')]).to.deep.equal([200, true]);
    }
    service.now = new Date(service.now.getTime() + 24 * 3_600_000);
    expect((await getPage(service.url + (links[0] ?? '').slice(publicUrl.length))).status).to.equal(404);
  });

  it('ends no link that support has made, and its link is ended by none of them', async () => {
    await start();
    const entitlementId = await subscribe();
    const administration = administrationOf(portsIn(service.container), nodePlatform);
    const paths: string[] = [];
    const help = async (): Promise<void> => {
      service.now = new Date(service.now.getTime() + 1000);
      const request = { entitlementId, expires: null };
      paths.push((await administration.createSupportLink(request, aCall({ now: service.now }))).url);
    };
    while (paths.length < maxLinks) await help();
    service.now = new Date(service.now.getTime() + 1000);
    await ask('buyer@example.com');
    const [mail] = await mails(1);
    paths.unshift(/\/license\/links\/[\w-]{43}/.exec(mail?.parsed.text ?? '')?.[0] ?? '');
    const statuses = () => Promise.all(paths.map(async (path) => (await getPage(service.url + path)).status));
    expect(await statuses()).to.deep.equal(paths.map(() => 200));
    await help();
    expect(await statuses()).to.deep.equal(paths.map((_, index) => (index === 1 ? 404 : 200)));
  });

  it('mails nobody for an address without a sale, and answers it as a known one, before Stripe is asked', async () => {
    await start();
    const bought = await subscribe({ email: 'ada@example.com' });
    const held = [0, 1].map(() => shop.faults.hold('GET /v1/checkout/sessions'));
    const answers = [await ask('ada@example.com'), await ask('nobody@example.com')];
    expect(new Set(answers.map((answer) => JSON.stringify(outcome(answer)))).size).to.equal(1);
    await Promise.all(held.map(({ arrived }) => arrived));
    for (const { release } of held) release();
    const [mail] = await mails(1);
    expect(mail?.parsed.text).to.include(await keyOf(bought));
    await eventually(
      async () => shop.requests.filter(({ parameters }) => parameters.includes('nobody')).length,
      (count) => count > 2,
    );
    expect(receiver.mails).to.have.length(1);
  });

  it('mails nothing to an address at Stripe that only looks like that of the buyer', async () => {
    await start();
    const own = await subscribe({ email: 'kate@example.com' });
    service.now = new Date(service.now.getTime() + 1000);
    const other = await subscribe({ email: '\u212Aate@example.com' });
    for (const typed of ['kate@example.com', '\u212Aate@example.com']) await ask(typed);
    const all = await mails(2);
    expect(all.map(({ to }) => to)).to.deep.equal([['kate@example.com'], ['kate@example.com']]);
    for (const { parsed } of all) {
      expect(parsed.text)
        .to.include(await keyOf(own))
        .and.not.include(await keyOf(other));
    }
  });

  it('finds customers by the search too, and mails the address that Stripe has, never the typed one', async () => {
    await start();
    const id = await subscribe({ checkout: false, email: 'Kate.Smith@Example.com' });
    await ask('\u212Aate.smith@example.com');
    const [mail] = await mails(1);
    expect(mail?.to).to.deep.equal(['Kate.Smith@Example.com']);
    expect(mail?.parsed.text).to.include(await keyOf(id));
  });

  it('names the newest twenty', async () => {
    await start();
    const ids: string[] = [];
    while (ids.length < 22) {
      ids.push(await buy());
      service.now = new Date(service.now.getTime() + 1000);
    }
    await ask('buyer@example.com');
    const [mail] = await mails(1);
    const keys = mail?.parsed.text?.match(/LK(?:-[0-9A-Z]{5}){6}/g) ?? [];
    expect(keys).to.deep.equal(await Promise.all(ids.slice(2).toReversed().map(keyOf)));
  });

  it('has no key that is dead, and nothing that was not granted here', async () => {
    await start();
    const revoked = await subscribe();
    const administration = administrationOf(portsIn(service.container), nodePlatform);
    await administration.runEntitlementCommand(revoked, { kind: 'revoke' }, aCall({ now: service.now }));
    await shop.subscribe({ price: 'price_pro' });
    await ask('buyer@example.com');
    const [mail] = await mails(1);
    expect(mail?.parsed.text).to.not.match(/LK-/);
    expect(mail?.parsed.text?.match(/license\/links/g)).to.have.length(1);
  });
});

describe('the form of /license/lost', () => {
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;

  const settings = () => ({
    stripeApiKey: shop.apiKey,
    stripeApiBase: shop.url,
    ...mailSettings(receiver),
    trustedProxies: ['127.0.0.1'],
    siteHelp: 'mailto:help@sketchpad.example',
  });

  async function start(options: ServiceOptions = {}): Promise<void> {
    service = await TestService.at(await memory.address(), { ...settings(), ...options }, sellAtStripe);
  }

  beforeEach(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
    await shop.stop();
  });

  const get = (path: string): Promise<ReceivedPage> => getPage(service.url + path);
  const post = (email: string, headers: Readonly<Record<string, string>> = {}): Promise<ReceivedPage> =>
    sendForm(`${service.url}/license/lost`, { email }, headers);

  it('asks for the address, and says where to look', async () => {
    await start();
    const form = await get('/license/lost');
    expect(textIn(form.text)).to.equal(
      'Lost your key? Enter the address that you bought with. We mail your keys there, with a link to manage each of them. E-mail address Mail my keys Bought with another address, or not by yourself? Ask Sketchpad.',
    );
    const sent = await get('/license/lost/sent');
    expect(textIn(sent.text)).to.equal(
      'Look into your mail If something was bought with this address, a mail is on its way. It can take a few minutes. Nothing there? Look into the spam folder, and for a mail of keys@sketchpad.example. Try each address that you use. Some shops and app stores keep another one. An address gets at most three of these mails in an hour. Try another address',
    );
    for (const { status, text, headers } of [form, sent]) {
      expect([status, headers['cache-control'], headers['x-robots-tag']]).to.deep.equal([200, 'no-store', 'noindex']);
      expect(headers['content-security-policy']).to.not.match(/script-src|connect-src/);
      expect([headers['referrer-policy'], headers['cross-origin-opener-policy']]).to.deep.equal([
        'same-origin',
        'same-origin',
      ]);
      expect(text).to.match(/<a href="\/license\/lost" +aria-current="page">Lost your key\?<\/a>/);
    }
  });

  it('refuses what is no address with the form, and asks nothing', async () => {
    await start();
    const wrong = [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada example.com',
      'a@b c',
      `${'a'.repeat(250)}@example.com`,
      'a@1.2.3.4',
    ];
    for (const email of wrong) {
      const answer = await post(email);
      expect([answer.status, answer.headers['error-code']], email).to.deep.equal([400, 'invalid_email']);
      expect(textIn(answer.text), email).to.include('Enter a valid e-mail address');
    }
    const hostile = await post('"><script>alert(1)</script>');
    expect([hostile.status, hostile.text.includes('<script>alert')]).to.deep.equal([400, false]);
    expect(shop.requests).to.deep.equal([]);
  });

  it('refuses the form of another site', async () => {
    await start();
    for (const header of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'null' }]) {
      const answer = await post('ada@example.com', header);
      expect([answer.status, answer.headers['error-code']], JSON.stringify(header)).to.deep.equal([
        403,
        'foreign_origin',
      ]);
    }
    expect((await post('ada@example.com', { Origin: publicUrl })).status).to.equal(303);
  });

  it('is sent ten times a minute by a client, with RATE_LIMITS=off too, and three times an hour for an address', async () => {
    await start({ rateLimits: 'off' });
    for (const index of range(10))
      expect((await post(`buyer-${index}@example.com`, fromClient(1))).status).to.equal(303);
    const limited = await post('another@example.com', fromClient(1));
    expect([limited.status, limited.headers['error-code']]).to.deep.equal([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).to.be.within(1, 60);
    const statuses: number[] = [];
    for (const client of [2, 3, 4, 5]) statuses.push((await post('Nobody@example.com', fromClient(client))).status);
    expect(statuses).to.deep.equal([303, 303, 303, 429]);
    expect((await post('NOBODY@example.com', fromClient(6))).status).to.equal(429);
  });

  it('is linked to from the head of the pages for buyers, and where a key or link is not found', async () => {
    await start();
    const link = '<a href="/license/lost"';
    const unknown = await sendForm(`${service.url}/license`, { licenseKey: 'LK-00000-00000-00000-00000-00000-00000' });
    const ended = await get(`/license/links/${'a'.repeat(43)}`);
    const claim = await get('/claim?session_id=cs_1');
    for (const { text } of [await get('/license'), unknown, ended, claim]) expect(text).to.include(link);
    expect(textIn(unknown.text)).to.include('Lost your key? We mail it to the address that you bought with.');
    expect(textIn(ended.text)).to.include('or by mail. Get a new link by mail Look up a key');
  });

  for (const [without, options] of Object.entries({
    Stripe: { stripeApiKey: null },
    mail: { smtpUrl: null, mailFrom: null },
    'the pages of a license': { buyerPages: 'off' },
  } satisfies Record<string, ServiceOptions>)) {
    it(`is not there without ${without}, and nothing leads to it`, async () => {
      await start(options);
      for (const path of ['/license/lost', '/license/lost/sent']) {
        expect((await get(path)).status, path).to.equal(404);
      }
      expect((await post('ada@example.com')).status).to.equal(404);
      for (const path of ['/license', '/claim?session_id=cs_1', `/license/links/${'a'.repeat(43)}`]) {
        expect((await get(path)).text, path).to.not.include('/license/lost"');
      }
    });
  }
});

function outcome({ status, headers, text }: ReceivedPage): readonly unknown[] {
  return [status, headers['location'], headers['error-code'], headers['cache-control'], text];
}

function fromClient(client: number): Readonly<Record<string, string>> {
  return { 'X-Forwarded-For': `192.0.2.${client}` };
}
