import { expect } from 'chai';
import {
  dueText,
  instantText,
  momentText,
  periodText,
  relativeText,
  shortDayText,
  weekdayText,
} from '../../../../../adapters/web/console/display/dates.ts';

const now = new Date('2026-11-24T14:02:30Z');

describe('dates of the console', () => {
  const relatives: readonly (readonly [at: string, text: string])[] = [
    ['2026-11-24T14:02:30Z', 'now'],
    ['2026-11-24T14:02:50Z', 'in 20 seconds'],
    ['2026-11-24T14:02:10Z', '20 seconds ago'],
    ['2026-11-24T14:02:31Z', 'in 1 second'],
    ['2026-11-24T14:44:30Z', 'in 42 minutes'],
    ['2026-11-24T15:02:20Z', 'in 1 hour'],
    ['2026-11-25T09:28:00Z', 'in 19 hours'],
    ['2026-11-25T14:02:00Z', 'in 1 day'],
    ['2026-12-02T08:00:00Z', 'in 8 days'],
    ['2026-12-18T09:30:00Z', 'in 24 days'],
    ['2026-12-24T13:55:00Z', 'in 30 days'],
    ['2027-01-09T12:00:00Z', 'in 6 weeks'],
    ['2027-04-03T10:00:00Z', 'in 4 months'],
    ['2028-12-01T00:00:00Z', 'in 2 years'],
    ['3026-12-01T00:00:00Z', 'in 1,000 years'],
    ['2026-11-22T12:00:00Z', '2 days ago'],
    ['2026-11-14T19:45:00Z', '10 days ago'],
    ['2026-11-01T07:10:00Z', '3 weeks ago'],
    ['2026-08-18T09:30:00Z', '3 months ago'],
    ['2025-11-01T00:00:00Z', '1 year ago'],
  ];
  for (const [at, text] of relatives) {
    it(`call ${at} "${text}"`, () => {
      expect(relativeText(new Date(at), now)).to.equal(text);
    });
  }

  it('are due now once their time has come', () => {
    const texts = ['2026-12-18T09:30:00Z', now.toISOString(), '2026-11-22T12:00:00Z'].map((at) =>
      dueText(new Date(at), now),
    );
    expect(texts).to.deep.equal(['in 24 days', 'now', 'now']);
  });

  it('are in UTC, and name the year where it is another one', () => {
    const at = new Date('2026-12-18T09:30:00Z');
    const later = new Date('2027-01-01T00:00:00+02:00');
    expect([instantText(at), weekdayText(at, now), shortDayText(at, now)]).to.deep.equal([
      '18 December 2026, 09:30 UTC',
      'Friday 18 December, 09:30 UTC',
      '18 Dec',
    ]);
    expect([shortDayText(later, now), shortDayText(new Date('2027-01-01T00:00:00Z'), now)]).to.deep.equal([
      '31 Dec',
      '1 Jan 2027',
    ]);
    expect(periodText(new Date('2026-11-18T00:00:00Z'), at)).to.equal('18 November to 18 December 2026');
    expect(periodText(new Date('2025-12-18T00:00:00Z'), at)).to.equal('18 December 2025 to 18 December 2026');
  });

  it('call the present day today', () => {
    expect(momentText(new Date('2026-11-24T00:00:00Z'), now)).to.equal('today, 00:00');
    expect(momentText(new Date('2026-11-23T23:59:00Z'), now)).to.equal('23 November, 23:59');
  });
});
