import Database from 'better-sqlite3';
import { expect } from 'chai';
import { WriteBatcher } from '../../../../adapters/sqlite/engine/write-batcher.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { commitsIn, sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('WriteBatcher', () => {
  const file = sqliteFile();
  let writes: WriteBatcher;
  beforeEach(() => {
    writes = new WriteBatcher(file().store.connection, Infinity);
  });

  it('commits writes that arrive together together', async () => {
    const before = commitsIn(file().path);
    await add(...range(50).map(String));
    expect(commitsIn(file().path) - before).to.equal(1);
    expect(await stored()).to.have.lengthOf(50);
  });

  it('takes no more writes into a commit than fit into its time, and keeps their order', async () => {
    const before = commitsIn(file().path);
    writes = new WriteBatcher(file().store.connection, -1);
    const order: number[] = [];
    await Promise.all(range(20).map((index) => addOne(String(index)).then(() => order.push(index))));
    expect([commitsIn(file().path) - before, order]).to.deep.equal([20, range(20)]);
  });

  it('does not undo the others for the fault of one', async () => {
    const fault = new Error('a fault of one');
    const outcomes = await Promise.allSettled([
      addOne('a'),
      writes.write(aCall(), () => {
        file().store.connection.exec(`INSERT INTO products VALUES ('undone', 'Undone', 0)`);
        throw fault;
      }),
      addOne('b'),
    ]);
    expect(outcomes).to.deep.equal([
      { status: 'fulfilled', value: 'added' },
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 'added' },
    ]);
    expect(await stored()).to.deep.equal(['a', 'b']);
  });

  it('tells nobody, and shows nobody, before all is committed', async () => {
    const other = new Database(file().path, { readonly: true });
    const committed = other.prepare('SELECT count(*) FROM products').pluck();
    const told: string[] = [];
    const seen: unknown[] = [];
    await Promise.all([
      addOne('a').then(() => told.push('a')),
      writes.write(aCall(), () => seen.push([...told], committed.get())),
    ]);
    seen.push([...told], committed.get());
    other.close();
    expect(seen).to.deep.equal([[], 0, ['a'], 1]);
  });

  it('shows a reader of its own process only what every other process sees', async () => {
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

  it('changes nothing and tells every member when COMMIT fails, and then goes on', async () => {
    danglingAtCommit();
    const outcomes = await Promise.allSettled([addOne('a'), addOne('dangling'), addOne('b')]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'store_unavailable']);
    expect(await stored()).to.deep.equal([]);
    expect(file().store.connection.inTransaction).to.equal(false);
    expect(await add('a', 'b')).to.deep.equal(['added', 'added']);
  });

  it('tells those whose writes are gone when SQLite rolls all back by itself, and carries out the rest', async () => {
    file().store.connection.exec(`
      CREATE TRIGGER poison BEFORE INSERT ON products WHEN NEW.id = 'poison'
      BEGIN SELECT RAISE(ROLLBACK, 'poisoned'); END`);
    const outcomes = await Promise.allSettled([addOne('a'), addOne('poison'), addOne('b')]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'added']);
    expect(await stored()).to.deep.equal(['b']);
  });

  it('tells the truth about every write when the disk is full, stays readable, and recovers', async () => {
    const { connection } = file().store;
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

  it('refuses all members of a group that cannot begin, and goes on when it can', async () => {
    const { connection } = file().store;
    connection.exec('BEGIN');
    const outcomes = await Promise.allSettled([addOne('a'), addOne('b')]);
    connection.exec('COMMIT');
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable']);
    expect(await add('a')).to.deep.equal(['added']);
  });

  it('undoes all and tells every member when the fault of one cannot be undone, and goes on', async () => {
    const { connection } = file().store;
    const outcomes = await Promise.allSettled([
      addOne('a'),
      writes.write(aCall(), () => connection.exec('RELEASE member')),
      addOne('b'),
    ]);
    expect(outcomes.map(codeOf)).to.deep.equal(['store_unavailable', 'store_unavailable', 'added']);
    expect(await stored()).to.deep.equal(['b']);
  });

  function add(...ids: readonly string[]): Promise<readonly unknown[]> {
    return Promise.all(ids.map((id) => addOne(id)));
  }

  function addOne(id: string, name = id): Promise<unknown> {
    const { connection } = file().store;
    return writes.write(aCall(), () => {
      connection.prepare('INSERT INTO products VALUES (?, ?, 0)').run(id, name);
      return 'added';
    });
  }

  async function stored(): Promise<readonly string[]> {
    return (await file().products.list(aCall())).map(({ id }) => id);
  }

  /** Lets a product `dangling` break a constraint that is checked at COMMIT only. */
  function danglingAtCommit(): void {
    file().store.connection.exec(`
      CREATE TABLE parents (id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE children (parent TEXT REFERENCES parents DEFERRABLE INITIALLY DEFERRED) STRICT;
      CREATE TRIGGER dangle AFTER INSERT ON products WHEN NEW.id = 'dangling'
      BEGIN INSERT INTO children VALUES ('nobody'); END`);
  }
});

function codeOf(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status !== 'rejected') return outcome?.value;
  return outcome.reason instanceof Refusal ? outcome.reason.code : outcome.reason;
}
