import { expect } from 'chai';
import { html } from '../../../../../adapters/web/markup/html.ts';
import { tokens } from '../../../../../app/service/tokens.ts';
import { noAffiliateMembers } from '../../../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../../../core/catalog/page-members.ts';
import { aCall, aListing, aProduct, everyAffiliateMember, everyPageMember } from '../../../../support/builders.ts';
import { operatorKeys } from '../../../../support/http/fixtures.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../../support/web/console-client.ts';
import { changesIn, changesOn, fieldIn, hostile } from '../../../../support/web/console-pages.ts';

const fields = {
  name: 'Quiet Editor',
  category: 'Writing',
  blurb: 'A text editor\r\nthat stays out of the way',
  compensationType: 'commission',
  commissionPercent: '50',
  compensationLabel: '50% of every sale',
  upfrontCents: '',
  storefrontCount: '26',
  url: 'https://quiet-editor.example/partners',
  imageUrl: '',
};

describe("the console's pages of listings", () => {
  const client = freshConsole(memory);
  const list = '/console/listings';
  const one = `${list}/quiet-editor`;

  beforeEach(async () => {
    await client().signIn();
  });

  const find = () => client().service.container.get(tokens.allListings).find('quiet-editor', aCall());
  const put = async (overrides: Partial<Listing> = {}): Promise<void> => {
    const listing = aListing({ slug: 'quiet-editor', id: 'lst_q', name: 'Quiet Editor', ...overrides });
    await client().service.container.get(tokens.listings).put([listing], aCall());
  };
  const add = (more: Readonly<Record<string, string>> = {}) =>
    client().submit(`${list}/add`, { ...fields, slug: 'quiet-editor', step: 'save', ...more });

  it('say what a listing is for, and how to add one', async () => {
    const { text } = await client().get(list);
    expect(text).to.include('No listing yet').and.include(`href="${list}/add"`).and.include(`href="${list}/import"`);
  });

  it('are found by words and by category in every state, and counted', async () => {
    const listings = client().service.container.get(tokens.listings);
    const made = [
      { slug: 'duebook', name: 'Duebook', category: 'Accounting', state: 'draft' },
      { slug: 'ledgerline', name: 'Ledgerline', category: 'accounting', blurb: 'Books <b>kept</b>', featured: true },
      { slug: 'notes', name: 'Notes', category: 'Writing', state: 'paused' },
    ] as const;
    await listings.put(
      made.map((each, index) => aListing({ id: `lst_${index}`, state: 'live', featured: false, ...each })),
      aCall(),
    );
    const shown = async (query: string) => {
      const { text } = await client().get(list + query);
      const flat = text
        .replaceAll(/<\/?bdi>/g, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(' >', '>');
      return {
        slugs: [...text.matchAll(/<span class="sub mono">([^<]+)<\/span>/g)].map(([, slug]) => slug),
        heading: (/<h1>(.*?)<\/h1>/.exec(flat)?.[1] ?? '').replaceAll(/<[^>]*>/g, ''),
        foot: (/<div class="foot">(.*?)<\/div>/.exec(flat)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim(),
        flat,
      };
    };
    const all = await shown('');
    expect(all.slugs).to.deep.equal(['duebook', 'ledgerline', 'notes']);
    expect([all.heading, all.foot]).to.deep.equal(['Listings 3', 'By slug. 50 on a page.']);
    expect(all.flat).to.include('<span class="badge plain brand">Featured</span>').and.include('Not yet');
    expect(all.flat).to.include('<option value="Accounting">Accounting</option>').and.not.include('value="accounting"');
    const books = await shown('?q=BOOK');
    expect(books.slugs).to.deep.equal(['duebook', 'ledgerline']);
    expect([books.heading, books.foot]).to.deep.equal(['Listings 2 of 3', 'By slug. 2 listings match “BOOK”.']);
    expect(books.flat).to.include(`<a class="button quiet" href="${list}">Clear</a>`);
    expect((await shown('?q=book&state=draft')).slugs).to.deep.equal(['duebook']);
    const accounting = await shown('?category=ACCOUNTING');
    expect(accounting.slugs).to.deep.equal(['duebook', 'ledgerline']);
    expect(accounting.flat).to.include('<option value="Accounting" selected>Accounting</option>');
    expect(await shown('?q=none')).to.deep.include({ slugs: [], heading: 'Listings 0 of 3' });
    expect((await shown('?state=paused&q=o')).flat)
      .to.include(`href="${list}?q=o">All</a>`)
      .and.include('<input type="hidden" name="state" value="paused" />')
      .and.include(`href="${list}?state=paused">Clear</a>`);
  });

  it('are refused a state that is none and a text that is too long', async () => {
    await put();
    for (const query of ['?state=gone', `?q=${'x'.repeat(201)}`, '?after=nonsense']) {
      expect(outcomeOf(await client().get(list + query)), query).to.deep.equal([400, 'invalid_parameter']);
    }
    const { text } = await client().get(`${list}?q=${encodeURIComponent(hostile)}`);
    expect(text).to.not.include('<script>');
  });

  it('add a draft after a review, once', async () => {
    const reviewed = await add({ step: 'review' });
    expect(reviewed.text).to.include('Add this listing?').and.include('It is a draft until you publish it.');
    expect(await find()).to.equal(null);
    for (const _ of [1, 2]) expect(outcomeOf(await add())).to.deep.equal([303, `${one}?done=added`]);
    const { id: _id, publishedAt: _at, ...listing } = (await find()) ?? aListing();
    expect(listing).to.deep.equal({
      ...noPageMembers,
      ...noAffiliateMembers,
      storefronts: 0,
      ...fields,
      imageUrl: null,
      productId: null,
      slug: 'quiet-editor',
      blurb: 'A text editor\nthat stays out of the way',
      commissionPercent: 50,
      upfrontCents: 0,
      storefrontCount: 26,
      featured: false,
      state: 'draft',
    });
    expect((await add({ name: 'Another' })).text).to.include('id="slug-error">Slug is that of another listing.');
    expect(changesIn(client()).map(({ command }) => command)).to.deep.equal(['listing put']);
  });

  it('keep every member for the page, in the longest texts, through review, change and publication', async () => {
    const long = { description: 'א\n'.repeat(2000).trim(), blurb: 'ב'.repeat(2000) };
    const form = {
      ...fields,
      ...everyPageMember,
      ...long,
      slug: 'quiet-editor',
      commissionFor: '12',
      cookieDays: '60',
    };
    expect((await client().submit(`${list}/add`, { ...form, step: 'review' })).status).to.equal(200);
    expect(outcomeOf(await client().submit(`${list}/add`, { ...form, step: 'save' }))).to.deep.equal([
      303,
      `${one}?done=added`,
    ]);
    expect(await find()).to.include({ ...everyPageMember, ...long });
    const shown = await client().get(one);
    const version = fieldIn(shown.text, 'version');
    expect(fieldIn(shown.text, 'commissionFor')).to.equal('12');
    const changed = { ...form, version, cookieDays: '', commissionFor: 'lifetime', step: 'save' };
    expect(outcomeOf(await client().submit(one, changed))).to.deep.equal([303, `${one}?done=saved`]);
    expect(await find()).to.include({ ...everyPageMember, ...long, cookieDays: null, commissionFor: 'lifetime' });
    const ask = fieldIn((await client().get(`${one}/publish`)).text, 'version');
    expect(outcomeOf(await client().submit(`${one}/publish`, { version: ask }))).to.deep.equal([
      303,
      `${one}?done=publish`,
    ]);
  });

  it('leave a listing as it is if the form that has added it is sent again', async () => {
    await add();
    await put({ ...(await find()), state: 'live' });
    expect(outcomeOf(await add())).to.deep.equal([303, `${one}?done=added`]);
    expect((await find())?.state).to.equal('live');
  });

  it('show the form again with what was typed, and what is wrong at its field', async () => {
    const wrong = { name: '', commissionPercent: '101', url: 'http://x.example', storefrontCount: '-1', slug: 'a b' };
    const { text, ...page } = await add({ ...wrong, category: '\u202Ex' });
    expect([page.status, page.headers['error-code']]).to.deep.equal([400, 'invalid_body']);
    for (const field of [...Object.keys(wrong), 'category']) expect(text).to.include(`id="${field}-error"`);
    expect(text).to.include('Product page must be an https URL').and.include('value="http://x.example"');
    expect(await find()).to.equal(null);
  });

  it('have affiliates if they can be sold, and say at its field what is missing', async () => {
    await client().service.container.get(tokens.products).add(aProduct(), aCall());
    const promoted = { ...everyAffiliateMember, holdDays: '45', commissionFor: '12', productId: 'prod_1' };
    const lacking = await add({ ...promoted, commissionFor: '', saleUrl: '', productId: '' });
    expect(outcomeOf(lacking)).to.deep.equal([400, 'invalid_body']);
    for (const [name, label] of [
      ['productId', 'Product'],
      ['saleUrl', 'Where a sale begins'],
      ['commissionFor', 'Commission paid for'],
    ]) {
      const said = `id="${name}-error">${label} is missing, which a listing with affiliates needs.`;
      expect(lacking.text).to.include(said);
    }
    const upfront = await add({ ...promoted, compensationType: 'upfront' });
    expect(upfront.text).to.include('Compensation must be commission or both in a listing with affiliates.');
    expect(await find()).to.equal(null);
    const reviewed = visible((await add({ ...promoted, step: 'review' })).text);
    expect(reviewed)
      .to.include('Everybody, at once')
      .and.include(promoted.saleUrl)
      .and.include('<span class="button primary large">Promote this</span>');
    expect(outcomeOf(await add(promoted))).to.deep.equal([303, `${one}?done=added`]);
    expect(await find()).to.include({ ...everyAffiliateMember, commissionFor: 12, productId: 'prod_1' });
    const { text } = await client().get(one);
    expect(fieldIn(text, 'holdDays')).to.equal('45');
    expect(folds(text).find(([name]) => name === 'Affiliates')).to.deep.equal(['Affiliates', 'open']);
  });

  it('say how many storefronts are shown, elsewhere and here, and save a form beside a new count', async () => {
    await put({ storefrontCount: 12 });
    const listings = client().service.container.get(tokens.listings);
    const counted = async () => visible((await client().get(one)).text);
    expect(await counted()).to.include('<dd>12 shown: 12 elsewhere, 0 here</dd>');
    const version = fieldIn((await client().get(one)).text, 'version');
    await listings.setStorefronts('quiet-editor', 3, aCall());
    expect(await counted())
      .to.include('<dd>15 shown: 12 elsewhere, 3 here</dd>')
      .and.include('15 storefronts');
    const preview = await client().submit(one, { ...fields, storefrontCount: '1000', step: 'preview' });
    expect(preview.text).to.include('1,003 shown: 1,000 elsewhere, 3 here').and.include('1,003 storefronts');
    const form = { ...fields, version, step: 'save' };
    expect(visible((await client().submit(one, { ...form, step: 'review' })).text)).to.include('29 storefronts');
    expect(outcomeOf(await client().submit(one, form))).to.deep.equal([303, `${one}?done=saved`]);
    expect(await find()).to.include({ storefrontCount: 26, storefronts: 3 });
  });

  it('preview the card of what was typed, and store nothing', async () => {
    await put();
    const { text } = await client().submit(one, { ...fields, step: 'preview', name: hostile, featured: 'true' });
    expect(text.slice(text.indexOf('class="preview"')))
      .to.include('&lt;script&gt;')
      .and.include('Featured');
    expect(text).to.not.include('<script>');
    expect((await find())?.name).to.equal('Quiet Editor');
  });

  it('save changes after a review, keep what the form does not have, and save them once', async () => {
    await put({ state: 'paused' });
    const before = await find();
    const version = fieldIn((await client().get(one)).text, 'version');
    const reviewed = await client().submit(one, { ...fields, version, step: 'review' });
    expect(reviewed.text)
      .to.include('Save these changes?')
      .and.include('50% of every sale')
      .and.include('Keep editing');
    const carried = { ...fields, version: fieldIn(reviewed.text, 'version'), step: 'save' };
    for (const _ of [1, 2]) {
      expect(outcomeOf(await client().submit(one, carried))).to.deep.equal([303, `${one}?done=saved`]);
    }
    const { id, publishedAt, state, url } = (await find()) ?? aListing();
    expect({ id, publishedAt, state }).to.deep.equal({
      id: before?.id,
      publishedAt: before?.publishedAt,
      state: 'paused',
    });
    expect(url).to.equal(fields.url);
    expect(changesIn(client())).to.deep.equal([{ command: 'listing put', slug: 'quiet-editor' }]);
  });

  it('review the page as it will be, beside what changes, with formatted texts and names of choices', async () => {
    const form = {
      ...fields,
      slug: 'quiet-editor',
      description: `## For <writers>\n\n- ${hostile}`,
      storefrontCount: '0',
    };
    const added = visible((await client().submit(`${list}/add`, { ...form, step: 'review' })).text);
    expect(added)
      .to.include('The page as it will be')
      .and.include('<span class="muted small">Pays you</span>')
      .and.include('<h2>For &lt;writers&gt;</h2>')
      .and.include('What it says')
      .and.not.match(/##|<script>|<table|>Before<|Sold in/);
    expect(added.match(/<h1/g)).to.have.length(1);
    await client().submit(`${list}/add`, { ...form, step: 'save' });
    const version = fieldIn((await client().get(one)).text, 'version');
    const changed = { ...form, version, compensationType: 'both', blurb: '', featured: 'true' };
    const reviewed = visible((await client().submit(one, { ...changed, step: 'review' })).text);
    const rows = [...reviewed.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(([, name, value = '']) => [
      name,
      value
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]);
    expect(rows.slice(0, 3)).to.deep.equal([
      ['Compensation', 'Before Commission After Both'],
      ['Blurb', 'Before A text editor that stays out of the way After Nothing'],
      ['Featured', 'Before No After Yes'],
    ]);
  });

  it('mark what is required in the form, and fold the rest where it says nothing', async () => {
    const { text } = await client().get(`${list}/add`);
    const required = [...text.matchAll(/<label for="(\w+)"\s*>[^<]*<span class="required"/g)].map(([, name]) => name);
    const needed = ['slug', 'name', 'category', 'compensationLabel', 'commissionPercent'];
    expect(required).to.deep.equal(needed);
    for (const name of needed)
      expect(text.indexOf(`name="${name}"`)).to.be.lessThan(text.indexOf('<details class="more"'));
    expect(folds(text)).to.deep.equal([
      ['Texts', ''],
      ['More of what it pays', ''],
      ['Affiliates', ''],
      ['Links and pictures', ''],
    ]);
    const wrong = await add({ cookieDays: '-1', url: '' });
    expect(folds(wrong.text)).to.deep.equal([
      ['Texts', 'open'],
      ['More of what it pays', 'open'],
      ['Affiliates', 'open'],
      ['Links and pictures', ''],
    ]);
  });

  it('refuse changes of a listing that is not as it was shown', async () => {
    await put();
    const version = fieldIn((await client().get(one)).text, 'version');
    await put({ storefrontCount: 99 });
    for (const step of ['review', 'save']) {
      const late = await client().submit(one, { ...fields, version, step });
      expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
      expect(late.text).to.include('Storefronts').and.include('>99<').and.include('Nothing was changed');
    }
    expect((await find())?.storefrontCount).to.equal(99);
  });

  it('publish, pause and delete in two steps, each once', async () => {
    await put({ state: 'draft' });
    for (const [change, to] of [
      ['publish', one],
      ['pause', one],
      ['delete', list],
    ] as const) {
      const { text } = await client().get(`${one}/${change}`);
      expect(text)
        .to.match(/this listing\?<\/h1>/)
        .and.include('>Keep it<');
      const version = fieldIn(text, 'version');
      for (const _ of [1, 2]) {
        const done = await client().submit(`${one}/${change}`, { version });
        expect(outcomeOf(done)).to.deep.equal([303, `${to}?done=${change}`]);
      }
    }
    expect(await find()).to.equal(null);
    expect(changesIn(client()).map(({ command }) => command)).to.deep.equal([
      'listing publish',
      'listing pause',
      'listing delete',
    ]);
    expect(outcomeOf(await client().get(one))).to.deep.equal([404, 'listing_not_found']);
  });

  it('refuse a stale publication, and show the page that is to be published', async () => {
    await put({ state: 'paused', description: '## For writers' });
    const { text } = await client().get(`${one}/publish`);
    expect(visible(text)).to.include('The page as it will be').and.include('<h2>For writers</h2>');
    const version = fieldIn(text, 'version');
    await put({ state: 'paused', name: 'Renamed' });
    expect(outcomeOf(await client().submit(`${one}/publish`, { version }))).to.deep.equal([409, 'changed_meanwhile']);
    expect((await find())?.state).to.equal('paused');
  });

  it('show a reader no change, and refuse it', async () => {
    await put();
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    for (const path of [list, one]) expect(changesOn((await client().get(path)).text)).to.deep.equal([]);
    for (const path of [`${list}/add`, `${list}/import`, `${one}/pause`]) {
      expect(outcomeOf(await client().get(path))).to.deep.equal([403, 'insufficient_scope']);
    }
  });

  it('import a CSV after the report of a dry run', async () => {
    const path = `${list}/import`;
    const header = 'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount';
    const csv = [header, 'quiet-editor,Quiet,"two\r\nlines",A,12.5,both,x,3', 'b,B,x,B,many,both,x,3', ''].join('\r\n');
    const checked = await client().submit(path, { step: 'check', csv });
    expect(checked.text).to.include('1 listing will be added').and.include('1 line is left out.');
    expect(checked.text)
      .to.include('commissionPercent must be a number from 0 to 100.')
      .and.include('Import 1 listing');
    expect(await find()).to.equal(null);
    const imported = await client().submit(path, { step: 'import', csv });
    expect(imported.text).to.include('1 listing was imported').and.include('commissionPercent must be');
    expect((await find())?.blurb).to.equal('two\nlines');
    expect(changesIn(client())).to.deep.equal([{ command: 'listing import', listings: 1 }]);
    const vain = await client().submit(path, { step: 'check', csv: hostile });
    expect(vain.text).to.include('Nothing was changed.').and.not.include('<script>').and.not.include('value="import"');
    expect(outcomeOf(await client().submit(path, { step: 'check', csv: ' ' }))).to.deep.equal([400, 'invalid_body']);
    expect((await client().submit(path, { step: 'edit', csv: '<b>' })).text).to.include('&lt;b&gt;</textarea>');
  });

  it('take a CSV of nearly 1 MiB, and refuse a larger one', async () => {
    const path = `${list}/import`;
    const large = await client().submit(path, { step: 'check', csv: 'x'.repeat(1_000_000) });
    expect(large.status).to.equal(200);
    const larger = await client().submit(path, { step: 'check', csv: 'x'.repeat(1_100_000) });
    expect(outcomeOf(larger)).to.deep.equal([413, 'payload_too_large']);
  });

  it('carry a CSV on as it was typed, and back into its field, however long it is', async () => {
    const csv = hostile.repeat(8000);
    const checked = await client().submit(`${list}/import`, { step: 'check', csv });
    expect(fieldIn(checked.text, 'csv') === csv).to.equal(true);
    const edited = await client().submit(`${list}/import`, { step: 'edit', csv });
    const [, area = ''] = /<textarea [^>]*>\n+([^<]*)<\/textarea>/.exec(edited.text) ?? [];
    expect(area === html`${hostile}`.text.repeat(8000)).to.equal(true);
  });

  it('show the beginning of what is wrong with a line if it is long', async () => {
    const csv = Array.from({ length: 900 }, (_, index) => `slug${String.fromCodePoint(0x4e00 + index)}`).join(',');
    const { text } = await client().submit(`${list}/import`, { step: 'check', csv });
    const [, error = ''] = /data-label="What is wrong">([^<]*)</.exec(text) ?? [];
    expect(error).to.match(/^&quot;slug一&quot; is unknown; did you mean slug\?.*…$/);
    expect(error.replaceAll('&quot;', '"')).to.have.length(2001);
  });
});

/** The visible part of a page, without the hidden fields of its forms. */
function visible(text: string): string {
  return text.slice(text.indexOf('<main')).replaceAll(/<input type="hidden"[^>]*>/g, '');
}

/** The folded parts of a form, and whether they are open. */
function folds(text: string): readonly (readonly [name: string, open: string])[] {
  const found = text.matchAll(/<details class="more"([^>]*)>\s*<summary>.*?<\/svg\s*>([^<]*)</gs);
  return [...found].map(([, open = '', name = '']) => [name, open.trim()]);
}

const sentence =
  /is not among the hosts of pictures \(<span class="mono">SITE_IMAGE_HOSTS<\/span>\): this picture will not be\s+shown\./;

/** The row of a listing with a wide picture. */
function row(slug: string, host: string): string {
  return `${slug},A,,B,1,both,C,0,https://${host}/1.png`;
}

describe('a picture of a listing whose host is not allowed', () => {
  const client = freshConsole(memory, { siteImageHosts: ['cdn.example', 'images.example:8443'] });
  const list = '/console/listings';

  const pages = async (imageUrl: string): Promise<readonly boolean[]> => {
    await client().signIn();
    const form = { ...fields, slug: 'quiet-editor', imageUrl };
    const texts = [];
    for (const step of ['preview', 'review'])
      texts.push((await client().submit(`${list}/add`, { ...form, step })).text);
    return texts.map((text) => sentence.test(text));
  };

  for (const imageUrl of [
    'https://other.example/1.png',
    'https://cdn.example:8443/1.png',
    'https://images.example/1.png',
  ]) {
    it(`is said not to be shown, with the setting: ${imageUrl}`, async () => {
      expect(await pages(imageUrl)).to.deep.equal([true, true]);
    });
  }

  for (const imageUrl of ['', 'https://cdn.example/1.png', 'https://images.example:8443/1.png']) {
    it(`is not said of ${imageUrl || 'none'}`, async () => {
      expect(await pages(imageUrl)).to.deep.equal([false, false]);
    });
  }

  it('is said in the report of an import, once for each host', async () => {
    await client().signIn();
    const header = 'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount';
    const rows = [row('a', 'other.example'), row('b', 'other.example'), row('c', 'cdn.example'), 'd'];
    const csv = [`${header},pictureUrl`, ...rows].join('\n');
    for (const step of ['check', 'import']) {
      const { text } = await client().submit(`${list}/import`, { step, csv });
      expect(text.split('other.example</span> is not among the hosts of pictures')).to.have.length(2);
      expect(text).to.match(sentence).and.not.include('cdn.example</span>');
    }
  });

  it('is said of the wide picture at its field, and nothing is refused for it', async () => {
    await client().signIn();
    const form = { ...fields, slug: 'quiet-editor', pictureUrl: 'https://other.example/1.png' };
    const { text } = await client().submit(`${list}/add`, { ...form, step: 'preview' });
    expect(text)
      .to.include('aria-describedby="pictureUrl-hint pictureUrl-error"')
      .and.match(/<p class="error" id="pictureUrl-error">\s*<span class="mono">other.example<\/span> is not among/);
    expect(outcomeOf(await client().submit(`${list}/add`, { ...form, step: 'save' }))[0]).to.equal(303);
  });

  it('is said on the page of the listing', async () => {
    await client().signIn();
    const imageUrl = 'https://other.example/1.png';
    await client().submit(`${list}/add`, { ...fields, slug: 'quiet-editor', imageUrl, step: 'save' });
    const { text } = await client().get(`${list}/quiet-editor`);
    expect(text).to.match(sentence).and.include('other.example</span>');
  });

  it('is said of the icon of a product, on its page and in its form', async () => {
    await client().signIn();
    const products = client().service.container.get(tokens.products);
    for (const host of ['other.example', 'cdn.example']) {
      await products.put(aProduct({ iconUrl: `https://${host}/1.png` }), aCall());
      for (const path of ['', '/links']) {
        const { text } = await client().get(`/console/products/prod_1${path}`);
        expect(text).to.include(`https://${host}/1.png`);
        expect(sentence.test(text)).to.equal(host === 'other.example');
      }
    }
  });
});
