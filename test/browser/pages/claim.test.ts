import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { portsIn } from '../../../app/service/container.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, day, noon } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { expectSound, launchOffline, openTab, screens, startSite, type Colors, type Screen } from './site.ts';

describe('the page after a purchase', () => {
  let browser: Browser;
  let shop: FakeStripe;
  let service: TestService;

  before(async () => {
    browser = await launchOffline();
    shop = await fakeStripe();
    service = await startSite({ stripeApiKey: shop.apiKey, stripeApiBase: shop.url });
    shop.follow({ now: () => service.now });
    shop.addPrice({ id: 'price_once', interval: null });
    const { products, priceMap } = portsIn(service.container);
    await products.put({ id: 'sketchpad', name: 'Sketchpad', createdAt: noon }, aCall());
    await priceMap.put({ price: 'price_once', productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' }, aCall());
  });
  after(async () => {
    await browser.close();
    await service.stop();
    await shop.stop();
  });

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    for (const colorScheme of ['light', 'dark'] as readonly Colors[]) {
      it(`shows the payment, the key and its end on a ${screen} screen in ${colorScheme} colors`, async () => {
        const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
        const tab = await openTab(browser, service, { viewport: screens[screen], colorScheme });
        const { page } = tab;
        await page.goto(`/claim?session_id=${session}`);
        expect(await page.locator('h1').innerText()).to.equal('Your payment is on its way');
        await expectSound(tab);
        await shop.settle(session);
        // What Stripe has answered is kept for five seconds.
        const shown = await eventually(
          async () => {
            await page.getByRole('link', { name: 'Look again' }).click();
            return page.locator('.license-key').count();
          },
          (count) => count > 0,
        );
        expect(shown).to.equal(1);
        expect(await page.locator('.license-key').innerText()).to.match(/^LK(?:-[0-9A-Z]{5}){6}$/);
        await expectSound(tab);
        service.now = new Date(service.now.getTime() + day);
        await page.reload();
        expect(await page.locator('main').innerText()).to.match(/It ends with [0-9A-Z]{4}\./);
        await expectSound(tab);
        await page.context().close();
      });
    }
  }
});
