import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { MongoEvents } from '../../../../adapters/mongo/event/mongo-events.ts';
import { aCall } from '../../../support/builders.ts';
import { whileFailing } from '../../../support/mongo/fail-point.ts';
import { openOwnDatabase, ownServer } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { refusalOf } from '../../../support/thrown.ts';

/** The answer of a primary that has lost its majority. */
const lostMajority = { writeConcernError: { code: 91, errmsg: 'no majority' } };

describe('catching up with the feed on MongoDB', () => {
  let database: MongoDatabase;
  let events: MongoEvents;

  beforeEach(async () => {
    database = await openOwnDatabase();
    events = new MongoEvents(database);
  });
  afterEach(() => database.close());

  it('is refused by a primary that no majority follows, which still answers reads', async () => {
    const url = (await ownServer()).url('admin');
    const [refusal, page] = await whileFailing(url, ['update'], lostMajority, async () => [
      await refusalOf(events.catchUp(aCall())),
      await events.page('prod_1', 0, 1, aCall()),
    ]);
    expect(refusal).to.include({ code: 'store_unavailable' });
    expect(page).to.deep.equal({ events: [], first: 0, last: 0 });
  });

  it('is possible for many readers at once', async () => {
    await Promise.all(range(20).map(() => events.catchUp(aCall())));
    expect(await database.collection('leases').find().toArray()).to.deep.equal([{ _id: 'feed', count: 20 }]);
  });
});
