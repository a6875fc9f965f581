import { expect } from 'chai';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('a SQLite file', () => {
  const file = sqliteFile();

  it('finds the ends that no event has announced, and what is due, by an index', () => {
    const { connection } = file().database;
    const plans = [
      "SELECT * FROM entitlements WHERE untold_end <= 5 AND hold = 'none' ORDER BY untold_end LIMIT 9",
      'SELECT * FROM entitlements WHERE next_event_at <= 5 ORDER BY next_event_at LIMIT 9',
    ].map((query) => connection.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all());
    expect(plans.map((steps) => steps.map(({ detail }) => detail))).to.deep.equal([
      ['SEARCH entitlements USING INDEX entitlements_untold_end (untold_end<?)'],
      ['SEARCH entitlements USING INDEX entitlements_next_event (next_event_at<?)'],
    ]);
  });
});
