import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { withoutReordering } from '../../../core/parsing/reordering.ts';
import { aListing } from '../../support/builders.ts';
import { serveListings } from '../../support/web/serve-listings.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { runsLeftToRight, structure } from './in-page.js';
import { expectFitsScreens, openTab, type Tab } from './site.ts';

const hostile: readonly (readonly [what: string, text: string])[] = [
  ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['an attribute', `" onmouseover="alert(1)" autofocus onfocus='alert(1)`],
  ['the end of a block', '</script></title></textarea></select><!--'],
  ['a link', 'javascript:alert(1) <a href="javascript:alert(1)">x</a>'],
  ['entities', '&lt;b&gt; &amp; &#60;script&#62;'],
  ['right-to-left marks', '\u202e\u2067gnitset\u202e\u200f'],
  ['a long word', 'W'.repeat(200)],
  ['combining characters', `Z${'\u0301'.repeat(150)}`],
];

/** The content of the pages with a listing. */
type Seen = Readonly<Record<'structures' | 'texts' | 'neighbor', unknown>>;

describe('a hostile listing in a browser', () => {
  const browser = borrowChromium();
  let harmless: Seen;
  before(async () => {
    harmless = await seenWith('harmless');
  });

  for (const [what, text] of hostile) {
    it(`changes nothing but its own text: ${what}`, async () => {
      const seen = await seenWith(text);
      expect(seen.structures).to.deep.equal(harmless.structures);
      const shown = withoutReordering(text);
      expect(seen.texts).to.deep.equal([shown, shown]);
      expect(seen.neighbor).to.equal(harmless.neighbor);
    });
  }

  /** Looks at the pages with a listing that has a text in every member that may have one. */
  async function seenWith(text: string): Promise<Seen> {
    const texts: Partial<Listing> = { name: text, blurb: text.slice(0, 150), category: text, compensationLabel: text };
    const service = await serveListings([
      aListing({ ...texts, id: 'lst_1', slug: 'own', storefrontCount: 9, url: 'https://product.example/' }),
      aListing({ ...texts, id: 'lst_3', slug: 'alike', storefrontCount: 2 }),
      aListing({ id: 'lst_2', slug: 'neighbor', name: 'Neighbor' }),
    ]);
    try {
      const structures: unknown[] = [];
      const shown: (string | null)[] = [];
      let neighbor: string | null = null;
      const tab = await openTab(browser(), service);
      tab.page.on('dialog', (dialog) => {
        tab.complaints.push(`asks ${dialog.message()}`);
        void dialog.dismiss();
      });
      for (const path of ['/', '/listings/own']) {
        await visit(tab, path);
        structures.push(await tab.page.evaluate(structure));
        shown.push(await tab.page.locator(path === '/' ? '.card h3 >> nth=0' : 'h1').textContent());
        if (path === '/') neighbor = await tab.page.locator('.card >> nth=1').innerText();
      }
      await tab.page.context().close();
      return { structures, texts: shown, neighbor };
    } finally {
      await service.stop();
    }
  }
});

/** Opens a page, which must fit and must do nothing but show its texts. */
async function visit(tab: Tab, path: string): Promise<void> {
  const { page, complaints } = tab;
  await page.goto(path);
  await expectFitsScreens(tab);
  expect(complaints).to.deep.equal([]);
  const own = page.locator(path === '/' ? '.card .num >> nth=0' : '.facts dd >> nth=0');
  expect(await own.evaluate(runsLeftToRight)).to.equal(true);
  for (const href of await page.locator('a').evaluateAll((links) => links.map((link) => String(link)))) {
    expect(href).to.match(/^http:\/\/127\.0\.0\.1:|^https:\/\/product\.example\//);
  }
}
