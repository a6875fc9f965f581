import type { Migration } from '../released/migration.ts';

/** Sets the anchor day of periods that end in a month without the day on which they begin, by the rule of `anchorDayOf`. */
export const setAnchorDaysSql = `
  UPDATE entitlements SET anchor_day = CAST(strftime('%d', period_start / 1000, 'unixepoch') AS INTEGER)
  WHERE billing_interval IN ('month', 'year')
    AND (period_end - period_start) % 86400000 = 0
    AND strftime('%d', period_end / 1000 + 86400, 'unixepoch') = '01'
    AND strftime('%d', period_end / 1000, 'unixepoch') < strftime('%d', period_start / 1000, 'unixepoch');
`;

/** From which day of the month later periods are counted. NULL for the day on which the period ends. */
export const anchorDays: Migration = {
  name: '022-anchor-days',
  sql: `
  ALTER TABLE entitlements ADD COLUMN anchor_day INTEGER;
  ${setAnchorDaysSql}
  `,
};
