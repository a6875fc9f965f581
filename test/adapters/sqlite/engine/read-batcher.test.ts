import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aCall } from '../../../support/builders.ts';
import { refusalOf } from '../../../support/thrown.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('ReadBatcher', () => {
  const file = sqliteFile();

  it('lets look-ups of one turn see one state, and later ones what was written since', async () => {
    const other = new Database(file().path);
    const firstThenWrite = (): unknown => {
      const seen = count();
      other.exec(`INSERT INTO products VALUES ('prod_1', 'Product', 0)`);
      return seen;
    };
    const together = await Promise.all([read(firstThenWrite), read(count)]);
    other.close();
    expect([together, await read(count)]).to.deep.equal([[0, 0], 1]);
  });

  it('keeps the fault of one look-up from the others, and ends its transaction', async () => {
    const fault = new Error('a row that breaks the rules');
    const outcomes = await Promise.allSettled([
      read(count),
      read(() => {
        throw fault;
      }),
      read(count),
    ]);
    expect(outcomes).to.deep.equal([
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 0 },
    ]);
    expect(file().store.connection.inTransaction).to.equal(false);
  });

  it('does not look again where the fault is not that the file is busy', async () => {
    let attempts = 0;
    const damaged = (): unknown => {
      attempts += 1;
      throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
    };
    const outcomes = await Promise.all([read(count), refusalOf(read(damaged))]);
    expect([outcomes[0], outcomes[1].code, attempts]).to.deep.equal([0, 'store_unavailable', 1]);
  });

  it('tries a look-up again that meets a busy file, by itself', async () => {
    let attempts = 0;
    const busyTwice = (): unknown => {
      attempts += 1;
      if (attempts < 3) throw new Database.SqliteError('database is locked', 'SQLITE_BUSY_RECOVERY');
      return count();
    };
    expect(await Promise.all([read(busyTwice), read(count)])).to.deep.equal([0, 0]);
  });

  it('refuses a look-up whose file stays busy until the deadline', async () => {
    const late = aCall({ deadline: { remaining: () => 0 } });
    const refusal = await refusalOf(
      file().store.reads.read(late, () => {
        throw new Database.SqliteError('database is locked', 'SQLITE_BUSY');
      }),
    );
    expect(refusal.code).to.equal('store_unavailable');
  });

  function read(look: () => unknown): Promise<unknown> {
    return file().store.reads.read(aCall(), look);
  }

  function count(): unknown {
    return file().store.connection.prepare('SELECT count(*) FROM products').pluck().get();
  }
});
