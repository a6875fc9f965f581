import Database, { type Database as Connection } from 'better-sqlite3';
import { expect } from 'chai';
import { RememberedRows } from '../../../../adapters/sqlite/engine/remembered-rows.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('RememberedRows', () => {
  const file = sqliteFile();
  let rows: RememberedRows<string>;
  let found: string[];
  beforeEach(() => {
    rows = new RememberedRows(file().database);
    found = [];
  });

  it('finds each row once while nothing changes', async () => {
    expect([await get('a'), await get('b'), await get('a'), await get('b')]).to.deep.equal(['a', 'b', 'a', 'b']);
    expect(found).to.deep.equal(['a', 'b']);
  });

  it('finds a row again after a write of its own process', async () => {
    await get('a');
    await file().database.write(aCall(), () => insert(file().database.connection));
    await get('a');
    expect(found).to.deep.equal(['a', 'a']);
  });

  it('finds a row again after a write of another process, within a turn of the event loop as well', async () => {
    await get('a');
    const other = new Database(file().path);
    insert(other);
    await Promise.all([get('a'), get('a')]);
    other.close();
    expect(found).to.deep.equal(['a', 'a']);
  });

  it('does not remember that a row is missing', async () => {
    const missing = await file().database.read(aCall(), () => rows.get('a', () => null));
    expect([missing, await get('a')]).to.deep.equal([null, 'a']);
  });

  it('remembers a bounded number of rows', async () => {
    const keys = range(1001).map(String);
    for (const key of [...keys, '0']) await get(key);
    expect(found).to.deep.equal([...keys, '0']);
  });

  function get(key: string): Promise<string | null> {
    return file().database.read(aCall(), () =>
      rows.get(key, () => {
        found.push(key);
        return key;
      }),
    );
  }
});

function insert(connection: Connection): void {
  connection.exec(`INSERT INTO products (id, name, created_at) VALUES ('prod_1', 'Product', 0)`);
}
