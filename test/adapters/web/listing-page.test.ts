import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import { aListing, everyAffiliateMember, everyPageMember } from '../../support/builders.ts';
import type { ServiceOptions, TestService } from '../../support/http/test-service.ts';
import { getPage } from '../../support/web/page-client.ts';
import { serveListings } from '../../support/web/serve-listings.ts';

describe('the page of a listing', () => {
  let service: TestService | null = null;
  afterEach(async () => {
    await service?.stop();
    service = null;
  });

  /** Serves these listings and returns the page of the first. */
  async function pageOf(listings: readonly Listing[], options: ServiceOptions = {}): Promise<string> {
    service = await serveListings(listings, options);
    return (await getPage(`${service.url}/listings/${listings[0]?.slug}`)).text;
  }

  it('says once what the maker pays, and the facts', async () => {
    const text = await pageOf([aListing({ storefrontCount: 1, publishedAt: new Date('2026-03-04T23:59:00Z') })]);
    expect(text.split('30 % of every sale')).to.have.length(2);
    expect(text)
      .to.include('<dd>1 storefront</dd>')
      .and.include('<time datetime="2026-03-04">4 March 2026</time>')
      .and.match(/<p>in <a href="\/\?category=Writing" dir="auto">Writing<\/a><\/p>/)
      .and.not.match(/Paid for|Cookie lasts|Paid out|Questions|class="more"|class="prose"/);
    expect(text).to.match(/<nav class="crumbs" aria-label="Breadcrumb">\s*<ol>\s*<li><a href="\/">Marketplace<\/a>/);
  });

  it('does not say that it is sold in no storefront', async () => {
    expect(await pageOf([aListing({ storefrontCount: 0 })])).to.not.match(/storefront/i);
  });

  it('leads to the product where it has an address, and nowhere else', async () => {
    const url = 'https://ledgerline.example/partners?a=1&b=2';
    const linked = await pageOf([aListing({ url })]);
    expect(linked).to.include(
      'href="https://ledgerline.example/partners?a=1&amp;b=2" rel="nofollow noopener">Visit the product<svg',
    );
    expect(linked.split('class="button primary"')).to.have.length(2);
    await service?.stop();
    const plain = await pageOf([aListing()]);
    expect(plain).to.not.include('Visit the product').and.not.include('class="button');
  });

  it('says everything that an affiliate asks, the reward before the picture', async () => {
    const text = await pageOf([aListing(everyPageMember)], { siteImageHosts: ['pictures.example'] });
    const inOrder = [
      'by <a href="https://ledgerline.example/about" rel="nofollow noopener" dir="auto">Ledgerline Software</a> in <a',
      'class="lead"',
      '<span class="muted small">Pays you</span>',
      '<a class="button primary large" href="https://ledgerline.example/partners/join" rel="nofollow noopener">Join this program<svg',
      '<a class="button" href="https://ledgerline.example/" rel="nofollow noopener">Visit the product<svg',
      '<dd>12 months</dd>',
      '<dd>60 days</dd>',
      '<bdi>Monthly by bank transfer, from €50</bdi>',
      '<a href="mailto:partners@ledgerline.example" rel="nofollow">Ask the maker</a>',
      '<img src="https://pictures.example/ledgerline.png" alt="The month at a glance" decoding="async" referrerpolicy="no-referrer" />',
      '<h2>Who buys it</h2>',
      'rel="nofollow ugc noopener">Read</a>',
    ];
    const found = inOrder.map((part) => text.indexOf(part));
    expect(found).to.not.include(-1);
    expect(found).to.deep.equal(found.toSorted((a, b) => a - b));
    expect(text).to.include('"image":"https://pictures.example/ledgerline.png"');
    expect(text).to.include('<meta property="og:image" content="https://pictures.example/ledgerline.png" />');
    expect(text.split('partners@ledgerline.example')).to.have.length(2);
  });

  for (const affiliates of ['ask', 'open'] as const) {
    it(`leads affiliates to their page first where its affiliates are "${affiliates}"`, async () => {
      const listing = aListing({ ...everyPageMember, ...everyAffiliateMember, affiliates, storefronts: 3 });
      const text = await pageOf([listing]);
      const buttons = [...text.matchAll(/<a\s+class="(button[^"]*)"\s+href="([^"]*)"[^>]*>([^<]*)</g)].map((found) =>
        found.slice(1),
      );
      const promote = '/affiliates?listing=quiet-editor';
      expect(buttons).to.deep.equal([
        ['button primary large', promote, 'Promote this'],
        ['button', 'https://ledgerline.example/partners/join', 'Join this program'],
        ['button', 'https://ledgerline.example/', 'Visit the product'],
      ]);
      expect(text).to.include('<dd>8 storefronts</dd>').and.not.include('buy.example');
      const { status, text: asked } = await getPage(`${service?.url}${promote}`);
      expect([status, asked.includes('Promote <bdi>Quiet Editor</bdi>')]).to.deep.equal([200, true]);
    });
  }

  it('has no way to promote it where its affiliates are "none"', async () => {
    const members = { ...everyPageMember, ...everyAffiliateMember, affiliates: 'none' } as const;
    expect(await pageOf([aListing(members)]))
      .to.include('class="button primary large" href="https://ledgerline.example/partners/join"')
      .and.not.match(/Promote this|\/affiliates/);
  });

  for (const [members, shown] of [
    [{ commissionFor: 'first_payment' }, '<dd>The first payment only</dd>'],
    [{ commissionFor: 'lifetime' }, '<dd>As long as they pay</dd>'],
    [{ commissionFor: 1 }, '<dd>1 month</dd>'],
    [{ cookieDays: 0 }, '<dd>The same visit</dd>'],
    [{ cookieDays: 1 }, '<dd>1 day</dd>'],
    [{ maker: 'Ada <b>' }, '<p>by <bdi>Ada &lt;b&gt;</bdi> in <a'],
    [{ makerUrl: 'https://ada.example/' }, '<p>in <a'],
    [
      { contactUrl: 'https://ada.example/help' },
      '<a href="https://ada.example/help" rel="nofollow noopener">Ask the maker</a>',
    ],
    [{ description: ' \n ' }, '</article>'],
  ] as const) {
    it(`shows ${JSON.stringify(members)}`, async () => {
      const text = await pageOf([aListing(members)]);
      expect(text).to.include(shown).and.not.include('class="prose"').and.not.include('class="more"');
      expect(text.split('<dt>')).to.have.length(
        'maker' in members || 'makerUrl' in members || 'description' in members ? 3 : 4,
      );
    });
  }

  it('shows no picture of another host, nor a field in its place', async () => {
    const text = await pageOf([aListing({ ...everyPageMember, description: null })]);
    expect(text).to.not.include('class="cover').and.not.include('pictures.example').and.not.include('class="more"');
  });

  it('shows an image where its host is named, to search engines too, and the tile elsewhere', async () => {
    const imageUrl = 'https://cdn.example/editor.png';
    const image = `<img src="${imageUrl}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" />`;
    const shown = await pageOf([aListing({ imageUrl })], { siteImageHosts: ['cdn.example'] });
    expect(shown).to.include(`<span class="tile large hue-11" aria-hidden="true">${image}</span>`);
    expect(shown).to.include(`"image":"${imageUrl}"`).and.include(`<meta property="og:image" content="${imageUrl}" />`);
    expect((await getPage(`${service?.url}/`)).text).to.include(image);
    await service?.stop();
    const hidden = await pageOf([aListing({ imageUrl })], { siteImageHosts: ['other.example'] });
    expect(hidden).to.include('<span class="tile large hue-11" aria-hidden="true">Q</span>');
    expect(hidden).to.not.include('cdn.example').and.not.include('<img');
    expect((await getPage(`${service?.url}/`)).text).to.not.include('cdn.example');
  });

  it('shows three others of the category, those with the most storefronts first', async () => {
    const others = [3, 9, 1, 7, 5].map((storefrontCount) =>
      aListing({ id: `lst_${storefrontCount}`, slug: `s${storefrontCount}`, storefrontCount, category: 'WRITING' }),
    );
    const music = aListing({ id: 'lst_m', slug: 'music', category: 'Music', storefrontCount: 99 });
    const draft = aListing({ id: 'lst_d', slug: 'draft', state: 'draft', storefrontCount: 99 });
    const text = await pageOf([aListing({ id: 'lst_own' }), ...others, music, draft]);
    expect(text).to.include('<h2 id="related">More in <bdi>Writing</bdi></h2>');
    const related = [...text.matchAll(/<h3 dir="auto"><a href="\/listings\/([^"]+)"/g)].map(([, slug]) => slug);
    expect(related).to.deep.equal(['s9', 's7', 's5']);
    await service?.stop();
    expect(await pageOf([aListing(), music])).to.not.include('More in');
  });
});
