import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { TestService } from '../../support/http/test-service.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { measure } from './in-page.js';
import { openTab, screens, startSite, startSlowSite, type Screen } from './site.ts';

const paths = [
  '/?offset=192',
  '/?offset=9000',
  '/?q=nothing',
  '/listings/ledgerline',
  '/listings/missing',
  '/waitlist',
  '/license',
];

/** What stands at the end of lines, and so must not be seen before its lines are whole. */
const siteLinks = [
  { label: 'Terms', url: '/terms' },
  { label: 'Contact', url: '/contact' },
];

describe('a page that arrives tag by tag', () => {
  let browser: Browser;
  let service: TestService;
  before(async () => {
    browser = await borrowChromium();
    service = await startSite({ siteLinks, siteOwner: 'Sketchpad Ltd., 1 High Street, Dublin' });
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    it(`stays where it is on a ${screen} screen`, async () => {
      await using slow = await startSlowSite(service, tagByTag);
      const { page } = await openTab(browser, slow, { viewport: screens[screen] });
      for (const path of paths) {
        await page.goto(path);
        expect(await page.locator('body > header').count(), path).to.equal(1);
        const { layoutShifts } = await page.evaluate(measure);
        expect(layoutShifts, `${path}: ${JSON.stringify(layoutShifts)}`).to.deep.equal([]);
      }
      await page.context().close();
    });
  }
});

/** Sends the head of a page, and then each tag and each text in a frame of its own. */
async function* tagByTag(page: string): AsyncIterable<string> {
  const body = page.indexOf('<body');
  yield page.slice(0, body);
  for (const part of page.slice(body).split(/(?=<)|(?<=>)(?=\S)/)) {
    yield part;
    await sleep(20);
  }
}
