import { expect } from 'chai';
import { addressOf, neighborsOf, pageNumbersOf, readBrowse } from '../../../adapters/web/marketplace/browse-query.ts';
import { readListingQuery } from '../../../core/catalog/listing-query.ts';

describe('the query of the marketplace', () => {
  it('is that of the API', () => {
    const text =
      'q=Photo+caf%C3%A9&category=Writing&compensation=both&minCommission=20&minStorefronts=5&sort=reward&offset=48';
    const parameters = new URLSearchParams(text);
    expect(readBrowse(text).query).to.deep.equal(readListingQuery((name) => parameters.get(name)));
  });

  it('leaves out parameters that a form sends empty', () => {
    const empty = 'q=&category=&compensation=&minCommission=&minStorefronts=+&sort=&offset=';
    expect(readBrowse(empty)).to.deep.equal(readBrowse(''));
  });

  it('has pages of one size', () => {
    expect(readBrowse('limit=1').query.limit).to.equal(24);
  });

  for (const [text, address] of [
    ['', '/'],
    ['q=&sort=charts&compensation=all&offset=0&limit=7&other=1', '/'],
    ['sort=new&q=a+b', '/?q=a+b&sort=new'],
    ['q=%20a%20&sort=never&offset=-5', '/?q=a'],
    ['category=%3Cb%3E', '/?category=%3Cb%3E'],
    ['minCommission=21&minStorefronts=10', '/?minStorefronts=10'],
    ['offset=24', '/?offset=24'],
    [`q=${'x'.repeat(300)}`, `/?q=${'x'.repeat(200)}`],
  ] as const) {
    it(`has the address ${address.slice(0, 40)} for ${JSON.stringify(text.slice(0, 70))}`, () => {
      const browse = readBrowse(text);
      expect(addressOf(browse)).to.equal(address);
      expect(readBrowse(address.slice(2))).to.deep.equal(browse);
    });
  }

  it('knows the pages around it', () => {
    expect(neighborsOf({ offset: 0, total: 24 })).to.deep.equal({ previous: null, next: null });
    expect(neighborsOf({ offset: 0, total: 25 })).to.deep.equal({ previous: null, next: 24 });
    expect(neighborsOf({ offset: 24, total: 49 })).to.deep.equal({ previous: 0, next: 48 });
    expect(neighborsOf({ offset: 7, total: 30 })).to.deep.equal({ previous: 0, next: null });
    expect(neighborsOf({ offset: 960, total: 49 })).to.deep.equal({ previous: 48, next: null });
    expect(neighborsOf({ offset: 960, total: 0 })).to.deep.equal({ previous: 0, next: null });
    expect(pageNumbersOf({ offset: 24, total: 49 })).to.deep.equal({ page: 2, pages: 3 });
    expect(pageNumbersOf({ offset: 0, total: 0 })).to.deep.equal({ page: 1, pages: 1 });
  });
});
