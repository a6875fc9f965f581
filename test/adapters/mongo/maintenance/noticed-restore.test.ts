import { expect } from 'chai';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import { aCall, noon } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { openAt } from '../../../support/stores/stores.ts';

describe('a MongoDB database that mongorestore has made', () => {
  let url: string;
  beforeEach(async () => {
    url = await ownDatabaseUrl();
  });

  /** The instant of the restore that the store notices when it is opened; null for none. */
  async function restoredAt(): Promise<Date | null> {
    const store = await openAt(url);
    try {
      await store.clockMarks.raise(noon, aCall());
      return await store.clockMarks.restoredAt(aCall());
    } finally {
      await store.close();
    }
  }

  /** Creates the collection again with the same documents, as `mongorestore` does. */
  async function restore(): Promise<void> {
    const database = await openMongoDatabase(url, { create: false }, aCall());
    const marks = database.db.collection('clock_marks');
    const documents = await marks.find().toArray();
    await marks.drop();
    await marks.insertMany(documents);
    await database.close();
  }

  it('is noticed by the first that opens it, until a server has returned', async () => {
    expect(await restoredAt()).to.equal(null);
    await restore();
    expect([await restoredAt(), await restoredAt()]).to.deep.equal([noon, noon]);
    const store = await openAt(url);
    await store.clockMarks.noteRestore(null, aCall());
    await store.close();
    expect(await restoredAt()).to.equal(null);
    await restore();
    expect(await restoredAt()).to.deep.equal(noon);
  });
});
