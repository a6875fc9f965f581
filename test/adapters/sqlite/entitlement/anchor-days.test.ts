import { expect } from 'chai';
import { setAnchorDaysSql } from '../../../../adapters/sqlite/engine/migrations/entitlements/022-anchor-days.ts';
import { aCall, granted } from '../../../support/builders.ts';
import { sampleWithPeriods } from '../../../support/random-entitlements.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';

describe('the migration of a SQLite file to anchor days', () => {
  const file = sqliteFile();

  it('finds the day from which later periods are counted as the core does', async () => {
    const made = sampleWithPeriods(2000).map((each, index) => ({ ...each, id: `ent_${10_000 + index}` }));
    await file().allEntitlements.add(granted(made), aCall());
    file().database.connection.exec(`UPDATE entitlements SET anchor_day = NULL; ${setAnchorDaysSql}`);
    expect(await entitlementsIn(file())).to.deep.equal(made);
    expect(made.map(({ anchorDay }) => anchorDay)).to.include.members([null, 30, 31]);
  });
});
