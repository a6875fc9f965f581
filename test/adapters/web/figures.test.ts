import { expect } from 'chai';
import { fullDayText, numberText } from '../../../adapters/web/markup/figures.ts';
import { range } from '../../support/range.ts';

describe('figures on pages', () => {
  it('are written as the English locales write them', () => {
    const numbers = new Intl.NumberFormat('en');
    const counts = [0, 7, 42, 999, 1000, 12_345, 100_000, 999_999, 1_000_000, 2_147_483_647];
    expect(counts.map(numberText)).to.deep.equal(counts.map((count) => numbers.format(count)));
    const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const days = range(366).map((day) => new Date(Date.UTC(2028, 0, 1 + day, 23, 59)));
    expect(days.map(fullDayText)).to.deep.equal(days.map((day) => dates.format(day)));
  });
});
