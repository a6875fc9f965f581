import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { SqliteDatabase } from '../../../../adapters/sqlite/engine/sqlite-database.ts';
import { WriteBatcher } from '../../../../adapters/sqlite/engine/write-batcher.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { commitsIn, sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { productsIn } from '../../../support/stores/whole-lists.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('WriteBatcher', () => {
  const file = sqliteFile();
  let writes: WriteBatcher;
  beforeEach(() => {
    writes = new WriteBatcher(file().database.connection, Infinity);
  });

  it('commits writes that arrive together in one transaction', async () => {
    const before = commitsIn(file().path);
    await add(...range(50).map(String));
    expect(commitsIn(file().path) - before).to.equal(1);
    expect(await stored()).to.have.lengthOf(50);
  });

  it('commits writes of several turns in one transaction while look-ups wait', async () => {
    const before = commitsIn(file().path);
    let turns = 0;
    writes = new WriteBatcher(file().database.connection, Infinity, undefined, () => (turns += 1) <= 2);
    const first = addOne('a');
    await nextTurn();
    await Promise.all([first, addOne('b')]);
    expect([commitsIn(file().path) - before, turns]).to.deep.equal([1, 3]);
  });

  it('waits for a few turns only, however many look-ups come', async () => {
    let turns = 0;
    writes = new WriteBatcher(file().database.connection, Infinity, undefined, () => (turns += 1) > 0);
    expect(await add('a', 'b')).to.deep.equal(['added', 'added']);
    expect(turns).to.equal(5);
    expect(await add('c')).to.deep.equal(['added']);
    expect(turns).to.equal(10);
  });

  it('shares a commit with the write of a request that still looks up', async () => {
    const before = commitsIn(file().path);
    const database = new SqliteDatabase(file().database.connection, Infinity);
    const insert = (id: string): Promise<unknown> => database.write(aCall(), () => insertProduct(id));
    await Promise.all([insert('a'), database.read(aCall(), () => 'b').then(insert)]);
    expect(commitsIn(file().path) - before).to.equal(1);
  });

  it('rejects a write whose deadline passes while it waits for others', async () => {
    let remaining = 1;
    const passesOnce = (): boolean => {
      const isWaiting = remaining > 0;
      remaining = 0;
      return isWaiting;
    };
    writes = new WriteBatcher(file().database.connection, Infinity, undefined, passesOnce);
    const late = writes.write({ deadline: { remaining: () => remaining } }, () => insertProduct('late'));
    expect((await refusalOf(late)).code).to.equal('store_unavailable');
    expect(await stored()).to.deep.equal([]);
  });

  it('starts no more writes in a transaction after its maximum time, and keeps their order', async () => {
    const before = commitsIn(file().path);
    writes = new WriteBatcher(file().database.connection, -1);
    const order: number[] = [];
    await Promise.all(range(20).map((index) => addOne(String(index)).then(() => order.push(index))));
    expect([commitsIn(file().path) - before, order]).to.deep.equal([20, range(20)]);
  });

  it('undoes only the write that fails', async () => {
    const error = new Error('one write fails');
    const outcomes = await Promise.allSettled([
      addOne('a'),
      writes.write(aCall(), () => {
        file().database.connection.exec(`INSERT INTO products (id, name, created_at) VALUES ('undone', 'Undone', 0)`);
        throw error;
      }),
      addOne('b'),
    ]);
    expect(outcomes).to.deep.equal([
      { status: 'fulfilled', value: 'added' },
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 'added' },
    ]);
    expect(await stored()).to.deep.equal(['a', 'b']);
  });

  it('runs the writes of a transaction again if one of them fails, and no others', async () => {
    const runs: string[] = [];
    const write = (name: string): Promise<unknown> => writes.write(aCall(), () => runs.push(name));
    await write('before');
    await Promise.allSettled([write('a'), writes.write(aCall(), fail), write('b')]);
    await write('after');
    expect(runs).to.deep.equal(['before', 'a', 'a', 'b', 'after']);
  });

  it('resolves no promise and shows no change before the commit', async () => {
    const other = new Database(file().path, { readonly: true });
    const committed = other.prepare('SELECT count(*) FROM products').pluck();
    const resolved: string[] = [];
    const seen: unknown[] = [];
    await Promise.all([
      addOne('a').then(() => resolved.push('a')),
      writes.write(aCall(), () => seen.push([...resolved], committed.get())),
    ]);
    seen.push([...resolved], committed.get());
    other.close();
    expect(seen).to.deep.equal([[], 0, ['a'], 1]);
  });

  it('shows a reader in its own process only what other processes see', async () => {
    const other = new Database(file().path, { readonly: true });
    const committed = other.prepare('SELECT count(*) FROM products').pluck();
    const writing = add(...range(100).map(String));
    for (let seen = 0; seen < 100;) {
      seen = (await stored()).length;
      expect(seen).to.be.at.most(Number(committed.get()));
    }
    await writing;
    other.close();
  });

  it('changes nothing and rejects every write if COMMIT fails, then goes on', async () => {
    failDanglingAtCommit();
    const outcomes = await Promise.allSettled([addOne('a'), addOne('dangling'), addOne('b')]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'store_unavailable']);
    expect(await stored()).to.deep.equal([]);
    expect(file().database.connection.inTransaction).to.equal(false);
    expect(await add('a', 'b')).to.deep.equal(['added', 'added']);
  });

  it('rejects the writes that SQLite itself rolls back, and carries out the rest', async () => {
    file().database.connection.exec(`
      CREATE TRIGGER poison BEFORE INSERT ON products WHEN NEW.id = 'poison'
      BEGIN SELECT RAISE(ROLLBACK, 'poisoned'); END`);
    const outcomes = await Promise.allSettled([addOne('a'), addOne('poison'), addOne('b')]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'added']);
    expect(await stored()).to.deep.equal(['b']);
  });

  it('reports each write correctly when the disk is full, stays readable, and recovers', async () => {
    const { connection } = file().database;
    const pages = Number(connection.pragma('page_count', { simple: true }));
    connection.pragma(`max_page_count = ${pages}`);
    const ids = ['a', 'large', 'b', 'c'];
    const outcomes = await Promise.allSettled(ids.map((id) => addOne(id, id === 'large' ? 'x'.repeat(1e6) : id)));
    const added = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(codeOf(outcomes[1])).to.equal('store_unavailable');
    expect(await stored()).to.deep.equal(added.toSorted());
    connection.pragma(`max_page_count = ${2 ** 30}`);
    expect(await add('d')).to.deep.equal(['added']);
  });

  it('rejects every write of a transaction that cannot begin, and goes on once one can', async () => {
    const { connection } = file().database;
    connection.exec('BEGIN');
    const outcomes = await Promise.allSettled([addOne('a'), addOne('b')]);
    connection.exec('COMMIT');
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable']);
    expect(await add('a')).to.deep.equal(['added']);
  });

  it('undoes and rejects every write if a failed one cannot be undone, and goes on', async () => {
    const { connection } = file().database;
    const outcomes = await Promise.allSettled([
      addOne('a'),
      writes.write(aCall(), () => connection.exec('RELEASE one_write')),
      addOne('b'),
    ]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'added']);
    expect(await stored()).to.deep.equal(['b']);
  });

  function add(...ids: readonly string[]): Promise<readonly unknown[]> {
    return Promise.all(ids.map((id) => addOne(id)));
  }

  function addOne(id: string, name = id): Promise<unknown> {
    return writes.write(aCall(), () => insertProduct(id, name));
  }

  function insertProduct(id: string, name = id): string {
    const insert = 'INSERT INTO products (id, name, created_at) VALUES (?, ?, 0)';
    file().database.connection.prepare(insert).run(id, name);
    return 'added';
  }

  async function stored(): Promise<readonly string[]> {
    return (await productsIn(file())).map(({ id }) => id);
  }

  /** Makes a product named `dangling` violate a constraint that is checked at COMMIT only. */
  function failDanglingAtCommit(): void {
    file().database.connection.exec(`
      CREATE TABLE parents (id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE children (parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED) STRICT;
      CREATE TRIGGER dangle AFTER INSERT ON products WHEN NEW.id = 'dangling'
      BEGIN INSERT INTO children VALUES ('nobody'); END`);
  }
});

function fail(): never {
  throw new Error('one write fails');
}

function codeOf(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status !== 'rejected') return outcome?.value;
  return outcome.reason instanceof Refusal ? outcome.reason.code : outcome.reason;
}
