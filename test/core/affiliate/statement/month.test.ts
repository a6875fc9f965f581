import { expect } from 'chai';
import { endOfMonth, isOver, lastMonthOver, monthRule } from '../../../../core/affiliate/statement/month.ts';

describe('a month of a statement', () => {
  it('is written as its year and number', () => {
    for (const month of ['2026-01', '2026-12', '1000-06']) expect(monthRule.parse(month)).to.equal(month);
    for (const text of ['2026-13', '2026-00', '2026-1', '0999-01', '2026-11-01', ' 2026-11', '2026/11', ''])
      expect(monthRule.parse(text), text).to.equal(null);
  });

  it('ends when the next one begins, by UTC', () => {
    expect(endOfMonth('2026-11')).to.deep.equal(new Date('2026-12-01T00:00:00Z'));
    expect(endOfMonth('2026-12')).to.deep.equal(new Date('2027-01-01T00:00:00Z'));
    expect(isOver('2026-11', new Date('2026-11-30T23:59:59.999Z'))).to.equal(false);
    expect(isOver('2026-11', new Date('2026-12-01T00:00:00Z'))).to.equal(true);
  });

  it('is over from then on', () => {
    expect(lastMonthOver(new Date('2026-12-01T00:00:00Z'))).to.equal('2026-11');
    expect(lastMonthOver(new Date('2026-11-30T23:59:59.999Z'))).to.equal('2026-10');
    expect(lastMonthOver(new Date('2026-01-31T12:00:00Z'))).to.equal('2025-12');
  });
});
