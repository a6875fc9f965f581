import { expect } from 'chai';
import { EventLog } from '../../../../adapters/sqlite/event/event-log.ts';
import { aCall, anEvent, aSubscription, changed, granted, noon } from '../../../support/builders.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('the log of events in a SQLite file', () => {
  const file = sqliteFile();
  const event = anEvent(changed(aSubscription()));

  it('has no gap where a write of the same transaction is undone', async () => {
    const { database } = file();
    const log = new EventLog(database);
    const writes = [false, true, false, true, false].map((fails) =>
      database.write(aCall(), () => {
        log.append('prod_1', [event, event], noon);
        if (fails) throw new Error('undone');
      }),
    );
    await Promise.allSettled(writes);
    expect(await positions()).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it('goes on after what another process has appended', async () => {
    const { database } = file();
    const [log, other] = [new EventLog(database), new EventLog(database)];
    for (const each of [log, other, log]) await database.write(aCall(), () => each.append('prod_1', [event], noon));
    expect(await positions()).to.deep.equal([1, 2, 3]);
  });

  it('keeps the positions of products apart in one transaction', async () => {
    const { database } = file();
    const log = new EventLog(database);
    const products = ['prod_1', 'prod_2', 'prod_1', 'prod_2'];
    await Promise.all(products.map((id) => database.write(aCall(), () => log.append(id, [event], noon))));
    expect([await positions('prod_1'), await positions('prod_2')]).to.deep.equal([
      [1, 2],
      [1, 2],
    ]);
  });

  it('refuses a change without an event, as a process of an older release would write it', async () => {
    const seen = aSubscription();
    await file().allEntitlements.add(granted([seen]), aCall());
    const { connection } = file().database;
    const older = connection.prepare('UPDATE entitlements SET version = version + 1 WHERE id = ?');
    const { details } = await refusalOf(file().database.write(aCall(), () => older.run('ent_1')));
    expect(String(details.cause)).to.include('a change without an event');
    expect(await file().allEntitlements.find('ent_1', aCall())).to.deep.equal(seen);
  });

  async function positions(productId = 'prod_1'): Promise<readonly number[]> {
    const { events } = await file().events.page(productId, 0, 100, aCall());
    return events.map(({ position }) => position);
  }
});
