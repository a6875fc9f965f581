import type { Browser } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { keepScreenshot, screens, type Colors, type Screen } from '../pages/site.ts';
import { signedIn, startShop, type Shop } from './shop.ts';

/** The pages that the documents show. */
const pictures: readonly (readonly [name: string, path: string])[] = [
  ['console-overview', '/console'],
  ['console-entitlements', '/console/entitlements'],
  ['console-entitlement', '/console/entitlements/ent_sale_6'],
  ['console-revoke', '/console/entitlements/ent_sale_6/revoke'],
  ['console-extend', '/console/entitlements/ent_sale_6/extend'],
  ['console-webhook', '/console/webhooks/whk_broken'],
];

describe('pictures of the console', () => {
  let browser: Browser;
  let shop: Shop;
  before(async () => {
    browser = await borrowChromium();
    shop = await startShop();
  });
  after(async () => {
    await browser.close();
    await shop[Symbol.asyncDispose]();
  });

  it('are taken once every delivery has arrived or failed', async () => {
    for (const screen of Object.keys(screens) as readonly Screen[]) {
      for (const colorScheme of ['light', 'dark'] satisfies readonly Colors[]) {
        const tab = await signedIn(browser, shop, { viewport: screens[screen], colorScheme });
        for (const [name, path] of pictures) {
          await tab.page.goto(path);
          await eventually(
            async () => {
              if ((await tab.page.getByText('Waiting,').count()) > 0) await tab.page.reload();
              return tab.page.getByText('Waiting,').count();
            },
            (count) => count === 0,
          );
          await keepScreenshot(tab, `${name}-${screen}-${colorScheme}`);
        }
        await tab.page.context().close();
      }
    }
  });
});
