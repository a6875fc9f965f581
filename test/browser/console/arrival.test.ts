import { expect } from 'chai';
import { borrowChromium } from '../launch-chromium.ts';
import { measure } from '../pages/in-page.js';
import { screens, startSlowSite, tagByTag } from '../pages/site.ts';
import { press, shopOfSuite, signedIn } from './shop.ts';

describe('a page of the console that arrives tag by tag', () => {
  const browser = borrowChromium();
  const shop = shopOfSuite();

  for (const [screen, viewport] of Object.entries(screens)) {
    it(`stays where it is on a ${screen} screen, signed in and not`, async () => {
      await using slow = await startSlowSite(shop(), tagByTag);
      const { page } = await signedIn(browser(), shop(), {
        javaScriptEnabled: true,
        viewport,
        reducedMotion: 'no-preference',
      });
      await expectStays('/console/statements');
      await page.goto('/console/statements');
      await press(page, 'Sign out');
      await expectStays('/console/sign-in');
      await page.context().close();

      /** A cookie is for each port of its host. */
      async function expectStays(path: string): Promise<void> {
        await page.goto(`${slow.url}${path}`);
        expect(await page.locator('h1').isVisible()).to.equal(true);
        expect(new URL(page.url()).pathname).to.equal(path);
        const { layoutShifts } = await page.evaluate(measure);
        expect(layoutShifts, `${path}: ${JSON.stringify(layoutShifts)}`).to.deep.equal([]);
      }
    });
  }
});
