import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall, day } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { sellAtStripe } from '../../support/stripe/stripe-sales.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { selectedText } from './in-page.js';
import { expectSound, keepScreenshot, openTab, startSite } from './site.ts';

const downloadUrl = 'https://sketchpad.example/download';

describe('the page after a purchase', () => {
  const browser = borrowChromium();
  let shop: FakeStripe;
  let service: TestService;

  before(async () => {
    shop = await fakeStripe();
    service = await startSite({
      stripeApiKey: shop.apiKey,
      stripeApiBase: shop.url,
      siteHelp: 'mailto:help@sketchpad.example',
    });
    shop.follow({ now: () => service.now });
    for (const id of ['price_once', 'price_new']) shop.addPrice({ id, interval: null });
    await sellAtStripe(portsIn(service.container), { downloadUrl });
  });
  after(async () => {
    await service.stop();
    await shop.stop();
  });

  /** A session in each state, and what its page says. */
  async function otherStates(): Promise<readonly (readonly [state: string, session: string, text: string])[]> {
    const grant = async (): Promise<string> => {
      const session = await shop.purchase({ price: 'price_once' });
      await (
        await fetch(`${service.url}/claim?session_id=${session}`, { headers: { Accept: 'application/json' } })
      ).text();
      return session;
    };
    const [suspended, refunded, ended] = [await grant(), await grant(), await grant()];
    const administration = administrationOf(portsIn(service.container), nodePlatform);
    const call = aCall({ now: service.now });
    await administration.runEntitlementCommand(suspended, { kind: 'suspend' }, call);
    await administration.runEntitlementCommand(ended, { kind: 'revoke' }, call);
    await administration.runEntitlementCommand(refunded, { kind: 'revoke' }, { ...call, by: 'stripe' });
    return [
      ['unmapped', await shop.purchase({ price: 'price_new' }), 'Paid. Your key is being prepared'],
      ['suspended', suspended, 'This license is suspended. The seller has put it on hold.'],
      ['refunded', refunded, 'Its key does not work any more.'],
      ['ended', ended, 'It ended on '],
      ['unknown', 'cs_test_unknown', 'No such purchase'],
    ];
  }

  it('shows the payment, the key and its end', async () => {
    const session = await shop.purchase({ price: 'price_once', payment: 'delayed' });
    const tab = await openTab(browser(), service);
    const { page } = tab;
    await page.goto(`/claim?session_id=${session}`);
    expect(await page.locator('h1').innerText()).to.equal('Your payment is on its way');
    await expectSound(tab);
    await shop.settle(session);
    // Answers of Stripe are kept for five seconds.
    const shown = await eventually(
      async () => {
        await page.getByRole('link', { name: 'Look again' }).click();
        return page.getByLabel('License key').count();
      },
      (count) => count > 0,
    );
    expect(shown).to.equal(1);
    const key = page.getByLabel('License key');
    const shownKey = await key.innerText();
    expect(shownKey).to.match(/^LK(?:-[0-9A-Z]{5}){6}$/);
    await key.click();
    expect(await page.evaluate(selectedText)).to.equal(shownKey);
    expect(await page.getByRole('link', { name: 'Download Sketchpad' }).getAttribute('href')).to.equal(downloadUrl);
    await keepScreenshot(tab, 'claim-ready');
    await expectSound(tab);
    service.now = new Date(service.now.getTime() + day);
    await page.reload();
    expect(await page.locator('main').innerText()).to.match(/It ends with [0-9A-Z]{4}\./);
    await expectSound(tab);
    await page.context().close();
  });

  it('shows every other state', async () => {
    const tab = await openTab(browser(), service);
    for (const [state, session, text] of await otherStates()) {
      await tab.page.goto(`/claim?session_id=${session}`);
      expect(await tab.page.locator('main').innerText()).to.include(text);
      expect(await tab.page.locator('nav a').allInnerTexts()).to.deep.equal(['Your license']);
      await expectSound(tab);
      await keepScreenshot(tab, `claim-${state}`);
    }
    await tab.page.context().close();
  });
});
