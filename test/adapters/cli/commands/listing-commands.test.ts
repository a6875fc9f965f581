import { expect } from 'chai';
import { listingLine } from '../../../../adapters/cli/import/listing-csv.ts';
import { listingNameRule } from '../../../../core/catalog/administration/written-listing.ts';
import { noAffiliateMembers } from '../../../../core/catalog/affiliate-members.ts';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { noPageMembers } from '../../../../core/catalog/page-members.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { urlRule } from '../../../../core/parsing/url-rules.ts';
import { booleanRule, countRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import { noon } from '../../../support/builders.ts';
import { jsonError, TestCommandLine } from '../../../support/cli/command-line.ts';
import { range } from '../../../support/range.ts';

const required = {
  slug: 'quiet-editor',
  name: 'Quiet Editor',
  blurb: 'Stays out of the way',
  category: 'Writing',
  commissionPercent: 12.5,
  compensationType: 'both',
  compensationLabel: '12.5 %',
};

/** The rule of each member. */
const rules = {
  slug: identifierRule,
  name: listingNameRule,
  blurb: {
    rule: 'must be a text of at most 2,000 characters without bidi controls (U+202A to U+202E, U+2066 to U+2069)',
  },
  category: listingNameRule,
  commissionPercent: { rule: 'must be a number from 0 to 100' },
  compensationType: oneOf(['commission', 'upfront', 'both']),
  compensationLabel: listingNameRule,
  storefrontCount: countRule,
  id: identifierRule,
  productId: identifierRule,
  featured: booleanRule,
  publishedAt: instantRule,
  upfrontCents: countRule,
  state: oneOf(['draft', 'live', 'paused']),
  url: urlRule,
  imageUrl: urlRule,
  description: {
    rule: 'must be a text of at most 4,000 characters without bidi controls (U+202A to U+202E, U+2066 to U+2069)',
  },
  joinUrl: urlRule,
  commissionFor: { rule: 'must be first_payment, lifetime, or a whole number of months from 1 to 120' },
  cookieDays: { rule: 'must be a whole number from 0 to 3650' },
  payoutLabel: listingNameRule,
  maker: listingNameRule,
  makerUrl: urlRule,
  contactUrl: {
    rule: 'must be an https URL, or an http one of this machine, of at most 2,048 ASCII characters without user name, or mailto: and one e-mail address',
  },
  pictureUrl: urlRule,
  pictureAlt: {
    rule: 'must be at most 200 characters, without control characters or bidi controls (U+202A to U+202E, U+2066 to U+2069)',
  },
  affiliates: oneOf(['none', 'ask', 'open']),
  saleUrl: urlRule,
  holdDays: { rule: 'must be a whole number from 0 to 180' },
};

describe('latchkey listing', () => {
  let line: TestCommandLine;
  beforeEach(() => {
    line = new TestCommandLine();
  });

  it('imports a listing with defaults for optional members, creating the store', async () => {
    const result = await line.json('listing import -', JSON.stringify(required));
    expect(result).to.deep.equal({ imported: 1, failed: 0, errors: [] });
    const [{ id, ...rest }] = (await listed()) as [Listing];
    expect(id).to.match(/^lst_\w{22}$/);
    const defaults = {
      productId: null,
      featured: false,
      state: 'live',
      publishedAt: noon.toISOString(),
      upfrontCents: 0,
      storefrontCount: 0,
      ...noPageMembers,
      ...noAffiliateMembers,
      storefronts: 0,
    };
    expect(rest).to.deep.equal({ ...required, ...defaults });
    expect(line.opened[0]).to.deep.equal({ url: 'sqlite:data/latchkey.db', create: true });
    expect(line.changes).to.deep.equal([{ command: 'listing import', listings: 1 }]);
  });

  it('has a rule for every member', () => {
    expect(listingLine.rules).to.have.all.keys(Object.keys(rules));
    expect(listingLine.required).to.deep.equal(Object.keys(required));
  });

  it('reports each bad line, imports the others, and exits with 1', async () => {
    await line.json('listing import -', JSON.stringify({ ...required, id: 'lst_1' }));
    const rows: readonly (readonly [line: unknown, error: string])[] = [
      ...Object.keys(required).map((name) => [{ ...required, [name]: undefined }, `${name} is missing.`] as const),
      ...Object.entries(rules).map(([name, { rule }]) => [{ ...required, [name]: {} }, `${name} ${rule}.`] as const),
      [[], 'The line must be a JSON object.'],
      ['{', 'The line must be a JSON object.'],
      [{ ...required, slug: 'thief', id: 'lst_1' }, 'id must not be that of another listing.'],
      [
        { ...required, affiliates: 'open', compensationType: 'upfront', commissionFor: 12 },
        'productId is missing, which a listing with affiliates needs. saleUrl is missing, which a listing with affiliates needs. compensationType must be commission or both in a listing with affiliates.',
      ],
    ];
    const bad = rows.map(([value]) => (typeof value === 'string' ? value : JSON.stringify(value)));
    const text = [...bad, '', JSON.stringify({ ...required, slug: 'other', unknown: 1 })].join('\r\n');
    const errors = rows.map(([, error], index) => {
      const code = error.startsWith('id must not') ? 'listing_exists' : 'invalid_line';
      return { line: index + 1, code, error };
    });
    const before = structuredClone(line.store);
    line.changes.length = 0;
    line.opened.length = 0;
    const tried = await line.run(['listing', 'import', '-', '--dry-run', '--json'], text);
    expect([structuredClone(line.store), line.changes]).to.deep.equal([before, []]);
    expect(line.opened).to.deep.equal([{ url: 'sqlite:data/latchkey.db', create: false, pretend: true }]);
    const count = `${rows.length} of ${rows.length + 1} lines were rejected.`;
    expect([tried.exitCode, tried.stderr]).to.deep.equal([1, jsonError('lines_refused', count)]);
    expect(JSON.parse(tried.stdout)).to.deep.equal({ imported: 1, failed: rows.length, errors });
    expect(await line.run(['listing', 'import', '-', '--json'], text)).to.deep.equal(tried);
    expect((await listed()).map(({ slug }) => slug)).to.deep.equal(['other', 'quiet-editor']);
  });

  it('reports lines that are too long or not UTF-8', async () => {
    const good = Buffer.from(`${JSON.stringify(required)}\n`);
    const bytes = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`"${'x'.repeat(200_000)}"\n`), good]);
    const { stdout } = await line.run(['listing', 'import', '-', '--json'], bytes);
    const error = 'The line must be UTF-8 and at most 64 KiB long.';
    const errors = [
      { line: 1, code: 'invalid_line', error },
      { line: 2, code: 'invalid_line', error },
    ];
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 2, errors });
  });

  it('takes a byte order mark, and refuses UTF-16 before it stores anything', async () => {
    const text = `${JSON.stringify(required)}\n`;
    expect(await line.json('listing import -', `\uFEFF${text}`)).to.deep.include({ imported: 1, failed: 0 });
    const csv = 'slug\ns-1\n';
    for (const [format, content] of [
      ['ndjson', text],
      ['csv', csv],
    ] as const) {
      for (const mark of ['\uFEFF', '']) {
        const bytes = Buffer.from(mark + content, 'utf16le');
        for (const each of [bytes, Buffer.from(bytes).swap16()]) {
          const { exitCode, stdout, stderr } = await line.run(['listing', 'import', '-', '--format', format], each);
          expect([exitCode, stdout, stderr]).to.deep.equal([2, '', 'The input is UTF-16: save it as UTF-8.\n']);
        }
      }
    }
  });

  it('stores the first lines before it has read the last', async () => {
    let stored = 0;
    async function* lines(): AsyncIterable<Uint8Array> {
      for (const number of range(2000)) {
        stored = line.store.listings.size;
        yield Buffer.from(`${JSON.stringify({ ...required, slug: `s-${number}` })}\n`);
      }
    }
    await line.run(['listing', 'import', '-'], '', { stdin: lines() });
    expect(stored).to.be.within(1000, 1999);
  });

  it('says whether it has deleted a listing', async () => {
    await line.json('listing import -', JSON.stringify(required));
    const said = [];
    for (const _ of ['once', 'twice']) said.push((await line.run(['listing', 'delete', 'quiet-editor'])).stdout);
    expect(said).to.deep.equal(['Deleted.\n', 'There is no such listing.\n']);
  });

  async function listed(): Promise<readonly Listing[]> {
    return (await line.json('listing list')) as readonly Listing[];
  }
});
