import { expect } from 'chai';
import { parseHttpDate } from '../../../../adapters/http/operations/http-date.ts';
import { noon } from '../../../support/builders.ts';

const example = '1994-11-06T08:49:37.000Z';

const dates: readonly (readonly [text: string, instant: string | null])[] = [
  ['Sun, 06 Nov 1994 08:49:37 GMT', example],
  ['Sunday, 06-Nov-94 08:49:37 GMT', example],
  ['Sun Nov  6 08:49:37 1994', example],
  ['Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
  ['Saturday, 18-Jul-76 12:00:00 GMT', '2076-07-18T12:00:00.000Z'],
  ['Sunday, 18-Jul-77 12:00:00 GMT', '1977-07-18T12:00:00.000Z'],
  ['Sat, 29 Feb 2020 23:59:59 GMT', '2020-02-29T23:59:59.000Z'],
  ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
  ['Mon, 01 Jan 0050 00:00:00 GMT', '0050-01-01T00:00:00.000Z'],
  ['Mon, 29 Feb 2021 00:00:00 GMT', null],
  ['Sun, 00 Nov 1994 08:49:37 GMT', null],
  ['Sun, 31 Nov 1994 08:49:37 GMT', null],
  ['Sun, 06 Nov 1994 24:00:00 GMT', null],
  ['Sun, 06 Nov 1994 08:60:00 GMT', null],
  ['Sun, 06 Nov 1994 08:49:61 GMT', null],
  ['Sun, 6 Nov 1994 08:49:37 GMT', null],
  ['Sun, 06 Nov 1994 08:49:37 UTC', null],
  ['Sun, 06 Nov 1994 08:49:37 +0000', null],
  ['sun, 06 nov 1994 08:49:37 gmt', null],
  ['Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT', null],
  ['1994-11-06T08:49:37Z', null],
  ['', null],
];

describe('an HTTP date', () => {
  for (const [text, instant] of dates) {
    it(`is ${instant ?? 'not'} ${JSON.stringify(text)}`, () => {
      expect(parseHttpDate(text, noon)?.toISOString() ?? null).to.equal(instant);
    });
  }
});
