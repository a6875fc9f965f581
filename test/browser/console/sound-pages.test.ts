import { expect } from 'chai';
import { borrowChromium } from '../launch-chromium.ts';
import { labelsThatTouch, shownNavigation } from '../pages/in-page.js';
import {
  bringAxe,
  expectContrast,
  expectFits,
  expectNoViolation,
  expectReached,
  expectTargets,
  screens,
  type Screen,
  type Tab,
} from '../pages/site.ts';
import { everyPage } from './every-page.ts';
import { differenceToServed } from './in-page.js';
import { press, shopOfSuite, signedIn } from './shop.ts';

/**
 * Each page is visited once, and then shown on each screen, because a visit takes as long as a look. The next page begins on
 * the screen and in the colors in which the last one has ended, because every change paints the page anew.
 */
describe('every page of the console', () => {
  const browser = borrowChromium();
  const shop = shopOfSuite();
  let tab: Tab;
  let scheme: 'light' | 'dark' = 'light';
  const navigations: Partial<Record<Screen, readonly string[]>> = {};

  it('is sound on every screen in both color schemes, has no script, and is the same without JavaScript', async () => {
    tab = await signedIn(browser(), shop(), { javaScriptEnabled: true });
    await bringAxe(tab);
    const visited = new Set<string>();
    let sizes = [lookAtWide, lookAtNarrow, lookAtPhone, lookAtSmallPhone];
    const visit = async (path: string): Promise<void> => {
      await expectServed(path);
      // A path that leads on to another page is none of its own.
      if (visited.has(tab.page.url())) return;
      visited.add(tab.page.url());
      for (const look of sizes) await look();
      sizes = sizes.toReversed();
    };
    for (const path of everyPage(shop())) await visit(path);
    await press(tab.page, 'Sign out');
    await visit('/console/sign-in');
    expect([...visited].at(-1)).to.equal(`${shop().url}/console/sign-in`);
    expect(tab.complaints.filter((text) => !/status of (?:404|409) /.test(text))).to.deep.equal([]);
    await tab.page.context().close();
  });

  async function lookAtWide(): Promise<void> {
    await show(screens.wide);
    await expectNavigation('wide');
    await expectNoViolation(tab, { without: ['color-contrast'] });
    await expectContrast(tab);
    scheme = scheme === 'light' ? 'dark' : 'light';
    await tab.page.emulateMedia({ colorScheme: scheme });
    await expectContrast(tab);
  }

  async function lookAtNarrow(): Promise<void> {
    await show({ ...screens.wide, width: 800 });
  }

  async function lookAtPhone(): Promise<void> {
    await show(screens.phone);
    await expectReached(tab);
    // Lighthouse asks it of a phone.
    await expectTargets(tab);
    await expectNavigation('phone');
  }

  async function lookAtSmallPhone(): Promise<void> {
    await show({ ...screens.phone, width: 320 });
    expect(await tab.page.evaluate(labelsThatTouch), tab.page.url()).to.deep.equal([]);
  }

  /** Visits a page, which must be what the same response is without JavaScript. */
  async function expectServed(path: string): Promise<void> {
    const response = await tab.page.goto(path);
    const served = (await response?.text()) ?? '';
    expect(served).to.include('</html>').and.not.include('<script');
    expect(await tab.page.evaluate(differenceToServed, served), path).to.equal(null);
  }

  async function expectNavigation(screen: Screen): Promise<void> {
    const { names, isCurrentSeen } = await tab.page.evaluate(shownNavigation);
    const what = `the navigation on ${tab.page.url()} on a ${screen} screen`;
    if (names.length > 0) expect(names, what).to.deep.equal((navigations[screen] ??= names));
    expect(isCurrentSeen, `the current page in ${what}`).to.equal(true);
  }

  /** Gives the window another size, in which the page never scrolls sideways. */
  async function show(size: { readonly width: number; readonly height: number }): Promise<void> {
    await tab.page.setViewportSize(size);
    await expectFits(tab);
  }
});
