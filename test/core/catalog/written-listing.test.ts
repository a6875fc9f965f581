import { expect } from 'chai';
import { listingRules, requiredOfListing } from '../../../core/catalog/administration/written-listing.ts';
import { readMembers } from '../../../core/parsing/read-members.ts';
import { aListing, everyAffiliateMember, everyPageMember } from '../../support/builders.ts';

const { storefronts: _storefronts, ...listing } = aListing({
  ...everyPageMember,
  ...everyAffiliateMember,
  productId: 'prod_1',
});
const written = { ...listing, publishedAt: listing.publishedAt.toISOString() };

const bidiName = 'bidi controls (U+202A to U+202E, U+2066 to U+2069)';
const nameRule = `must be 1 to 200 characters, not blank and without control characters or ${bidiName}`;
const bidi = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'.split('').map((control) => `a${control}b`);
/** Marks of direction that embed nothing, neighbors of the controls, and scripts that run from right to left. */
const notBidi = ['\u200e\u200f\u061c', '\u2027\u202f\u2065\u206a', 'שלום مرحبا'];

const urlRule =
  'must be an https URL, or an http one of this machine, of at most 2,048 ASCII characters without user name';
const urls = [
  'https://tidy.example',
  'https://localhost:65535/a?b=c&d="<%20>"#e',
  'https://127.0.0.1#a',
  'http://localhost',
  'http://127.0.0.1:3000/a?b#c',
  'https://xn--caf-dma.example/?@',
  `https://a/${'x'.repeat(2038)}`,
];
const noHost = 'must name a host, of letters, digits, ".", "-" and "_"';
const notAscii = 'must be of ASCII characters: percent-encode the others, such as ü as %C3%BC';
/** https URLs with a wrong part, and what is said of it. */
const wrongParts: Readonly<Record<string, string>> = {
  'https://': noHost,
  'https:///a': noHost,
  'https://ada@tidy.example': 'must have no user name or password',
  'https://tidy.example:443@evil.example': 'must have no user name or password',
  'https://tidy.example\\@evil.example': 'must have no user name or password',
  'https://tidy.example:65536': 'must have a port of at most 65535 behind the colon',
  'https://tidy.example/a b': 'must have no white space',
  'https://tidy.example/a\nb': 'must have no white space',
  'https://tidy.example\n': 'must have no white space',
  'https://tidy.example/café': notAscii,
  'https://tidy.example/\u202e': notAscii,
  'https://café.example':
    'must have a host of ASCII characters: write an international name in Punycode, such as xn--bcher-kva.example',
  [`https://a/${'x'.repeat(2039)}`]: 'must have at most 2048 characters',
};
const notUrls = [
  ...Object.keys(wrongParts),
  '',
  'tidy.example',
  '//tidy.example',
  'http://tidy.example',
  'HTTPS://tidy.example',
  'javascript://tidy.example/%0aalert(1)',
  'data:image/png;base64,AAAA',
  ' https://tidy.example',
  5,
];

const mailtos = ['mailto:partners@tidy.example', 'mailto:o-neill+shop.1@mail.tidy-desk.co.uk'];
const notMailtos = [
  'mailto:',
  'mailto:tidy.example',
  'mailto:@tidy.example',
  'mailto:a@b@tidy.example',
  'mailto:a@tidy.example,b@tidy.example',
  'mailto:a@tidy.example?subject=x',
  'mailto:a%40b@tidy.example',
  'mailto:a@tidy..example',
  'mailto:Ada <a@tidy.example>',
  'MAILTO:a@tidy.example',
  'tel:123',
];

type Member = keyof typeof listingRules;

describe('a written listing', () => {
  it('has every member of a listing but the storefronts here, which are counted', () => {
    expect(read(written)).to.deep.equal({ kind: 'read', values: listing });
  });

  it('may leave out what has a default', () => {
    const mistakes = requiredOfListing.map((member) => ({ member, problem: 'is missing' }));
    expect(read({})).to.deep.equal({ kind: 'wrong', mistakes });
    expect(requiredOfListing).to.deep.equal(
      'slug name blurb category commissionPercent compensationType compensationLabel'.split(' '),
    );
  });

  const accepted: readonly (readonly [Member, readonly unknown[]])[] = [
    ['name', notBidi],
    ['category', notBidi],
    ['compensationLabel', notBidi],
    ['blurb', [...notBidi, '', 'two\nlines', 'b'.repeat(2000), '🚀'.repeat(2000)]],
    ['commissionPercent', [0, 12.5, 100]],
    ['compensationType', ['commission', 'upfront', 'both']],
    ['state', ['draft', 'live', 'paused']],
    ['url', [null, ...urls]],
    ['imageUrl', [null, ...urls]],
    ['joinUrl', [null, ...urls]],
    ['makerUrl', [null, ...urls]],
    ['pictureUrl', [null, ...urls]],
    ['contactUrl', [null, ...urls, ...mailtos]],
    ['description', [null, ...notBidi, '', '## a\n\r\t- b', 'b'.repeat(4000), '🚀'.repeat(4000)]],
    ['commissionFor', [null, 'first_payment', 'lifetime', 1, 120]],
    ['cookieDays', [null, 0, 3650]],
    ['payoutLabel', [null, ...notBidi]],
    ['maker', [null, ...notBidi]],
    ['pictureAlt', [null, '', ' ', ...notBidi, '🚀'.repeat(200)]],
    ['storefrontCount', [null, 0, 1]],
    ['affiliates', [null, 'none', 'ask', 'open']],
    ['saleUrl', [null, ...urls]],
    ['holdDays', [null, 0, 30, 180]],
  ];
  for (const [member, values] of accepted) {
    it(`accepts as ${member} each value that it may have`, () => {
      for (const value of values)
        expect(read({ ...written, [member]: value }), String(value)).to.include({ kind: 'read' });
    });
  }

  const refused: readonly (readonly [Member, string, readonly unknown[]])[] = [
    ['slug', listingRules.slug.rule, ['', 'a b']],
    ['name', nameRule, ['', 'n'.repeat(201), ...bidi]],
    [
      'blurb',
      `must be a text of at most 2,000 characters without ${bidiName}`,
      ['b'.repeat(2001), 'a\0', 'a\uD800', 5, ...bidi],
    ],
    ['category', nameRule, [' ', ...bidi]],
    ['commissionPercent', 'must be a number from 0 to 100', [-0.01, 100.01, NaN, '5']],
    ['compensationType', 'must be one of commission, upfront, both', ['', 'Both', 'none']],
    ['compensationLabel', nameRule, ['', ...bidi]],
    ['storefrontCount', 'must be a whole number, 0 or more', [-1, 0.5]],
    ['id', listingRules.id.rule, ['']],
    ['featured', 'must be true or false', ['yes']],
    ['publishedAt', listingRules.publishedAt.rule, ['2026-08-01']],
    ['upfrontCents', 'must be a whole number, 0 or more', [-1]],
    ['state', 'must be one of draft, live, paused', ['', 'gone']],
    ['url', urlRule, notUrls],
    ['imageUrl', urlRule, notUrls],
    ['joinUrl', urlRule, [...notUrls, ...mailtos]],
    ['makerUrl', urlRule, notUrls],
    ['pictureUrl', urlRule, notUrls],
    ['contactUrl', `${urlRule}, or mailto: and one e-mail address`, [...notUrls, ...notMailtos]],
    [
      'description',
      `must be a text of at most 4,000 characters without ${bidiName}`,
      ['b'.repeat(4001), 'a\0', 'a\uD800', 5, ...bidi],
    ],
    [
      'commissionFor',
      'must be first_payment, lifetime, or a whole number of months from 1 to 120',
      ['', '12', 'Lifetime', 0, 121, 1.5, true],
    ],
    ['cookieDays', 'must be a whole number from 0 to 3650', [-1, 0.5, 3651, '60']],
    ['affiliates', 'must be one of none, ask, open', ['', 'Open', 'all', true]],
    ['saleUrl', urlRule, [...notUrls, ...mailtos]],
    ['holdDays', 'must be a whole number from 0 to 180', [-1, 0.5, 181, '30']],
    ['payoutLabel', nameRule, ['', 'n'.repeat(201), ...bidi]],
    ['maker', nameRule, [' ', ...bidi]],
    [
      'pictureAlt',
      `must be at most 200 characters, without control characters or ${bidiName}`,
      ['a'.repeat(201), 'a\nb', 'a\u2028b', 'a\uD800', 5, ...bidi],
    ],
  ];
  for (const [member, problem, values] of refused) {
    it(`refuses as ${member} what breaks its rule`, () => {
      for (const value of values) {
        const said = (typeof value === 'string' ? wrongParts[value] : undefined) ?? problem;
        const expected = { kind: 'wrong', mistakes: [{ member, problem: said }] };
        expect(read({ ...written, [member]: value }), String(value)).to.deep.equal(expected);
      }
    });
  }
});

describe('a listing written in cells', () => {
  it('has months and days in digits', () => {
    const cells = { ...withTexts(), commissionFor: '12', cookieDays: '60', holdDays: '45' };
    expect(readMembers(listingRules, requiredOfListing, cells, 'parse')).to.deep.equal({
      kind: 'read',
      values: listing,
    });
    for (const commissionFor of ['012', '1e1', ' 12', '121', 'Lifetime']) {
      expect(readMembers(listingRules, requiredOfListing, { ...cells, commissionFor }, 'parse').kind).to.equal('wrong');
    }
  });
});

function withTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, String(value)]));
}

function read(given: Readonly<Record<string, unknown>>) {
  return readMembers(listingRules, requiredOfListing, given, 'read');
}
