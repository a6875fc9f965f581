import { SqliteDueEntitlements } from '../../../../adapters/sqlite/event/sqlite-due-entitlements.ts';
import { SqliteEvents } from '../../../../adapters/sqlite/event/sqlite-events.ts';
import { dueEntitlementsContract } from '../../../contracts/event/due-entitlements.contract.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('a SQLite file', () => {
  const file = sqliteFile();

  dueEntitlementsContract(() => {
    const { allEntitlements, database } = file();
    return {
      allEntitlements,
      dueEntitlements: new SqliteDueEntitlements(database),
      events: new SqliteEvents(database),
    };
  });
});
