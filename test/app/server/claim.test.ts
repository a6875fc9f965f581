import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, day, noon } from '../../support/builders.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { range } from '../../support/range.ts';
import { stores } from '../../support/stores/stores.ts';

interface Claimed {
  readonly data: {
    readonly licenseKey: string | null;
    readonly lastFour: string | null;
    readonly entitlementId: string;
    readonly productId: string;
  } | null;
}

async function sellPro({ products, priceMap }: StorePorts): Promise<void> {
  await products.put({ id: 'sketchpad', name: 'Sketchpad', createdAt: noon }, aCall());
  for (const price of ['price_pro', 'price_once']) {
    await priceMap.put({ price, productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' }, aCall());
  }
}

for (const store of stores) {
  describe(`GET /claim, on the ${store.name} store`, () => {
    let shop: FakeStripe;
    let service: TestService;

    async function start(options: ServiceOptions = {}): Promise<void> {
      const settings = { stripeApiKey: shop.apiKey, stripeApiBase: shop.url, ...options };
      service = await TestService.at(await store.address(), settings, sellPro);
      shop.follow({ now: () => service.now });
      shop.addPrice({ id: 'price_pro' });
      shop.addPrice({ id: 'price_once', interval: null });
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
        const administration = administrationOf(portsIn(service.container), nodePlatform);
        if (change === 'revokeLicense') await administration.revokeLicense(entitlementId, aCall());
        else await administration.rotateLicense(entitlementId, null, aCall());
        const lastFour = (await grantedBy(session))?.license?.lastFour;
        expect(await claim(session)).to.include({ licenseKey: null, lastFour });
      });
    }

    it('shows no key of what a command has granted', async () => {
      const session = await subscribe();
      const [sold] = shop.events.filter(({ type }) => type === 'customer.subscription.created');
      const id = String(sold?.data.object['id']);
      const sketchpad = { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro', standing: 'active' } as const;
      const period = {
        billingInterval: 'month',
        billingIntervalCount: 1,
        currentPeriodStart: null,
        currentPeriodEnd: null,
      } as const;
      const grant = { kind: 'subscription', ...sketchpad, ...period, reference: session, grace: 0 } as const;
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
      expect((await claim(session))?.licenseKey).to.match(/^LK-/);
    });

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

    it('lets a client ask for 30 unknown sessions a minute, and others for theirs', async () => {
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

    it('is not there without Stripe or without pages', async () => {
      for (const options of [{ stripeApiKey: null }, { pages: 'off' } as const]) {
        await service.stop();
        await start(options);
        expect((await get('?session_id=cs_test_1')).status).to.equal(404);
      }
    });
  });
}
