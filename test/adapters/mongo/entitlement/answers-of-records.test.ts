import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { migrateMongoDatabase, openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { migrations } from '../../../../adapters/mongo/schema/migrations/migrations.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import { changeCancellation } from '../../../../core/entitlement/merchant/change-cancellation.ts';
import { aCall, aQuarterly, granted, hour, later, toTeam } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { openAt } from '../../../support/stores/stores.ts';

function request(idempotencyKey: string, operation: 'cancel' | 'resume' = 'cancel') {
  return { operation, entitlementId: 'ent_1', productId: 'prod_1', idempotencyKey };
}

describe('the migration of a MongoDB store to records with their tier', () => {
  it('lets a record of the release before replay its answer, whatever the tier becomes', async () => {
    const url = await ownDatabaseUrl();
    const client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();

    const store = await openAt(url);
    const run = changeCancellation(store.entitlements, store.idempotencyRecords, nodePlatform.newEventId);
    await store.allEntitlements.add(granted([aQuarterly]), aCall());
    const { runEntitlementCommand } = administrationOf(store, nodePlatform);
    const first = await run(request('key-00000001'), aCall());
    const stored = client.db().collection('entitlements');
    // As the release before has written it: without the tier, and without a count of 1.
    const unset = { 'records.0.tier': 1, 'records.0.name': 1, 'records.0.every': 1, 'records.0.count': 1 };
    await stored.updateOne({}, { $unset: unset });
    await run(request('key-00000002', 'resume'), aCall());
    await client
      .db()
      .collection('schema')
      .updateOne({}, { $set: { version: migrations.findIndex(({ name }) => name === '014-terms-of-answers') } });
    // The store is open.
    await migrateMongoDatabase(url, { force: true }, aCall());

    await runEntitlementCommand('ent_1', toTeam, aCall());
    const replays = [
      await run(request('key-00000001'), aCall({ now: later(hour) })),
      await run(request('key-00000002', 'resume'), aCall({ now: later(hour) })),
    ];
    expect(replays[0]).to.deep.equal({ ...first, replayed: true });
    expect(replays.map(({ snapshot }) => snapshot.tierName)).to.deep.equal(['Solo', 'Solo']);
    await store.close();
    await client.close();
  });
});
