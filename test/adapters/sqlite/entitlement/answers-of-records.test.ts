import Database from 'better-sqlite3';
import { expect } from 'chai';
import { migrations } from '../../../../adapters/sqlite/engine/migrations/migrations.ts';
import { toEntitlementRow } from '../../../../adapters/sqlite/entitlement/entitlement-row.ts';
import { toRecordRow } from '../../../../adapters/sqlite/entitlement/record-row.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import { changeCancellation } from '../../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aCall, aQuarterly, aRecord, changed, hour, later, noon, toTeam } from '../../../support/builders.ts';
import { temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';

describe('the migration of a SQLite file to records with their tier', () => {
  const path = temporaryFile();

  it('lets a record of the release before replay its answer, whatever the tier becomes', async () => {
    const canceled = changed(aQuarterly);
    const answer = snapshotAt(canceled, noon);
    const before = migrations.findIndex(({ name }) => name === '021-terms-of-answers');
    const connection = new Database(path());
    for (const { sql } of migrations.slice(0, before)) connection.exec(sql);
    insertRow(connection, 'entitlements', toEntitlementRow(canceled));
    insertRow(connection, 'idempotency_records', toRecordRow(aRecord(canceled)));
    insertRow(
      connection,
      'idempotency_records',
      toRecordRow(aRecord(canceled, { entitlementId: 'gone', key: 'gone' })),
    );
    connection.pragma('application_id = 0x4c4b4559');
    connection.pragma(`user_version = ${before}`);
    connection.close();

    const store = await openAt(`sqlite:${path()}`, undefined, { onUpgrade: () => undefined });
    await administrationOf(store, nodePlatform).runEntitlementCommand('ent_1', toTeam, aCall());
    const cancel = changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId);
    const request = {
      operation: 'cancel',
      entitlementId: 'ent_1',
      productId: 'prod_1',
      idempotencyKey: 'key-00000001',
    } as const;
    const replay = await cancel(request, aCall({ now: later(hour) }));
    expect(replay).to.deep.include({ snapshot: answer, replayed: true });
    expect((await store.idempotencyRecords.find('prod_1', 'gone', aCall()))?.facts).to.not.have.property('tierId');
    await store.close();
  });
});

/** Inserts the members of a row of this release that the table has as columns. */
function insertRow(connection: Database.Database, table: string, row: object): void {
  const columns = connection.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const given = columns.filter((column) => column in row);
  connection
    .prepare(`INSERT INTO ${table} (${given.join()}) VALUES (${given.map((column) => `@${column}`).join()})`)
    .run(row);
}
