import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing } from '../../support/builders.ts';
import { serveListings } from '../../support/web/serve-listings.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectAsksFor, imageHost, imageUrls, serveImages } from './image-host.ts';
import { naturalWidth } from './in-page.js';
import { expectSound, keepScreenshot, openTab, screens } from './site.ts';

const listings: readonly Listing[] = [
  aListing({ url: 'https://product.example/', imageUrl: 'https://cdn.example/editor.svg', featured: true }),
  aListing({ id: 'lst_2', slug: 'metronome', name: 'Metronome', imageUrl: 'https://cdn.example/missing.svg' }),
  aListing({ id: 'lst_3', slug: 'editor', name: 'עורך שקט', blurb: 'עורך טקסט שלא מפריע', category: 'כתיבה' }),
];

describe('a small catalog in a browser', () => {
  const browser = borrowChromium();

  for (const [name, all, paths] of [
    ['empty', [], ['/']],
    ['small', listings, ['/', '/?category=Writing', '/listings/quiet-editor']],
  ] as const) {
    it(`is shown whole on every screen: ${name}`, async () => {
      const service = await serveListings(all);
      const tab = await openTab(browser(), service);
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

  it('asks the hosts of images for nothing but images, whatever they send, and does not say who asks', async () => {
    const withImages = imageUrls.map((imageUrl, index) =>
      aListing({ id: `lst_${index}`, slug: `listing-${index}`, imageUrl, storefrontCount: 99 - index }),
    );
    const service = await serveListings(withImages, { siteImageHosts: [imageHost] });
    const tab = await openTab(browser(), service, { viewport: screens.wide });
    const { page } = tab;
    const referrers = await serveImages(tab);
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(await page.locator('.tile img').first().evaluate(naturalWidth)).to.equal(64);
    await expectSound(tab);
    expectAsksFor(tab, imageUrls);
    expect(new Set(referrers)).to.deep.equal(new Set([undefined]));
    await page.context().close();
    await service.stop();
  });
});
