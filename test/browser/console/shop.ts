import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { startReceiver } from '../../../app/demo/receiver.ts';
import { addSampleData } from '../../../app/demo/sample-data.ts';
import { addShop } from '../../../app/demo/shop-data.ts';
import { createDeliveries } from '../../../app/server/deliveries.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { platformReaching } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { trialOf } from '../../../core/trial/trial.ts';
import type { StreamBacklog } from '../../../core/webhook/show-webhook-backlog.ts';
import {
  addStatement,
  anAffiliate,
  aPayment,
  aPromotion,
  aSale,
  aStatement,
} from '../../support/affiliates/builders.ts';
import { addPromoted } from '../../support/affiliates/promoted-site.ts';
import { aCall, day, later, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { json } from '../../support/http/requests.ts';
import { TestService, type ServiceOptions } from '../../support/http/test-service.ts';
import { loopback, MovedClock } from '../../support/webhooks/deliveries.ts';
import { openTab, screens, type Tab } from '../pages/site.ts';

/** The shop of the demo, and the console to run it by. */
export interface Shop extends AsyncDisposable {
  readonly service: TestService;
  readonly clock: MovedClock;
  readonly administration: Administration;
  /** The operator key of the demo, which has every scope. */
  readonly operatorKey: string;
  /** The license key of `ent_demo`. */
  readonly licenseKey: string;
  readonly appKeyId: string;
  /** A device of `ent_demo`. */
  readonly device: string;
  /** A trial of `sketchpad`. */
  readonly trial: string;
  /** The address of the admin port. */
  readonly url: string;
}

const ofCleo = { handle: 'cleo', productId: 'sketchpad', month: '2026-05', closedAt: noon };

/** A statement to pay. */
export const owed = aStatement(ofCleo);

/** A statement that was paid, and one that is carried over. */
export const otherStatements = [
  aStatement({ ...ofCleo, currency: 'eur', paid: { at: noon, method: 'PayPal', reference: '7XK' }, revision: 2 }),
  aStatement({ ...ofCleo, currency: 'gbp', total: -540, balance: -540 }),
] as const;

/** The statements, a sale to close, one that waits for its confirmation, and one that is void. */
async function addStatements(ports: StorePorts): Promise<void> {
  for (const statement of [owed, ...otherStatements]) await addStatement(ports, statement);
  const paidAt = later(-60 * day);
  const { handle, productId } = ofCleo;
  const sold = { handle, productId, slug: 'quiet-editor', attributedAt: paidAt, payments: [aPayment({ paidAt })] };
  for (const [entitlementId, confirmedAt] of [
    ['ent_sale_2', noon],
    ['ent_sale_3', paidAt],
  ] as const) {
    await ports.sales.replace(null, aSale({ ...sold, entitlementId, confirmedAt }), null, aCall());
  }
  const voided = { at: noon, by: 'operator:opk_demo', reason: 'own_purchase' } as const;
  await ports.sales.replace(null, aSale({ ...sold, entitlementId: 'ent_past_due', voided }), null, aCall());
}

/** A shop for the calling suite. */
export function shopOfSuite(): () => Shop {
  let shop: Shop;
  before(async () => {
    shop = await startShop();
  });
  after(() => shop[Symbol.asyncDispose]());
  return () => shop;
}

/** @cleo, who promotes a listing and asks for another, and @dora, who has ended. */
async function addAffiliates({ affiliates, listings, allListings, promotions }: StorePorts): Promise<void> {
  const slugs = ['quiet-editor', 'ledgerline'];
  for (const slug of slugs) {
    const listing = await allListings.find(slug, aCall());
    if (listing === null) throw new Error(`the demo has no listing ${slug}`);
    const sold = {
      productId: 'sketchpad',
      affiliates: 'ask',
      saleUrl: 'https://buy.example/',
      commissionFor: 12,
    } as const;
    await listings.put([{ ...listing, ...sold }], aCall());
  }
  const [live = '', asked = ''] = slugs;
  const cleo = { handle: 'cleo', productId: 'sketchpad' };
  await addPromoted(
    { affiliates, promotions },
    {
      affiliates: [anAffiliate({ handle: 'cleo', name: 'Cleo' }), anAffiliate({ handle: 'dora', state: 'ended' })],
      promotions: [
        aPromotion({ ...cleo, slug: live, codes: ['cleo20'] }),
        aPromotion({ ...cleo, slug: asked, state: 'asked', terms: [] }),
      ],
    },
  );
}

export async function startShop(options: ServiceOptions = {}): Promise<Shop> {
  const { ports, ...store } = openMemoryStore(retentionFor(defaultTtl));
  const receiver = await startReceiver();
  const administration = administrationOf(ports, platformReaching(loopback));
  await addShop(administration, { makersUrl: 'https://makers.example', prices: [] }, aCall());
  const { operatorKey, licenseKey } = await addSampleData(administration, administration, receiver, aCall());
  await ports.waitlist.join(
    { email: 'ada@example.com', name: 'Ada', handle: '@ada', role: 'creator', at: noon },
    aCall(),
  );
  await addAffiliates(ports);
  await addStatements(ports);
  const { items } = await administration.listAppKeys('sketchpad', { limit: 1, after: null }, aCall());
  const clock = new MovedClock();
  const service = await TestService.start(
    { ...store, ports },
    { adminPort: 0, webhookAllowNetworks: loopback, clock: clock.now, ...options },
  );
  const log = loggerTo({ write: (line) => void service.logged.push(JSON.parse(line)) });
  const deliveries = createDeliveries(
    { container: service.container, clock: clock.now, log },
    { storeDeadline: 30_000, webhooks: 'on', webhookAllowNetworks: loopback },
    () => performance.now(),
  );
  deliveries?.start();
  await settleDeliveries(administration);
  const device = await activateDevice(service, licenseKey);
  const trial = await startTrial(service);
  return {
    service,
    clock,
    administration,
    operatorKey,
    licenseKey,
    appKeyId: items[0]?.id ?? '',
    device,
    trial,
    url: service.adminUrl ?? '',
    async [Symbol.asyncDispose]() {
      await deliveries?.stop(1000);
      await service.stop();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

async function activateDevice(service: TestService, licenseKey: string): Promise<string> {
  const body = JSON.stringify({ licenseKey, deviceId: '4f9c2f6a1d5e47d0', deviceName: 'The laptop of Ada' });
  const { status } = await service.send('/api/licenses/activate', { method: 'POST', headers: [json], body });
  expect(status).to.equal(200);
  return deviceOf('ent_demo', '4f9c2f6a1d5e47d0', digest);
}

async function startTrial(service: TestService): Promise<string> {
  const body = JSON.stringify({ productId: 'sketchpad', deviceId: '4f9c2f6a1d5e47d0' });
  const { status } = await service.send('/api/licenses/trial', { method: 'POST', headers: [json], body });
  expect(status).to.equal(200);
  return trialOf('sketchpad', '4f9c2f6a1d5e47d0', digest);
}

/** Waits for the first deliveries, because pages differ before and after them. */
async function settleDeliveries({ showWebhookBacklog }: Administration): Promise<void> {
  const { streams: arriving } = await eventually(
    () => showWebhookBacklog('whk_demo', aCall()),
    ({ streams }) => streams.some(({ stream }) => stream.deliveredAt !== null) && streams.every(isEmpty),
  );
  expect(arriving.every(isEmpty), 'the events of whk_demo have arrived').to.equal(true);
  const { streams: failing } = await eventually(
    () => showWebhookBacklog('whk_broken', aCall()),
    ({ streams }) => streams.some(isFailing),
  );
  expect(failing.some(isFailing), 'whk_broken is failing').to.equal(true);
}

function isEmpty({ waiting }: StreamBacklog): boolean {
  return waiting === 0;
}

function isFailing({ stream }: StreamBacklog): boolean {
  return stream.failingSince !== null;
}

/** Opens a tab on the console, signed in with a key. */
export async function signedIn(
  browser: Browser,
  shop: Shop,
  options: BrowserContextOptions = {},
  key = shop.operatorKey,
): Promise<Tab> {
  const tab = await openTab(browser, shop, { javaScriptEnabled: false, viewport: screens.wide, ...options });
  await tab.page.goto('/console');
  await signIn(tab.page, key);
  return tab;
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Operator key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Follows the first link whose text begins so. */
export function follow(page: Page, text: string): Promise<void> {
  return page
    .getByRole('link', { name: new RegExp(`^${text}`) })
    .first()
    .click();
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click();
}

export async function expectHeading(page: Page, text: string): Promise<void> {
  expect(await page.locator('h1').textContent()).to.equal(text);
}
