import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, aSubscription } from '../../support/builders.ts';
import { runCommand } from '../../support/cli/run-command.ts';
import { eventually } from '../../support/eventually.ts';
import { AdminClient, dataOf, outcomeOf } from '../../support/http/admin-client.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { MailReceiver, type ReceiverOptions } from '../../support/mail/mail-receiver.ts';
import { secretsIn } from '../../support/run/output-search.ts';
import { memory, sqlite } from '../../support/stores/stores.ts';
import { aMapping } from '../../support/stripe/states.ts';
import { openShop, sellingAt } from '../../support/stripe/stripe-sales.ts';
import { grantWithKey, sellSketchpad } from '../../support/web/buyers.ts';

const path = '/admin/entitlements/ent_1/mail';
const to = 'buyer@example.com';
const publicUrl = 'https://licenses.sketchpad.example';
const limitedKey = 'svc_op_live_limited-to-a-product';
const otherKey = 'LK-00000-00000-00000-00000-00000-00000';

function warnings({ logged }: TestService): readonly unknown[] {
  return logged.filter(({ message }) => String(message).startsWith('PUBLIC_URL is not set'));
}

describe('mail of the administration', () => {
  const stops: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function receiving(options: ReceiverOptions = {}): Promise<MailReceiver> {
    const receiver = new MailReceiver(options);
    await receiver.listen();
    stops.push(() => receiver.close());
    return receiver;
  }

  /** A service that sends to the receiver, with one entitlement, and its key. */
  async function serving(receiver: MailReceiver | null, options: ServiceOptions = {}) {
    const mailFrom = { name: 'Sketchpad', address: 'keys@sketchpad.example' };
    const service = await TestService.at(await memory.address(), {
      adminPort: 0,
      publicUrl,
      ...(receiver !== null && { smtpUrl: receiver.address, mailFrom }),
      ...options,
    });
    stops.push(async () => {
      await service.stop();
      expect(service.logged.filter((line) => secretsIn(JSON.stringify(line)).length > 0)).to.deep.equal([]);
    });
    await service.addOperatorKey(operatorKeys.full);
    await sellSketchpad(service);
    const licenseKey = await grantWithKey(service, aSubscription());
    return { service, admin: new AdminClient(service), licenseKey };
  }

  /** The same with a subscription at Stripe that has no checkout, and with what mails its buyer. */
  async function selling(options: ServiceOptions = {}) {
    const shop = await fakeStripe();
    stops.push(() => shop.stop());
    const receiver = await receiving();
    const started = await serving(receiver, { ...sellingAt(shop), ...options });
    const { service } = started;
    await service.container.get(tokens.priceMap).put(aMapping({ price: 'price_pro' }), aCall());
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    const { subscription: id } = await shop.subscribe({ price: 'price_pro', email: to, checkout: false });
    const mail = (body?: object) => started.admin.post(`/admin/entitlements/${id}/mail`, body);
    return { ...started, shop, receiver, id, mail };
  }

  it('sends the key of an entitlement, and keeps neither the key nor the address', async () => {
    const receiver = await receiving();
    const { admin, service, licenseKey } = await serving(receiver, { siteName: 'Sketch & Co' });
    const sent = await admin.post(path, { to, licenseKey: ` ${licenseKey.toLowerCase()} ` });
    expect([sent.status, dataOf(sent)]).to.deep.equal([200, { sentAt: service.now.toISOString() }]);
    const [mail] = receiver.mails;
    expect(mail?.to).to.deep.equal([to]);
    expect(mail?.parsed.subject).to.equal('Your Sketchpad license key');
    expect(mail?.parsed.text).to.include(licenseKey.toLowerCase()).and.include(`${publicUrl}/license`);
    expect(mail?.parsed.html).to.include(licenseKey.toLowerCase());
    expect(mail?.parsed.messageId).to.match(/^<license\.[0-9a-f]{16}@licenses\.sketchpad\.example>$/);
    const [change] = admin.changes.slice(-1);
    expect(change).to.include({ command: 'license mail', entitlementId: 'ent_1' });
    expect(JSON.stringify(service.logged)).to.not.include(to).and.not.include(licenseKey.toLowerCase());
    await admin.post(path, { to, licenseKey });
    expect(new Set(receiver.mails.map(({ parsed }) => parsed.messageId))).to.have.property('size', 2);
  });

  it('sends a link of 24 hours where no key is given', async () => {
    const receiver = await receiving();
    const { admin, service } = await serving(receiver);
    expect((await admin.post(path, { to })).status).to.equal(200);
    const { text = '', subject } = receiver.mails[0]?.parsed ?? {};
    expect(subject).to.equal('Your Sketchpad license');
    expect(text).to.include('until 19 July, 12:00 UTC');
    const [url = ''] = /https:\S+\/license\/links\/[\w-]{43}/.exec(text) ?? [];
    const page = await fetch(service.url + new URL(url).pathname);
    expect(page.status).to.equal(200);
    expect(await page.text()).to.include('Sketchpad');
  });

  it('refuses what cannot be mailed, and sends nothing', async () => {
    const receiver = await receiving();
    const { admin } = await serving(receiver);
    for (const [body, ...refusal] of [
      [
        {},
        409,
        'buyer_address_unknown',
        'Stripe has no address of the buyer, or does not sell the entitlement. Name it.',
      ],
      [{ to, what: 'all' }, 400, 'invalid_body', 'what must be key or link, or keys in a request.'],
      [
        { to, what: 'link', licenseKey: otherKey },
        400,
        'invalid_license_key',
        'licenseKey is for what key alone: a link needs none.',
      ],
      [
        { to, what: 'key' },
        409,
        'license_key_unknown',
        'The key is not known here: it was replaced, or Stripe does not sell the entitlement. Mail a link.',
      ],
      [{ to, what: 'keys' }, 400, 'invalid_email', 'to is not for what keys: they go to the address that Stripe has.'],
      [
        { what: 'keys', licenseKey: otherKey },
        400,
        'invalid_license_key',
        'licenseKey is not for what keys, which finds them.',
      ],
      [{ what: 'keys' }, 404, 'not_sold_by_stripe', 'Stripe does not sell this entitlement.'],
      [{ to: 'buyer' }, 400, 'invalid_email', 'to must be a valid e-mail address.'],
      [
        { to, licenseKey: otherKey },
        400,
        'invalid_license_key',
        'licenseKey must be the key that the entitlement has now.',
      ],
    ] as const) {
      expect(outcomeOf(await admin.post(path, body)), JSON.stringify(body)).to.deep.equal(refusal);
    }
    expect(receiver.connections).to.equal(0);
  });

  it('waits for a mail server that takes longer than the store may', async () => {
    const receiver = await receiving({ onConnect: 'wait', onMailFrom: 'wait', onRecipient: 'wait', onMail: 'wait' });
    const { admin, licenseKey } = await serving(receiver, { storeDeadline: 500 });
    expect((await admin.post(path, { to, licenseKey })).status).to.equal(200);
    expect(receiver.mails).to.have.length(1);
  });

  it('says by the code why a mail was not sent', async () => {
    const receiver = await receiving();
    const { admin, service, licenseKey } = await serving(receiver);
    for (const [options, reason] of [
      [{ onRecipient: [550, `5.1.1 <${to}> is unknown`] }, 'refused (550 5.1.1)'],
      [{ onRecipient: [450, `4.2.0 <${to}> later`] }, 'failed (450 4.2.0)'],
    ] as const) {
      receiver.options = { ...options };
      const refusal = [500, 'mail_unavailable', `The mail was not sent: ${reason}.`];
      expect(outcomeOf(await admin.post(path, { to, licenseKey }))).to.deep.equal(refusal);
    }
    expect(admin.changes).to.deep.equal([]);
    expect(JSON.stringify(service.logged)).to.not.include(to).and.not.include('later');
  });

  it('is refused where no server is set, to a key that is limited to products, and with a link where there are no pages', async () => {
    const { admin, service, licenseKey } = await serving(null);
    expect(outcomeOf(await admin.post(path, { to, licenseKey }))).to.deep.equal([
      500,
      'mail_unavailable',
      'No mail is sent: SMTP_URL is not set.',
    ]);
    await service.addOperatorKey(limitedKey, { id: 'opk_limited', products: ['prod_1'] });
    const limited = await admin.send('POST', path, { key: limitedKey, body: { to, licenseKey } });
    expect(outcomeOf(limited)[1]).to.equal('limited_key');
    const pageless = await serving(await receiving(), { buyerPages: 'off' });
    expect(outcomeOf(await pageless.admin.post(path, { to }))[1]).to.equal('invalid_license_key');
  });

  it('warns once without PUBLIC_URL', async () => {
    const receiver = await receiving();
    expect(warnings((await serving(receiver, { publicUrl: null })).service)).to.have.length(1);
    expect(warnings((await serving(receiver)).service)).to.have.length(0);
    expect(warnings((await serving(null, { publicUrl: null })).service)).to.have.length(0);
  });

  it('has the help of the site by its whole address, and the icon of the product', async () => {
    const receiver = await receiving();
    const { admin, service, licenseKey } = await serving(receiver, {
      siteHelp: '/help',
      siteImageHosts: ['cdn.example'],
    });
    const iconUrl = 'https://cdn.example/sketchpad.png';
    await sellSketchpad(service, { iconUrl });
    await admin.post(path, { to, licenseKey });
    expect(receiver.mails[0]?.parsed.text).to.include(`Questions? Ask at ${publicUrl}/help`);
    expect(receiver.mails[0]?.parsed.html).to.include(`src="${iconUrl}"`);
  });

  describe('of a sale of Stripe', () => {
    it('goes to the address that Stripe has now, with the key or a link', async () => {
      const { admin, shop, receiver, id, mail, service } = await selling();
      expect((await mail({ what: 'key' })).status).to.equal(200);
      await shop.changeEmail(id, 'ada@now.example');
      expect((await mail()).status).to.equal(200);
      expect((await mail({ to: 'ada@other.example', what: 'key' })).status).to.equal(200);
      const [key, link, other] = receiver.mails;
      expect([key?.to, link?.to, other?.to]).to.deep.equal([[to], ['ada@now.example'], ['ada@other.example']]);
      const derived = await deriveLicenseKey(portsIn(service.container).licenseSecrets, nodePlatform)(id, aCall());
      expect(key?.parsed.text).to.include(derived).and.to.equal(other?.parsed.text);
      expect(link?.parsed.text).to.include('/license/links/').and.not.include(derived);
      expect(admin.changes.at(-1)).to.include({ command: 'license mail', entitlementId: id });
      const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
      expect(metrics).to.include('latchkey_mails_total{kind="sent",outcome="sent"} 3\n');
    });

    it('is refused where there is no key, no address or no answer', async () => {
      const { admin, shop, id, mail } = await selling();
      const code = async (body: object) => outcomeOf(await mail(body)).slice(0, 2);
      await shop.changeEmail(id, null);
      expect(await code({ what: 'key' })).to.deep.equal([409, 'buyer_address_unknown']);
      shop.expireKey();
      expect(await code({ what: 'link' })).to.deep.equal([500, 'stripe_unavailable']);
      expect((await mail({ what: 'link', to })).status).to.equal(200);
      shop.restoreKey();
      await admin.post(`/admin/entitlements/${id}/license/rotate`, {});
      expect(await code({ what: 'key' })).to.deep.equal([409, 'license_key_unknown']);
      await admin.post(`/admin/entitlements/${id}/license/revoke`);
      expect(await code({ what: 'key' })).to.deep.equal([404, 'license_not_found']);
      await admin.post(`/admin/entitlements/${id}/revoke`);
      expect(await code({ what: 'key' })).to.deep.equal([409, 'entitlement_ended']);
    });

    it('is that of lost keys, three an hour, also for a limited key', async () => {
      const { receiver, mail, service, admin, id } = await selling();
      await service.addOperatorKey(limitedKey, {
        id: 'opk_limited',
        products: ['prod_1'],
        scopes: ['admin:entitlements'],
      });
      const body = { what: 'keys' };
      const limited = await admin.send('POST', `/admin/entitlements/${id}/mail`, { key: limitedKey, body });
      expect([limited.status, dataOf(limited)]).to.deep.equal([200, { sentAt: null }]);
      for (const _ of [2, 3]) expect((await mail(body)).status).to.equal(200);
      const refused = await mail(body);
      expect(outcomeOf(refused).slice(0, 2)).to.deep.equal([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).to.be.within(3500, 3600);
      const sent = await eventually(
        async () => receiver.mails,
        ({ length }) => length === 3,
      );
      expect(sent.map((each) => each.to)).to.deep.equal([[to], [to], [to]]);
    });
  });

  describe('by commands', () => {
    it('sends a test and a link, and says why it does not', async () => {
      const receiver = await receiving();
      const address = await sqlite.address();
      stops.push(() => address.remove());
      const env = { SMTP_URL: receiver.url, MAIL_FROM: 'Sketchpad <keys@sketchpad.example>', PUBLIC_URL: publicUrl };
      const run = (line: string, more = {}) => runCommand(line, address.url, { env: { ...env, ...more } });
      await run('product add --id prod_1 --name Sketchpad');
      await run('entitlement grant --id ent_1 --product prod_1 --tier pro --tier-name Pro --interval month');
      const tested = await run(`mail test --to ${to} --json`);
      expect(tested.exitCode).to.equal(0);
      expect(JSON.parse(tested.stdout)).to.have.property('sentAt');
      const linked = await run(`license mail ent_1 --to ${to}`);
      expect([linked.exitCode, linked.stdout.includes(to), linked.stderr.includes(to)]).to.deep.equal([
        0,
        false,
        false,
      ]);
      expect(receiver.mails.map(({ parsed }) => parsed.subject)).to.deep.equal([
        'Mail from Latchkey arrives',
        'Your Sketchpad license',
      ]);
      expect(receiver.mails[1]?.parsed.text).to.match(
        /https:\/\/licenses\.sketchpad\.example\/license\/links\/[\w-]{43}/,
      );
      const withoutUrl = await run(`license mail ent_1 --to ${to}`, { PUBLIC_URL: '' });
      expect([linked, withoutUrl].map(({ stderr }) => stderr.includes('PUBLIC_URL is not set'))).to.deep.equal([
        false,
        true,
      ]);
      receiver.mails.pop();
      for (const [line, more, said] of [
        ['mail test --to nobody', {}, 'must be one e-mail address'],
        [`mail test --to ${to}`, { SMTP_URL: '', MAIL_FROM: '' }, 'SMTP_URL is not set'],
        [`mail test --to ${to}`, { SMTP_URL: 'smtp://127.0.0.1:1' }, 'The mail was not sent: failed (econnrefused).'],
        [`license mail ent_2 --to ${to}`, {}, 'There is no entitlement with this id'],
      ] as const) {
        const { exitCode, stderr } = await run(line, more);
        expect([exitCode, stderr.includes(said), stderr.includes(to)], stderr).to.deep.equal([1, true, false]);
      }
      expect(receiver.mails).to.have.length(2);
    });

    it('mails the buyer of a sale at the address that Stripe has', async () => {
      const receiver = await receiving();
      const shop = await fakeStripe();
      stops.push(() => shop.stop());
      shop.addPrice({ id: 'price_pro' });
      const { subscription: id } = await shop.subscribe({ price: 'price_pro', email: to });
      const address = await sqlite.address();
      stops.push(() => address.remove());
      const stripe = { STRIPE_API_KEY: shop.apiKey, STRIPE_API_BASE: shop.url };
      const env = { ...stripe, SMTP_URL: receiver.url, MAIL_FROM: 'keys@sketchpad.example', PUBLIC_URL: publicUrl };
      const run = (line: string) => runCommand(line, address.url, { env });
      await run('product add --id prod_1 --name Sketchpad');
      await run('stripe map add --price price_pro --product prod_1 --tier pro --tier-name Pro');
      await run('stripe reconcile --fix');
      for (const options of [' --what key', '', ` --what link --to ada@other.example`]) {
        const { exitCode, stderr } = await run(`license mail ${id}${options}`);
        expect([exitCode, stderr.includes('.example')], options).to.deep.equal([0, false]);
      }
      expect(receiver.mails.map((mail) => mail.to)).to.deep.equal([[to], [to], ['ada@other.example']]);
      expect(receiver.mails.map(({ parsed }) => /LK-/.test(parsed.text ?? ''))).to.deep.equal([true, false, false]);
      const unknown = await run(`license mail ${id} --what keys`);
      expect([unknown.exitCode, unknown.stderr.includes('must be key or link')]).to.deep.equal([2, true]);
      await run(`license rotate ${id}`);
      const replaced = await run(`license mail ${id} --what key`);
      expect([replaced.exitCode, replaced.stderr.includes('The key is not known here')]).to.deep.equal([1, true]);
    });
  });
});
