import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { borrowChromium } from '../launch-chromium.ts';
import { findViolations, fitsItsWidth, labelsThatTouch, shownNavigation } from '../pages/in-page.js';
import { screens, type Screen } from '../pages/site.ts';
import { everyPage } from './every-page.ts';
import { signedIn, startShop, type Shop } from './shop.ts';

/** Describes every page of the console on one screen: axe finds nothing in it, and it never scrolls sideways. */
export function describePages(screen: Screen, widths: readonly number[]): void {
  describe(`every page of the console on a ${screen} screen`, () => {
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

    it('is sound in both color schemes, has no script, and is the same without JavaScript', async () => {
      // Axe reads colors at once, so nothing may fade from one scheme to the other.
      const { page, complaints } = await signedIn(browser, shop, {
        javaScriptEnabled: true,
        viewport: screens[screen],
        reducedMotion: 'reduce',
      });
      const { page: plain } = await signedIn(browser, shop, { viewport: screens[screen] });
      let inOrder: readonly string[] | null = null;
      for (const path of everyPage(shop)) {
        await page.goto(path);
        expect(await page.locator('script').count(), path).to.equal(0);
        await plain.goto(path);
        expect(tagsOf(await plain.content()), path).to.deep.equal(tagsOf(await page.content()));
        await expectSoundPage(page, path);
        for (const width of widths) {
          await page.setViewportSize({ width, height: screens[screen].height });
          expect(await page.evaluate(fitsItsWidth), `${path} at ${width} px`).to.equal(true);
        }
        if (screen === 'phone') expect(await page.evaluate(labelsThatTouch), path).to.deep.equal([]);
        await page.setViewportSize(screens[screen]);
        const { names, isCurrentSeen } = await plain.evaluate(shownNavigation);
        if (names.length > 0) expect(names, `the navigation on ${path}`).to.deep.equal((inOrder ??= names));
        expect(isCurrentSeen, `the current page in the navigation on ${path}`).to.equal(true);
      }
      expect(complaints.filter((text) => !/status of (?:404|409) /.test(text))).to.deep.equal([]);
      await page.context().close();
      await plain.context().close();
    });
  });
}

/** Holds a page against the rules of axe in light colors, and against that of contrast in dark ones, which alone can differ. */
export async function expectSoundPage(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await page.evaluate(findViolations, undefined), `axe on ${what} in light colors`).to.deep.equal([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  const faint = await page.evaluate(findViolations, ['color-contrast']);
  expect(faint, `contrast on ${what} in dark colors`).to.deep.equal([]);
}

/** The tags of a page without what differs from one request to the next. */
function tagsOf(content: string): readonly string[] {
  return content.replaceAll(/"[^"]*"/g, '').match(/<[^>]+>/g) ?? [];
}
