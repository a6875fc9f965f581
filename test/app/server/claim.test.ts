import { expect } from 'chai';
import { createStripeParts } from '../../../app/server/stripe-service.ts';
import { portsIn } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, aGrant, day } from '../../support/builders.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { range } from '../../support/range.ts';
import { memory } from '../../support/stores/stores.ts';
import { openShop, sellAtStripe } from '../../support/stripe/stripe-sales.ts';

interface Claimed {
  readonly state: string;
  readonly data: {
    readonly licenseKey: string | null;
    readonly lastFour: string | null;
    readonly entitlementId: string;
    readonly productId: string;
  } | null;
}

describe('GET /claim', () => {
  let shop: FakeStripe;
  let service: TestService;

  const settings = () => ({ ...defaultSettings, stripeApiKey: shop.apiKey, stripeApiBase: shop.url });

  async function start(options: ServiceOptions = {}): Promise<void> {
    const { stripeApiKey, stripeApiBase } = settings();
    service = await TestService.at(
      await memory.emptyAddress(),
      { stripeApiKey, stripeApiBase, ...options },
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

  const get = (query: string, accept = 'application/json'): Promise<Response> =>
    fetch(`${service.url}/claim${query}`, { headers: { Accept: accept } });
  const claim = async (session: string): Promise<Claimed['data']> => {
    const { data } = (await (await get(`?session_id=${session}`)).json()) as Claimed;
    return data;
  };
  /** The state in JSON and its key, and the text of the page about it. */
  const shownOf = async (session: string): Promise<readonly [number, string, string | null, string]> => {
    const answer = await get(`?session_id=${session}`);
    const { state, data } = (await answer.json()) as Claimed;
    return [
      answer.status,
      state,
      data?.licenseKey ?? null,
      textOf(await (await get(`?session_id=${session}`, 'text/html')).text()),
    ];
  };
  /** Looks at a session as an event does. */
  const look = async (session: string): Promise<void> => {
    const log = loggerTo({ write: () => undefined });
    const parts = await createStripeParts({ container: service.container, log }, settings());
    await parts.look(session, aCall({ now: service.now, by: 'stripe' }));
  };
  const idOf = async (session: string): Promise<string> => (await claim(session))?.entitlementId ?? '';
  const administration = () => administrationOf(portsIn(service.container), nodePlatform);
  /** The number of requests that Stripe gets meanwhile. */
  const requestsOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = shop.requests.length;
    await act();
    return shop.requests.length - before;
  };
  const subscribe = async (): Promise<string> => (await shop.subscribe({ price: 'price_pro' })).session ?? '';
  const grantedBy = async (session: string) =>
    (await service.stored()).find(({ id, reference }) => [id, reference].includes(session));

  it('grants what is paid, and shows the key that verifies, the same again', async () => {
    for (const session of [await subscribe(), await shop.purchase({ price: 'price_once' })]) {
      const data = await claim(session);
      const { id, license } = (await grantedBy(session)) ?? {};
      expect(data).to.deep.equal({
        licenseKey: data?.licenseKey,
        lastFour: license?.lastFour,
        entitlementId: id,
        productId: 'sketchpad',
      });
      expect(data?.licenseKey)
        .to.match(/^LK-/)
        .and.satisfy((key: string) => key.endsWith(license?.lastFour ?? '?'));
      const verified = await service.verify({ licenseKey: data?.licenseKey });
      expect(verified.body).to.include({ valid: true });
      expect(await claim(session)).to.deep.equal(data);
    }
  });

  it('shows the last four after a day, after another license and after its revocation', async () => {
    const session = await subscribe();
    const { licenseKey = null, ...rest } = (await claim(session)) ?? {};
    expect(licenseKey).to.match(/^LK-/);
    service.now = new Date(service.now.getTime() + day - 1);
    expect(await claim(session)).to.include({ licenseKey });
    service.now = new Date(service.now.getTime() + 1);
    expect(await claim(session)).to.deep.equal({ licenseKey: null, ...rest });
  });

  for (const change of ['rotateLicense', 'revokeLicense'] as const) {
    it(`shows the last four only after ${change}`, async () => {
      const session = await subscribe();
      const entitlementId = (await claim(session))?.entitlementId ?? '';
      if (change === 'revokeLicense') await administration().revokeLicense(entitlementId, aCall());
      else await administration().rotateLicense(entitlementId, null, aCall());
      const lastFour = (await grantedBy(session))?.license?.lastFour;
      expect(await claim(session)).to.include({ licenseKey: null, lastFour });
      const [status, state, , text] = await shownOf(session);
      expect([status, state]).to.deep.equal([200, change === 'revokeLicense' ? 'ended' : 'kept']);
      expect(text).to.include(
        change === 'revokeLicense'
          ? 'It ended on 18 July 2026. Its key does not work any more.'
          : 'Your license works. Its key was replaced by another one.',
      );
    });
  }

  it('shows no key of what a command has granted', async () => {
    const session = await subscribe();
    const [sold] = shop.events.filter(({ type }) => type === 'customer.subscription.created');
    const id = String(sold?.data.object['id']);
    const grant = aGrant({ productId: 'sketchpad', reference: session });
    const ports = portsIn(service.container);
    const licenseKey = await deriveLicenseKey(ports.licenseSecrets, nodePlatform)(id, aCall());
    await administrationOf(ports, nodePlatform).grantEntitlement({ grant, id, licenseKey }, aCall());
    expect(await claim(session)).to.include({ licenseKey: null, entitlementId: id });
  });

  it('answers 202 until it is paid', async () => {
    const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
    const answer = await get(`?session_id=${session}`);
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([202, '5']);
    expect(((await answer.json()) as Claimed).data).to.equal(null);
    await shop.settle(session);
    expect(await claim(session)).to.equal(null);
    service.now = new Date(service.now.getTime() + 5000);
    expect((await claim(session))?.licenseKey).to.match(/^LK-/);
  });

  it('asks Stripe once for all claims of a session, and keeps what it says for five seconds', async () => {
    const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
    const once = await requestsOf(() => get(`?session_id=${session}`));
    service.now = new Date(service.now.getTime() + 5000);
    for (const [asked, inOne] of [
      [session, once],
      ['cs_test_unknown', 1],
    ] as const) {
      const began = performance.now();
      const sent = await requestsOf(() => Promise.all(range(150).map(() => get(`?session_id=${asked}`))));
      const looks = 1 + Math.floor((performance.now() - began) / 5000);
      expect(sent).to.be.within(1, looks * inOne);
    }
  });

  it('asks Stripe nothing about what is granted, however often, and although the address has no claim left', async () => {
    const sessions = [await subscribe(), await shop.purchase({ price: 'price_once' })];
    for (const session of sessions) await claim(session);
    for (const number of range(30)) await get(`?session_id=cs_test_${number}`);
    const shown = async (): Promise<void> => {
      for (const session of sessions) {
        const answers = await Promise.all(range(50).map(() => claim(session)));
        for (const data of answers) expect(data?.licenseKey).to.match(/^LK-/);
      }
    };
    expect(await requestsOf(shown)).to.equal(0);
  });

  it('shows what an event has granted while it was not paid a moment ago', async () => {
    const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
    expect(await claim(session)).to.equal(null);
    await shop.settle(session);
    await look(session);
    expect((await claim(session))?.licenseKey).to.match(/^LK-/);
  });

  it('counts every claim that asks Stripe, not only those of unknown sessions', async () => {
    for (const _ of range(30)) {
      const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
      expect((await get(`?session_id=${session}`)).status).to.equal(202);
    }
    const session = await shop.purchase({ price: 'price_once' });
    const refused = await get(`?session_id=${session}`);
    expect([refused.status, refused.headers.get('error-code')]).to.deep.equal([429, 'rate_limited']);
  });

  it('asks Stripe at most ten times a second, whatever the addresses, and claims that come at once wait', async () => {
    await service.stop();
    await start({ trustedProxies: ['loopback'] });
    const from = (index: number): Promise<Response> =>
      fetch(`${service.url}/claim?session_id=cs_test_${index}`, {
        headers: { Accept: 'application/json', 'X-Forwarded-For': `198.51.100.${index}` },
      });
    const began = performance.now();
    const answers = await Promise.all(range(25).map(from));
    expect(answers.map(({ status }) => status)).to.deep.equal(range(25).map(() => 404));
    const seconds = (performance.now() - began) / 1000;
    expect(seconds).to.be.above(1.9);
  }).timeout(30_000);

  it('asks Stripe nothing about a malformed session', async () => {
    for (const query of [
      '',
      '?session_id=',
      '?session_id=sub_1',
      '?session_id=cs_1&session_id=cs_2',
      '?session_id=cs_%2F',
    ]) {
      const answer = await get(query);
      expect([answer.status, answer.headers.get('error-code')]).to.deep.equal([400, 'malformed_checkout_session']);
    }
    expect(shop.requests).to.deep.equal([]);
  });

  it('answers 500 while Stripe is down, and grants afterwards', async () => {
    const session = await subscribe();
    shop.faults.answer('*', 500, { times: 2 });
    const answer = await get(`?session_id=${session}`);
    expect([answer.status, answer.headers.get('error-code')]).to.deep.equal([500, 'stripe_unavailable']);
    shop.faults.clear();
    expect((await claim(session))?.licenseKey).to.match(/^LK-/);
  });

  it('lets a client have 30 sessions asked about in a minute', async () => {
    const session = await subscribe();
    const answers = await Promise.all(range(30).map((number) => get(`?session_id=cs_test_${number}`)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([404]));
    const asked = shop.requests.length;
    const refused = await get(`?session_id=${session}`);
    expect([refused.status, refused.headers.get('error-code')]).to.deep.equal([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect(shop.requests.length).to.equal(asked);
  });

  it('tells no cache, referrer, search engine or log, whatever it answers', async () => {
    const session = await shop.purchase({ price: 'price_once' });
    const queries = [`?session_id=${session}`, '?session_id=cs_test_unknown', '?session_id=1'];
    for (const accept of ['application/json', 'text/html']) {
      for (const query of queries) {
        const { headers } = await get(query, accept);
        expect(headers.get('content-type')).to.match(new RegExp(`^${accept}`));
        const hidden = ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => headers.get(name));
        expect(hidden).to.deep.equal(['no-store', 'no-referrer', 'noindex']);
        expect(headers.get('etag')).to.equal(null);
      }
    }
    expect(JSON.stringify(service.logged)).not.to.include(session);
  });

  it('is a page for a browser, which shows the key and not the session', async () => {
    const session = await subscribe();
    const key = (await claim(session))?.licenseKey ?? '';
    const text = await (await get(`?session_id=${session}`, 'text/html')).text();
    expect(text).to.include(key).and.not.include(session);
  });

  it('says ready and until when, and kept after a day', async () => {
    for (const session of [await subscribe(), await shop.purchase({ price: 'price_once' })]) {
      const began = service.now;
      const [status, state, key, text] = await shownOf(session);
      expect([status, state, typeof key]).to.deep.equal([200, 'ready', 'string']);
      expect(text)
        .to.include('Thank you. This is your license key.')
        .and.include(`License key${key} Click the key to select all of it`)
        .and.match(/Sketchpad Pro, (monthly|bought once)/);
      service.now = new Date(began.getTime() + day);
      const kept = await shownOf(session);
      expect(kept.slice(0, 3)).to.deep.equal([200, 'kept', null]);
      expect(kept[3])
        .to.include('Your license works. Its key was shown here for a day.')
        .and.include(`It ends with ${key?.slice(-4)}.`)
        .and.not.include(key ?? '');
      service.now = began;
    }
  });

  it('leads to the download and the help of the product, else to the help of the site, else to neither', async () => {
    const session = await subscribe();
    const pageOf = async (): Promise<string> => (await get(`?session_id=${session}`, 'text/html')).text();
    expect(await pageOf())
      .to.include('Start <bdi>Sketchpad</bdi>.')
      .and.not.include('Ask for help')
      .and.not.include('>Download');
    const links = {
      ...plainFacts,
      downloadUrl: 'https://sketchpad.example/get',
      supportUrl: 'https://help.sketchpad.example',
      activateUrl: 'sketchpad://activate?key={key}',
    };
    expect(await pageOf()).to.not.include('Open in');
    await administration().putProduct('sketchpad', { name: 'Sketchpad', ...links }, aCall());
    expect(await pageOf()).to.match(/href="sketchpad:\/\/activate\?key=LK-[^"]+"\s*>Open in <bdi>Sketchpad<\/bdi>/);
    expect(await (await get(`?session_id=${session}`)).text()).to.not.include('sketchpad:');
    expect(await pageOf())
      .to.include(`<a class="button primary" href="${links.downloadUrl}" rel="noopener">Download Sketchpad</a>`)
      .and.match(new RegExp(`<a href="${links.supportUrl}"\\s+rel="noopener"\\s*>Ask for help</a>`));
    await service.stop();
    await start({ siteHelp: 'mailto:help@shop.example', siteImageHosts: ['cdn.example'] });
    const other = await subscribe();
    const text = await (await get(`?session_id=${other}`, 'text/html')).text();
    expect(text)
      .to.match(/<a href="mailto:help@shop.example"\s*>Ask for help<\/a>/)
      .and.not.include('<img');
    for (const iconUrl of ['https://other.example/1.png', 'https://cdn.example/1.png']) {
      await administration().putProduct('sketchpad', { name: 'Sketchpad', ...links, iconUrl }, aCall());
      const answer = await get(`?session_id=${other}`, 'text/html');
      expect((await answer.text()).includes(`<img src="${iconUrl}" alt=""`)).to.equal(iconUrl.includes('cdn'));
      expect(answer.headers.get('Content-Security-Policy')).to.include("img-src 'self' data: https://cdn.example;");
    }
    expect(await (await get(`?session_id=${other}`)).text()).to.not.include('cdn.example');
  });

  it('asks whether a key is lost only where the buyer can ask for another one', async () => {
    const session = await subscribe();
    const links = { ...plainFacts, downloadUrl: 'https://sketchpad.example/get' };
    await administration().putProduct('sketchpad', { name: 'Sketchpad', ...links }, aCall());
    await shownOf(session);
    const began = service.now;
    service.now = new Date(began.getTime() + day);
    const pageOf = async (): Promise<string> => (await get(`?session_id=${session}`, 'text/html')).text();
    expect(await pageOf())
      .to.include(`<a class="button" href="${links.downloadUrl}" rel="noopener">Download Sketchpad</a>`)
      .and.not.include('Lost it?');
    const supportUrl = 'https://help.sketchpad.example';
    await administration().putProduct('sketchpad', { name: 'Sketchpad', ...links, supportUrl }, aCall());
    expect(await pageOf())
      .to.include('Lost it?')
      .and.include('>Download Sketchpad');
    service.now = began;
  });

  for (const [what, takeBack, says] of [
    ['a refund', (session: string) => shop.refund(session), 'This purchase was refunded on 18 July 2026. Its key'],
    [
      'a lost dispute',
      async (session: string) => {
        await shop.dispute(session);
        await shop.closeDispute(session, 'lost');
      },
      'Your bank took the payment back on 18 July 2026. The key',
    ],
  ] as const) {
    it(`says refunded after ${what} of a purchase, and shows no key`, async () => {
      const session = await shop.purchase({ price: 'price_once' });
      expect((await shownOf(session))[1]).to.equal('ready');
      await takeBack(session);
      await look(session);
      const [status, state, key, text] = await shownOf(session);
      expect([status, state, key]).to.deep.equal([200, 'refunded', null]);
      expect(text).to.include(`${says} does not work any more.`);
      expect((await claim(session))?.lastFour).to.match(/^[0-9A-Z]{4}$/);
    });
  }

  it('says suspended and why, for each cause, and ready again when none is left', async () => {
    const session = await subscribe();
    const id = (await claim(session))?.entitlementId ?? '';
    await shop.refund(id);
    await look(session);
    const paid = 'This license is suspended. Its payment was refunded.';
    const held = 'The seller has put it on hold.';
    const suspended = await shownOf(session);
    expect(suspended.slice(0, 3)).to.deep.equal([200, 'suspended', null]);
    expect(suspended[3]).to.include(paid).and.not.include(held);
    await administration().runEntitlementCommand(id, { kind: 'suspend' }, aCall());
    expect((await shownOf(session))[3])
      .to.include(held)
      .and.include('Its payment was refunded.');
    await shop.renew(id);
    await look(session);
    expect((await shownOf(session))[3]).to.include(`This license is suspended. ${held}`);
    await administration().runEntitlementCommand(id, { kind: 'reinstate' }, aCall());
    expect((await shownOf(session))[1]).to.equal('ready');
  });

  it('says ended and when, after a revocation, a cancellation and an end by the clock', async () => {
    const [revoked, canceled, expired] = [await subscribe(), await subscribe(), await subscribe()];
    for (const session of [revoked, canceled, expired]) expect((await shownOf(session))[1]).to.equal('ready');
    await administration().runEntitlementCommand(await idOf(revoked), { kind: 'revoke' }, aCall());
    await shop.end(await idOf(canceled));
    await look(canceled);
    for (const session of [revoked, canceled]) {
      const [status, state, key, text] = await shownOf(session);
      expect([status, state, key]).to.deep.equal([200, 'ended', null]);
      expect(text).to.include('It ended on 18 July 2026. Its key does not work any more.');
    }
    service.now = new Date(service.now.getTime() + 60 * day);
    expect((await shownOf(expired)).slice(0, 3)).to.deep.equal([200, 'ended', null]);
  });

  it('says unpaid and unmapped, with 202 and no data', async () => {
    shop.addPrice({ id: 'price_new', interval: null });
    for (const [session, state, heading] of [
      [await shop.purchase({ price: 'price_once', payment: 'delayed' }), 'unpaid', 'Your payment is on its way'],
      [await shop.purchase({ price: 'price_new' }), 'unmapped', 'Paid. Your key is being prepared'],
    ] as const) {
      const { state: said, data, ...rest } = (await (await get(`?session_id=${session}`)).json()) as Claimed;
      expect([said, data]).to.deep.equal([state, null]);
      expect(rest).to.have.all.keys('success', 'correlationId');
      expect(await shownOf(session)).to.deep.include(202);
      expect((await shownOf(session))[3])
        .to.include(heading)
        .and.include('Look again');
    }
  });

  it('says that a payment has failed for good, with 200 and no data', async () => {
    const debit = await shop.purchase({ price: 'price_once', payment: 'delayed' });
    await shop.settle(debit, 'fails');
    const left = await shop.purchase({ price: 'price_once', payment: 'never' });
    expect((await shownOf(left)).slice(0, 2)).to.deep.equal([202, 'unpaid']);
    await shop.expire(left);
    const { subscription, session: incomplete } = await shop.subscribe({ price: 'price_pro', payment: 'fails' });
    await shop.stopRetries(subscription, 'incomplete_expired');
    service.now = new Date(service.now.getTime() + 10_000);
    for (const session of [debit, left, incomplete ?? '']) {
      const { state, data } = (await (await get(`?session_id=${session}`)).json()) as Claimed;
      expect([state, data]).to.deep.equal(['failed', null]);
      const [status, , , text] = await shownOf(session);
      expect(status).to.equal(200);
      expect(text).to.include('Your payment has failed').and.not.include('Look again');
    }
  });

  it('says that there is no such purchase, for a session that is unknown or malformed', async () => {
    for (const [query, status, code] of [
      ['?session_id=cs_test_unknown', 404, 'checkout_session_not_found'],
      ['?session_id=1', 400, 'malformed_checkout_session'],
    ] as const) {
      const answer = await get(query, 'text/html');
      expect([answer.status, answer.headers.get('error-code')]).to.deep.equal([status, code]);
      expect(textOf(await answer.text()))
        .to.include('No such purchase')
        .and.include(`${status} ${code}`);
    }
  });

  it('has the head of the buyers, and no way to the marketplace, whatever it answers', async () => {
    const sessions = [await subscribe(), await shop.purchase({ price: 'price_once', payment: 'delayed' })];
    const queries = [...sessions.map((session) => `?session_id=${session}`), '?session_id=cs_test_unknown', ''];
    for (const query of queries) {
      const text = await (await get(query, 'text/html')).text();
      expect(text)
        .to.match(/<a class="brand" href="\/license"/)
        .and.include('Your license</a>')
        .and.not.match(/href="\/(?:["?w]|listings)/);
    }
  });

  it('is JSON for everybody without pages, and a page for a browser with those of buyers', async () => {
    for (const pages of ['off', 'buyers'] as const) {
      await service.stop();
      await start({ pages });
      const session = await subscribe();
      for (const query of [`?session_id=${session}`, '?session_id=cs_test_unknown']) {
        const type = (await get(query, 'text/html')).headers.get('content-type');
        expect(type).to.match(pages === 'off' ? /^application\/json/ : /^text\/html/);
        expect((await get(query)).headers.get('content-type')).to.match(/^application\/json/);
      }
      expect((await claim(session))?.licenseKey).to.match(/^LK-/);
    }
  });

  it('is not there without Stripe', async () => {
    for (const pages of ['on', 'buyers', 'off'] as const) {
      await service.stop();
      await start({ pages, stripeApiKey: null });
      expect((await get('?session_id=cs_test_1')).status).to.equal(404);
    }
  });
});

/** The text of a page, as it is read. */
function textOf(page: string): string {
  return page.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}
