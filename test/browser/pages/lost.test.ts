import { expect } from 'chai';
import type { TestService } from '../../support/http/test-service.ts';
import { supportUrl } from '../../support/web/buyers.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectSound, keepScreenshot, openTab, screens, startSite, type Screen, type Tab } from './site.ts';

const unheard = { host: '127.0.0.1', port: 9, security: 'plain', credentials: null } as const;

describe('the page for lost keys, in a browser', () => {
  const browser = borrowChromium();
  let service: TestService;
  /** A tab with JavaScript, and one without. */
  let tab: Tab;
  let plain: Tab;

  before(async () => {
    service = await startSite({
      siteName: 'Sketchpad',
      siteHelp: supportUrl,
      stripeApiKey: 'sk_test_1',
      stripeApiBase: 'http://127.0.0.1:9',
      smtpUrl: unheard,
      mailFrom: { address: 'keys@sketchpad.example', name: null },
    });
    tab = await openTab(browser(), service);
    plain = await openTab(browser(), service, { javaScriptEnabled: false });
  });
  after(() => service.stop());

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    it(`is found from a key, without JavaScript, and leads to the mail, ${screen}`, async () => {
      const { page, complaints } = plain;
      await page.setViewportSize(screens[screen]);
      complaints.splice(0);
      await page.goto('/license');
      await page.getByRole('navigation').getByRole('link', { name: 'Lost your key?' }).click();
      await keepScreenshot(plain, 'lost');
      await page.getByLabel('E-mail address').fill('ada@');
      await page.getByRole('button', { name: 'Mail my keys' }).click();
      expect(await page.locator('#email-error').innerText()).to.include('valid e-mail address');
      await page.getByLabel('E-mail address').fill(`${screen}@example.com`);
      await page.getByRole('button', { name: 'Mail my keys' }).click();
      expect(await page.locator('h1').innerText()).to.equal('Look into your mail');
      expect(new URL(page.url()).pathname).to.equal('/license/lost/sent');
      await keepScreenshot(plain, 'lost-sent');
      await page.getByRole('link', { name: 'Try another address' }).click();
      expect(await page.getByLabel('E-mail address').inputValue()).to.equal('');
      expect(complaints.filter((each) => !each.includes('400'))).to.deep.equal([]);
    });
  }

  it('is sound', async () => {
    const { page } = tab;
    for (const path of ['/license/lost', '/license/lost/sent', `/license/links/${'A'.repeat(43)}`, '/license']) {
      await page.goto(path);
      await expectSound(tab);
    }
    await page.goto('/license/lost');
    await page.getByRole('button', { name: 'Mail my keys' }).click();
    await expectSound(tab);
  });
});
