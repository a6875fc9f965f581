import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aCall } from '../../../support/builders.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('ReadBatcher', () => {
  const file = sqliteFile();

  it('shows look-ups of one turn one state, and later ones what was written since', async () => {
    const other = new Database(file().path);
    const countThenInsert = (): unknown => {
      const seen = count();
      other.exec(`INSERT INTO products (id, name, created_at) VALUES ('prod_1', 'Product', 0)`);
      return seen;
    };
    const together = await Promise.all([read(countThenInsert), read(count)]);
    other.close();
    expect([together, await read(count)]).to.deep.equal([[0, 0], 1]);
  });

  it('keeps the error of one look-up from the others, and ends its transaction', async () => {
    const error = new Error('a row that breaks the rules');
    const outcomes = await Promise.allSettled([
      read(count),
      read(() => {
        throw error;
      }),
      read(count),
    ]);
    expect(outcomes).to.deep.equal([
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 0 },
    ]);
    expect(file().database.connection.inTransaction).to.equal(false);
  });

  it('does not retry a look-up after an error other than a busy file', async () => {
    let attempts = 0;
    const damagedFile = (): unknown => {
      attempts += 1;
      throw new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
    };
    const outcomes = await Promise.all([read(count), refusalOf(read(damagedFile))]);
    expect([outcomes[0], outcomes[1].code, attempts]).to.deep.equal([0, 'store_unavailable', 1]);
  });

  it('retries a look-up that meets a busy file, on its own', async () => {
    let attempts = 0;
    const busyTwice = (): unknown => {
      attempts += 1;
      if (attempts < 3) throw new Database.SqliteError('database is locked', 'SQLITE_BUSY_RECOVERY');
      return count();
    };
    expect(await Promise.all([read(busyTwice), read(count)])).to.deep.equal([0, 0]);
  });

  it('refuses a look-up if the file stays busy until the deadline', async () => {
    const late = aCall({ deadline: { remaining: () => 0 } });
    const refusal = await refusalOf(
      file().database.read(late, () => {
        throw new Database.SqliteError('database is locked', 'SQLITE_BUSY');
      }),
    );
    expect(refusal.code).to.equal('store_unavailable');
  });

  function read(lookUp: () => unknown): Promise<unknown> {
    return file().database.read(aCall(), lookUp);
  }

  function count(): unknown {
    return file().database.connection.prepare('SELECT count(*) FROM products').pluck().get();
  }
});
