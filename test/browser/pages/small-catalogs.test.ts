import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing } from '../../support/builders.ts';
import { serveListings } from '../../support/web/serve-listings.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { naturalWidth } from './in-page.js';
import { expectSound, keepScreenshot, openTab, screens } from './site.ts';

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>';

const listings: readonly Listing[] = [
  aListing({ url: 'https://product.example/', imageUrl: 'https://cdn.example/editor.svg', featured: true }),
  aListing({ id: 'lst_2', slug: 'metronome', name: 'Metronome', imageUrl: 'https://cdn.example/missing.svg' }),
  aListing({ id: 'lst_3', slug: 'editor', name: 'עורך שקט', blurb: 'עורך טקסט שלא מפריע', category: 'כתיבה' }),
];

describe('a small catalog in a browser', () => {
  let browser: Browser;
  before(async () => {
    browser = await borrowChromium();
  });
  after(() => browser.close());

  for (const [name, all, paths] of [
    ['empty', [], ['/']],
    ['small', listings, ['/', '/?category=Writing', '/listings/quiet-editor']],
  ] as const) {
    it(`is shown whole on every screen: ${name}`, async () => {
      const service = await serveListings(all);
      const tab = await openTab(browser, service);
      for (const [index, path] of paths.entries()) {
        await tab.page.goto(path);
        await expectSound(tab);
        await keepScreenshot(tab, `${name}-${index}`);
      }
      expect(tab.complaints).to.deep.equal([]);
      await tab.page.context().close();
      await service.stop();
    });
  }

  it('asks the hosts of images for nothing but images, and does not say who asks', async () => {
    const service = await serveListings(listings, { siteImageHosts: ['cdn.example'] });
    const tab = await openTab(browser, service, { viewport: screens.wide });
    const { page, complaints } = tab;
    const referrers: (string | undefined)[] = [];
    await page.route('https://cdn.example/**', async (route) => {
      referrers.push(route.request().headers()['referer']);
      await (route.request().url().endsWith('editor.svg')
        ? route.fulfill({ contentType: 'image/svg+xml', body: image })
        : route.abort());
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(await page.locator('.tile img').first().evaluate(naturalWidth)).to.equal(64);
    await expectSound(tab);
    expect(complaints.filter((text) => text.startsWith('asks'))).to.have.members([
      'asks https://cdn.example/editor.svg',
      'asks https://cdn.example/missing.svg',
    ]);
    expect(complaints.filter((text) => text.includes('img-src'))).to.deep.equal([]);
    expect(referrers).to.deep.equal([undefined, undefined]);
    await page.context().close();
    await service.stop();
  });
});
