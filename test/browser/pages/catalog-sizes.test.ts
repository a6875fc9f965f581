import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing, everyAffiliateMember, everyPageMember } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { serveListings } from '../../support/web/serve-listings.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectSound, keepScreenshot, openTab, screens } from './site.ts';

/** Bytes as sent that a first visit of the home page may cost: document, sheet, script and font. */
const maxWeight = 90_000;

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900"/></svg>';

function many(count: number, more: Partial<Listing> = {}): readonly Listing[] {
  return range(count).map((index) =>
    aListing({ id: `lst_${index}`, slug: `listing-${index}`, featured: false, ...more }),
  );
}

const shown = { pictureUrl: 'https://cdn.example/picture.svg', pictureAlt: 'A window' };

const hebrew: Listing = aListing({
  ...everyPageMember,
  ...shown,
  slug: 'hebrew',
  name: 'עורך שקט',
  blurb: 'עורך טקסט שלא מפריע',
  category: 'כתיבה',
  compensationLabel: '30% מכל מכירה',
  maker: 'בית תוכנה',
  description: '## למה\n\nעורך **שקט** ומהיר.\n\n- אחד\n- שניים',
});

const catalogs: readonly (readonly [name: string, listings: readonly Listing[], path: string])[] = [
  ['twelve', many(12), '/'],
  ['twelve-pictures', many(12, { featured: true, ...shown }), '/'],
  ['four', many(4, shown), '/'],
  ['one', many(1, shown), '/'],
  ['one-hebrew', [hebrew], '/'],
  ['listing-whole', [aListing({ ...everyPageMember, ...shown })], '/listings/quiet-editor'],
  [
    'listing-promoted',
    [aListing({ ...everyPageMember, ...everyAffiliateMember, ...shown, storefronts: 3 })],
    '/listings/quiet-editor',
  ],
  ['listing-bare', [aListing()], '/listings/quiet-editor'],
  ['listing-hebrew', [hebrew], '/listings/hebrew'],
];

describe('catalogs of every size in a browser', () => {
  const browser = borrowChromium();

  for (const [name, listings, path] of catalogs) {
    it(`are sound and stay where they are on every screen: ${name}`, async () => {
      const service = await serveListings(listings, { siteImageHosts: ['cdn.example'] });
      const tab = await openTab(browser(), service);
      await tab.page.route('https://cdn.example/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: picture }),
      );
      await tab.page.goto(path, { waitUntil: 'networkidle' });
      await expectSound(tab);
      await keepScreenshot(tab, name);
      expect(tab.complaints.filter((text) => !text.startsWith('asks https://cdn.example/'))).to.deep.equal([]);
      await tab.page.context().close();
      await service.stop();
    });
  }

  it('cost a first visit at most 90 kB', async () => {
    const service = await serveListings(many(200));
    const { page } = await openTab(browser(), service, { viewport: screens.wide });
    const sizes = new Map<string, Promise<number>>();
    page.on('requestfinished', (request) => {
      sizes.set(
        request.url(),
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    const sent = await Promise.all([...sizes].map(async ([url, size]) => [url, await size] as const));
    expect(sent.some(([url]) => url.includes('inter-latin'))).to.equal(true);
    expect(
      sent.reduce((sum, [, size]) => sum + size, 0),
      JSON.stringify(sent),
    ).to.be.at.most(maxWeight);
    await page.context().close();
    await service.stop();
  });
});
