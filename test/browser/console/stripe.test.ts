import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startStripeDeliveries } from '../../../app/server/stripe-deliveries.ts';
import { portsIn } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { hour } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectSound, keepScreenshot, openTab, screens, startSite, type Screen, type Tab } from '../pages/site.ts';
import { expectHeading, follow, press, signIn } from './shop.ts';

function main(page: Page): Promise<string> {
  return page.locator('main').innerText();
}

/** Makes a change: the link, what its page says, and the button. */
async function change(page: Page, link: string, says: string, button: string): Promise<void> {
  await follow(page, link);
  await page.waitForURL(`**/${link.toLowerCase()}`);
  expect(await main(page)).to.include(says);
  await press(page, button);
  await page.waitForURL('**?done=*');
}

/** Loads the page again until it says so. */
async function expectSays(page: Page, ...texts: readonly string[]): Promise<void> {
  const says = (text: string): boolean => texts.every((each) => text.includes(each));
  const shown = await eventually(async () => {
    await page.reload();
    return main(page);
  }, says);
  for (const text of texts) expect(shown).to.include(text);
}

describe('a subscription of Stripe on the console in a browser', () => {
  const browser = borrowChromium();
  let shop: FakeStripe;
  let service: TestService;
  let stopDeliveries: (timeout: number) => Promise<void>;

  beforeEach(async () => {
    shop = await fakeStripe();
    const settings = sellingAt(shop);
    service = await startSite({ adminPort: 0, ...settings });
    await service.addOperatorKey(operatorKeys.full);
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    await sellAtStripe(portsIn(service.container));
    stopDeliveries = await startStripeDeliveries(
      {
        container: service.container,
        clock: () => service.now,
        log: loggerTo({ write: (line) => void service.logged.push(JSON.parse(line)) }),
      },
      { ...defaultSettings, ...settings },
      { monotonicClock: () => performance.now(), isPaused: () => false },
      new AbortController().signal,
    );
  });
  afterEach(async () => {
    await stopDeliveries(0);
    await service.stop();
    await shop.stop();
  });

  const moveClock = (milliseconds: number): void => {
    service.now = new Date(service.now.getTime() + milliseconds);
  };

  /** Opens a tab on a subscription. */
  async function opened(id: string, screen: Screen = 'wide'): Promise<Tab> {
    const site = { url: service.adminUrl ?? '' };
    const tab = await openTab(browser(), site, { viewport: screens[screen] });
    await tab.page.goto(`/console/entitlements/${id}`);
    await signIn(tab.page, operatorKeys.full);
    await tab.page.waitForURL(`**/entitlements/${id}`);
    return tab;
  }

  it('is suspended, reinstated and revoked at Stripe too, with a renewal by Stripe between', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const tab = await opened(id);
    const { page } = tab;
    await expectSays(page, 'Stripe charges US$9.00 again on 18 August.', 'A week more');
    expect(await page.getByRole('link', { name: /^(Extend|Change tier)/ }).count()).to.equal(0);

    await page.goto(`/console/entitlements/${id}/renew`);
    await expectHeading(page, 'Stripe decides the period');
    expect(await main(page)).to.match(/Nothing was changed\. 409 managed_by_stripe/);
    const address = await page.getByRole('link', { name: 'Open at Stripe' }).getAttribute('href');
    expect(address).to.equal(`https://dashboard.stripe.com/test/subscriptions/${id}`);
    await page.goto(`/console/entitlements/${id}`);

    await change(page, 'Suspend', 'US$9.00 again on 18 August 2026', 'Suspend entitlement');
    await expectSays(page, 'Stripe collects nothing while it is suspended.', 'Our suspension', 'Arrived');
    expect(shop.object(id)).to.deep.include({ metadata: { latchkey_paused: 'true' } });

    await change(page, 'Reinstate', 'Nothing is collected', 'Reinstate entitlement');
    await expectSays(page, 'Stripe charges US$9.00 again on 18 August.', 'Our reinstatement', 'Arrived');

    service.now = new Date('2026-08-18T12:00:00.000Z');
    await shop.renew(id);
    await page.goto(`/console/entitlements/${id}`);
    await signIn(page, operatorKeys.full);
    await page.waitForURL(`**/entitlements/${id}`);
    await expectSays(page, 'Renewed to 18 September', 'Stripe charges US$9.00 again on 18 September.');
    await expectSays(page, 'by Stripe · event evt_', 'Last payment', 'US$9.00 on 18 August');

    await change(page, 'Revoke', 'The subscription at Stripe ends at once.', 'Revoke entitlement');
    await expectSays(page, 'Stripe charges nothing more.', 'Our revocation', 'Arrived');
    expect(shop.object(id)).to.include({ status: 'canceled' });
    // Chromium says so of the page of what Stripe decides.
    expect(tab.complaints).to.deep.equal([
      'Failed to load resource: the server responded with a status of 409 (Conflict)',
    ]);
    await page.context().close();
  });

  it('shows a revocation on its way and refused, and the way to end it at Stripe, until it has ended', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    // The library repeats a request that was answered 503.
    shop.faults.answer('DELETE /v1/subscriptions/:id', 503, { times: 2 });
    shop.faults.answer('DELETE /v1/subscriptions/:id', 400);
    const tab = await opened(id, 'phone');
    const { page } = tab;
    const [sold, actions] = [page.locator('.sold'), page.locator('#actions')];
    expect((await sold.boundingBox())?.y).to.be.lessThan((await actions.boundingBox())?.y ?? 0);
    await change(page, 'Revoke', 'US$9.00 again on 18 August 2026', 'Revoke entitlement');
    await expectSays(page, 'Stripe does not know of the revocation yet.', 'tried once, Stripe answered 503');
    await expectSays(page, 'Waiting\nStripe, answered 503, next attempt in');
    await expectSound(tab);

    moveClock(hour / 60);
    await expectSays(page, 'Stripe goes on charging.', 'Our revocation', 'Refused', 'Stripe, answered 400');
    await expectSays(page, 'End the subscription');
    await keepScreenshot(tab, 'console-stripe-refused-phone');
    await expectSound(tab);
    await page.goto('/console');
    await expectSays(page, `${id} is charged after its revocation`, 'Stripe has refused to end it.');

    await shop.end(id);
    await expectSays(page, 'Nothing needs you');
    await page.goto(`/console/entitlements/${id}`);
    await expectSays(page, 'Stripe charges nothing more.');
    expect(tab.complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('says why Stripe has taken access and given it back', async () => {
    const { subscription: id } = await shop.subscribe({ price: 'price_pro' });
    const tab = await opened(id);
    const { page } = tab;
    await shop.dispute(id);
    await expectSays(page, 'Suspended: the payment was disputed');
    await shop.closeDispute(id, 'won');
    await expectSays(page, 'Reinstated: the dispute was won');
    await keepScreenshot(tab, 'console-stripe-wide');
    await expectSound(tab);
    await page.context().close();
  });
});
