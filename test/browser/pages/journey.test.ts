import { expect } from 'chai';
import { tokens } from '../../../app/service/tokens.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { signUpsIn } from '../../support/stores/whole-lists.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { areResultsFocused, focusedText, isPainted } from './in-page.js';
import {
  expectAccessible,
  expectSound,
  expectStill,
  keepScreenshot,
  openTab,
  screens,
  startSite,
  tabTo,
  type Screen,
} from './site.ts';

/** The message of a browser's console about an answer that it shows. */
const refused = (status: number, text: string): string =>
  `Failed to load resource: the server responded with a status of ${status} (${text})`;

describe('the pages in a browser', () => {
  const browser = borrowChromium();
  let service: TestService;
  beforeEach(async () => {
    service = await startSite();
  });
  afterEach(() => service.stop());

  async function joined(): Promise<readonly string[]> {
    return (await signUpsIn({ waitlist: service.container.get(tokens.waitlist) })).map(({ email }) => email);
  }

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    it(`work for people with a ${screen} screen`, async () => {
      const tab = await openTab(browser(), service, { viewport: screens[screen] });
      const { page, complaints } = tab;
      const look = async (name: string): Promise<void> => {
        if (screen === 'phone') return expectStill(tab);
        await expectSound(tab);
        await keepScreenshot(tab, name);
      };
      await page.goto('/');
      expect(await page.locator('#results .card').count()).to.equal(24);
      expect(await page.locator('.card.large').count()).to.equal(3);
      expect((await page.locator('.card').first().boundingBox())?.y).to.be.below(400);
      expect(await page.locator('#count').textContent()).to.equal('1–24 of 200');
      await look('marketplace');
      // The filters fold on a phone alone.
      if (screen === 'phone') await expectAccessible(tab);

      await page.fill('#q', 'nothing like');
      await page.press('#q', 'Enter');
      await page.waitForURL('**/?q=nothing+like');
      await page.fill('#q', 'nothing like it');
      await page.waitForURL('**/?q=nothing+like+it');
      await page.locator('#count', { hasText: 'No listing matches.' }).waitFor();
      expect(await page.locator('#count').textContent()).to.equal('No listing matches.');
      await look('nothing-found');

      await page.fill('#q', '');
      await page.waitForURL(`${service.url}/`);
      await page.click('summary');
      await page.selectOption('#category', 'Music');
      await page.click('form.filters button');
      await page.waitForURL('**/?category=Music*');
      expect(await page.locator('.card .category').allTextContents()).to.satisfy((all: readonly string[]) =>
        all.every((text) => text.includes('Music')),
      );
      await look('filtered');

      await page.selectOption('#category', '');
      await page.waitForURL(`${service.url}/`);
      await page.click('text=Next');
      await page.waitForURL('**/?offset=24');
      expect(await page.locator('#count').textContent()).to.equal('25–48 of 200');
      await page.goBack();
      await page.locator('#count', { hasText: '1–24 of' }).waitFor();

      await page.locator('.card h3 a').first().click();
      await page.waitForURL('**/listings/*');
      expect(await page.title()).to.equal(`${await page.locator('h1').textContent()} · Latchkey`);
      await look('listing');
      expect(complaints).to.deep.equal([]);

      expect((await page.goto('/listings/unknown'))?.status()).to.equal(404);
      expect(await page.locator('h1').textContent()).to.equal('Page not found');
      await look('not-found');
      expect(complaints.splice(0)).to.deep.equal([refused(404, 'Not Found')]);

      await page.click('text=Waitlist');
      await look('waitlist');
      await page.fill('#email', 'ada@localhost');
      await page.click('summary');
      await page.fill('#name', 'Ada');
      await page.click('button');
      expect(await page.locator('#email-error').textContent()).to.include('valid e-mail address');
      expect(await page.inputValue('#name')).to.equal('Ada');
      await look('waitlist-refused');
      expect(complaints.splice(0)).to.deep.equal([refused(400, 'Bad Request')]);
      expect(await joined()).to.deep.equal([]);

      await page.fill('#email', 'ada@example.com');
      await page.click('button');
      await page.waitForURL('**/waitlist/joined');
      await look('joined');
      expect(complaints).to.deep.equal([]);
      expect(await joined()).to.deep.equal(['ada@example.com']);
      expect(await page.context().cookies()).to.deep.equal([]);
      await page.context().close();
    });
  }

  it('work without JavaScript', async () => {
    const tab = await openTab(browser(), service, { javaScriptEnabled: false, viewport: screens.wide });
    const { page, complaints } = tab;
    await page.goto('/');
    await page.fill('#q', 'nothing like it');
    await page.click('form.search button');
    expect(await page.locator('#count').textContent()).to.equal('No listing matches.');
    await page.click('text=Show all listings');
    await page.locator('.kinds a').last().click();
    await page.selectOption('#category', 'Music');
    await page.selectOption('#sort', 'reward');
    await page.click('form.filters button');
    expect(new URL(page.url()).search).to.include('category=Music');
    expect(await page.locator('#count').textContent()).to.match(/^1–\d+ of \d+$/);
    expect(await page.inputValue('#category')).to.equal('Music');
    await page.goto('/');
    await page.click('text=Next');
    expect(await page.locator('#count').textContent()).to.equal('25–48 of 200');
    await page.locator('.card h3 a').first().click();
    expect(await page.locator('.reward').textContent()).to.match(/^Pays you./);
    await page.locator('.related .category a').first().click();
    expect(await page.inputValue('#category')).to.not.equal('');
    expect((await page.goto('/listings/unknown'))?.status()).to.equal(404);
    await page.click('text=Waitlist');
    await page.fill('#email', 'ada@localhost');
    await page.click('button');
    expect(await page.locator('#email-error').textContent()).to.include('valid e-mail address');
    await page.fill('#email', 'ada@example.com');
    await page.click('button');
    expect(await page.locator('h1').textContent()).to.equal('You are on the waitlist');
    expect(await joined()).to.deep.equal(['ada@example.com']);
    expect(complaints).to.deep.equal([refused(404, 'Not Found'), refused(400, 'Bad Request')]);
    await page.context().close();
  });

  it('work by keyboard alone, and show where the focus is', async () => {
    const tab = await openTab(browser(), service, { viewport: screens.wide });
    const { page } = tab;
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await tab.page.evaluate(focusedText)).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(tab, 'Search listings');
    await page.keyboard.type('editor');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=editor', { waitUntil: 'load' });
    await tabTo(tab, 'Filter and sort');
    await page.keyboard.press('Enter');
    await tabTo(tab, 'Category');
    await page.keyboard.type('Wri');
    await page.waitForURL('**/?q=editor&category=Writing');
    await page.goto('/?offset=24');
    await tabTo(tab, 'Next page');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?offset=48');
    await page.waitForFunction(areResultsFocused);
    const name = (await page.locator('.card h3 a').first().textContent()) ?? '';
    await tabTo(tab, name);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/listings/*');
    await tabTo(tab, 'Waitlist');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/waitlist');
    await tabTo(tab, 'E-mail address');
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await page.locator('#email-error').waitFor();
    expect(await tab.page.evaluate(focusedText)).to.equal('E-mail address');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('ada@example.com');
    await tabTo(tab, 'Join the waitlist');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/waitlist/joined');
    expect(await joined()).to.deep.equal(['ada@example.com']);
    await page.context().close();
  });

  it('are painted before their script has arrived', async () => {
    const { page } = await openTab(browser(), service);
    const arrival = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    await page.waitForFunction(isPainted);
    arrival.resolve();
    await page.waitForLoadState('load');
    await page.context().close();
  });
});
