import { expect } from 'chai';
import { aPromotable, servePromoted } from '../../support/affiliates/promoted-site.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { measure } from './in-page.js';
import { openTab, screens, startSite, startSlowSite, tagByTag, type Screen } from './site.ts';

const paths = [
  '/?offset=192',
  '/?offset=9000',
  '/?q=nothing',
  '/listings/ledgerline',
  '/listings/missing',
  '/waitlist',
  '/license',
];

/** Links that stand at the end of lines, and so must not be seen before their lines are whole. */
const siteLinks = [
  { label: 'Terms', url: '/terms' },
  { label: 'Contact', url: '/contact' },
];

describe('a page that arrives tag by tag', () => {
  const browser = borrowChromium();
  let service: TestService;
  let promoted: TestService;
  before(async () => {
    service = await startSite({ siteLinks, siteOwner: 'Sketchpad Ltd., 1 High Street, Dublin' });
    promoted = await servePromoted({ listings: [aPromotable()] });
  });
  after(async () => {
    await service.stop();
    await promoted.stop();
  });

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    it(`stays where it is on a ${screen} screen`, async () => {
      const { page } = await openTab(browser(), service, { viewport: screens[screen], reducedMotion: 'no-preference' });
      for (const [site, some] of [
        [service, paths],
        [promoted, ['/@ada']],
      ] as const) {
        await using slow = await startSlowSite(site, tagByTag);
        for (const path of some) {
          await page.goto(`${slow.url}${path}`);
          expect(await page.locator('body > header').count(), path).to.equal(1);
          const { layoutShifts } = await page.evaluate(measure);
          expect(layoutShifts, `${path}: ${JSON.stringify(layoutShifts)}`).to.deep.equal([]);
        }
      }
      await page.context().close();
    });
  }
});
