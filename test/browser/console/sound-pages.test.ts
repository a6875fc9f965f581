import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { borrowChromium } from '../launch-chromium.ts';
import { labelsThatTouch, shownNavigation } from '../pages/in-page.js';
import {
  bringAxe,
  expectAccessible,
  expectFits,
  expectNoViolation,
  rulesOfWidth,
  screens,
  type Screen,
  type Tab,
} from '../pages/site.ts';
import { everyPage } from './every-page.ts';
import { signedIn, startShop, type Shop } from './shop.ts';

/** Each page is visited once, and then shown on each screen, because a visit takes as long as a look. */
describe('every page of the console', () => {
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

  it('is sound on every screen in both color schemes, has no script, and is the same without JavaScript', async () => {
    // Axe reads colors at once, so nothing may fade from one scheme to the other.
    const tab = await signedIn(browser, shop, { javaScriptEnabled: true, reducedMotion: 'reduce' });
    await bringAxe(tab);
    const { page: plain } = await signedIn(browser, shop);
    const navigations: Partial<Record<Screen, readonly string[]>> = {};
    for (const path of everyPage(shop)) {
      await show(tab, screens.wide);
      const [tags, without] = await Promise.all([tagsAt(path, tab.page), tagsAt(path, plain)]);
      expect(
        tags.filter((tag) => tag.startsWith('<script')),
        path,
      ).to.deep.equal([]);
      expect(without, path).to.deep.equal(tags);
      await expectAccessible(tab);
      await expectNavigation('wide');
      await show(tab, { ...screens.wide, width: 800 });
      await show(tab, screens.phone);
      await expectNoViolation(tab, [], rulesOfWidth, 'on a phone');
      await expectNavigation('phone');
      await show(tab, { ...screens.phone, width: 320 });
      expect(await tab.page.evaluate(labelsThatTouch), path).to.deep.equal([]);
    }
    expect(tab.complaints.filter((text) => !/status of (?:404|409) /.test(text))).to.deep.equal([]);
    await tab.page.context().close();
    await plain.context().close();

    async function expectNavigation(screen: Screen): Promise<void> {
      const { names, isCurrentSeen } = await tab.page.evaluate(shownNavigation);
      const what = `the navigation on ${tab.page.url()} on a ${screen} screen`;
      if (names.length > 0) expect(names, what).to.deep.equal((navigations[screen] ??= names));
      expect(isCurrentSeen, `the current page in ${what}`).to.equal(true);
    }
  });
});

/** Gives the window another size, in which the page never scrolls sideways. */
async function show(tab: Tab, size: { readonly width: number; readonly height: number }): Promise<void> {
  await tab.page.setViewportSize(size);
  await expectFits(tab);
}

/** The tags of a page without what differs from one request to the next. */
async function tagsAt(path: string, page: Page): Promise<readonly string[]> {
  await page.goto(path);
  return (await page.content()).replaceAll(/"[^"]*"/g, '').match(/<[^>]+>/g) ?? [];
}
