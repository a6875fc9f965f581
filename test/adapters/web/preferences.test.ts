import { expect } from 'chai';
import { chooseCoding, prefersHtml } from '../../../adapters/web/page/preferences.ts';
import { browserAccept } from '../../support/web/page-client.ts';

describe('the preferences of a client', () => {
  for (const [accept, expected] of [
    [browserAccept, true],
    ['text/html', true],
    ['TEXT/HTML; charset=utf-8', true],
    ['text/*', true],
    ['application/json;q=0.5, text/html;q=0.6', true],
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/plain, */*', false],
    ['application/json, text/html', false],
    ['text/html;q=0', false],
    ['text/html;q=many, */*;q=0.1', false],
    ['application/json;q=0.7, text/html;q=0.6', false],
  ] as const) {
    it(`are ${expected ? 'a page' : 'JSON'} for Accept: ${accept}`, () => {
      expect(prefersHtml(accept)).to.equal(expected);
    });
  }

  for (const [field, expected] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['', null],
    ['identity', null],
    ['gzip;q=0', null],
  ] as const) {
    it(`are ${expected ?? 'no coding'} for Accept-Encoding: ${field}`, () => {
      expect(chooseCoding(field)).to.equal(expected);
    });
  }
});
