import { eventually } from '../../support/eventually.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { keepScreenshot, screens, screenshots, type Screen } from '../pages/site.ts';
import { shopOfSuite, signedIn } from './shop.ts';

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
  // They prove nothing, so that only a run that is asked for screenshots takes them.
  if (screenshots === null) return;
  const browser = borrowChromium();
  const shop = shopOfSuite();

  it('are taken once every delivery has arrived or failed', async () => {
    const tab = await signedIn(browser(), shop());
    const { page } = tab;
    const waiting = (): Promise<number> => page.getByText('Waiting,').count();
    for (const screen of Object.keys(screens) as readonly Screen[]) {
      await page.setViewportSize(screens[screen]);
      for (const [name, path] of pictures) {
        await page.goto(path);
        await eventually(
          async () => {
            if ((await waiting()) > 0) await page.reload();
            return waiting();
          },
          (count) => count === 0,
        );
        await keepScreenshot(tab, name);
      }
    }
  });
});
