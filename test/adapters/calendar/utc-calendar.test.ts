import { expect } from 'chai';
import { addInterval } from '../../../adapters/calendar/utc-calendar.ts';
import type { BillingInterval } from '../../../core/entitlement/entitlement.ts';

const examples: readonly (readonly [start: string, interval: BillingInterval, end: string, count?: number])[] = [
  ['2026-12-31T23:59:59.999Z', 'day', '2027-01-01T23:59:59.999Z'],
  ['2028-02-28T00:00:00.000Z', 'day', '2028-02-29T00:00:00.000Z'],
  ['2026-02-25T06:00:00.000Z', 'week', '2026-03-04T06:00:00.000Z'],
  ['2026-01-15T00:00:00.000Z', 'month', '2026-02-15T00:00:00.000Z'],
  ['2026-01-31T10:00:00.000Z', 'month', '2026-02-28T10:00:00.000Z'],
  ['2028-01-31T10:00:00.000Z', 'month', '2028-02-29T10:00:00.000Z'],
  ['2026-03-31T23:30:00.000Z', 'month', '2026-04-30T23:30:00.000Z'],
  ['2026-12-31T00:00:00.000Z', 'month', '2027-01-31T00:00:00.000Z'],
  ['2026-02-28T00:00:00.000Z', 'month', '2026-03-28T00:00:00.000Z'],
  ['2026-07-18T12:34:56.789Z', 'year', '2027-07-18T12:34:56.789Z'],
  ['2024-02-29T12:00:00.000Z', 'year', '2025-02-28T12:00:00.000Z'],
  ['2027-02-28T12:00:00.000Z', 'year', '2028-02-28T12:00:00.000Z'],
  ['2099-02-28T12:00:00.000Z', 'year', '2100-02-28T12:00:00.000Z'],
  ['2026-01-31T10:00:00.000Z', 'month', '2026-04-30T10:00:00.000Z', 3],
  ['2026-08-31T10:00:00.000Z', 'month', '2027-02-28T10:00:00.000Z', 6],
  ['2024-02-29T12:00:00.000Z', 'year', '2026-02-28T12:00:00.000Z', 2],
  ['2024-02-29T12:00:00.000Z', 'year', '2144-02-29T12:00:00.000Z', 120],
  ['2026-02-15T06:00:00.000Z', 'week', '2026-03-01T06:00:00.000Z', 2],
  ['2026-12-01T06:00:00.000Z', 'day', '2027-02-28T06:00:00.000Z', 89],
];

describe('the UTC calendar', () => {
  const zone = process.env['TZ'];
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  for (const [start, interval, end, count = 1] of examples) {
    it(`adds ${count} ${interval} to ${start} and gets ${end}, in any time zone`, () => {
      for (const place of ['UTC', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata']) {
        process.env['TZ'] = place;
        expect(addInterval(new Date(start), interval, count)).to.deep.equal(new Date(end));
      }
    });
  }

  it('ignores daylight saving time', () => {
    process.env['TZ'] = 'America/New_York';
    expect(addInterval(new Date('2026-03-07T12:00:00.000Z'), 'day', 1)).to.deep.equal(
      new Date('2026-03-08T12:00:00.000Z'),
    );
    expect(addInterval(new Date('2026-10-31T12:00:00.000Z'), 'week', 1)).to.deep.equal(
      new Date('2026-11-07T12:00:00.000Z'),
    );
  });
});
