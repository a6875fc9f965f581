import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openConnection } from '../../../../adapters/sqlite/engine/connection.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { aCall, aProduct } from '../../../support/builders.ts';
import { runProgram } from '../../../support/processes/program.ts';
import { reachablePlace, withoutRights } from '../../../support/processes/without-rights.ts';
import { range } from '../../../support/range.ts';
import { sqliteFile, temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { productsIn } from '../../../support/stores/whole-lists.ts';
import { thrownBy } from '../../../support/thrown.ts';

describe('an open SQLite store', () => {
  const file = sqliteFile();

  it('uses a write-ahead log, and flushes every commit to disk before it returns', () => {
    const { connection } = file().database;
    const settings = ['journal_mode', 'synchronous'].map((name) => connection.pragma(name, { simple: true }));
    const full = 2;
    expect(settings).to.deep.equal(['wal', full]);
  });

  it('has only strict tables', () => {
    const tables = file()
      .database.connection.prepare(`SELECT name, strict FROM pragma_table_list WHERE schema = 'main'`)
      .all();
    const notStrict = (tables as { name: string; strict: number }[]).filter(({ strict }) => strict === 0);
    expect(notStrict.map(({ name }) => name)).to.deep.equal(['sqlite_schema']);
  });

  it('never blocks the process to wait for a lock', () => {
    expect(file().database.connection.pragma('busy_timeout', { simple: true })).to.equal(0);
  });
});

describe('openConnection', () => {
  const path = temporaryFile();

  it('creates the file and its folders', async () => {
    const file = path('a/b/latchkey.db');
    (await openConnection(file, { create: true }, aCall())).close();
    expect(readFileSync(file, 'latin1').slice(0, 15)).to.equal('SQLite format 3');
  });

  it('keeps what a file contains when it opens it again', async () => {
    const product = aProduct({ createdAt: new Date(1) });
    const first = await openAt(`sqlite:${path()}`);
    await first.products.add(product, aCall());
    await first.close();
    const second = await openAt(`sqlite:${path()}`);
    const found = await productsIn(second);
    await second.close();
    expect(found).to.deep.equal([product]);
  });

  it('refuses a missing file or folder that it may not create, and creates nothing', async () => {
    for (const file of [path(), path('a/latchkey.db')]) {
      const error = await thrownBy(openConnection(file, { create: false }, aCall()));
      expect(error)
        .to.be.instanceOf(UnusableStore)
        .with.property('message', `There is no store at ${file}: serve, product add and imports create one.`);
      expect(() => readFileSync(file)).to.throw('ENOENT');
    }
  });

  it('refuses a file with a newer schema, names both versions, and does not change it', async () => {
    await (await openAt(`sqlite:${path()}`)).close();
    await edit(path(), 'PRAGMA user_version = 99');
    await refusesUntouched(path(), /has schema 99; this release knows schemas up to \d+\. Use a newer release\.$/);
  });

  it('refuses a SQLite file of another program, and does not change it', async () => {
    await edit(path(), 'CREATE TABLE notes (text)');
    await refusesUntouched(path(), /is not a Latchkey store\.$/);
  });

  it('refuses a file with our tables but the application id of another program', async () => {
    await (await openAt(`sqlite:${path()}`)).close();
    await edit(path(), 'PRAGMA application_id = 1');
    await refusesUntouched(path(), /is not a Latchkey store\.$/);
  });

  it('refuses a file that is not a database, and does not change it', async () => {
    writeFileSync(path(), 'Dear diary, '.repeat(500));
    await refusesUntouched(path(), /is not a Latchkey store\.$/);
  });

  it('treats an empty file as a new store', async () => {
    writeFileSync(path(), '');
    const store = await openAt(`sqlite:${path()}`);
    expect(await productsIn(store)).to.deep.equal([]);
    await store.close();
  });

  it('lets several processes create the same file at once', async () => {
    const files = range(10).map((index) => path(`${index}.db`));
    const ids = ['a', 'b', 'c'];
    const programs = ids.map((id) => runProgram(new URL('../processes/open-files.ts', import.meta.url), id, ...files));
    for (const program of programs) expect(await program.line()).to.equal('ready');
    for (const program of programs) program.release();
    expect(await Promise.all(programs.map(({ ended }) => ended))).to.deep.equal([0, 0, 0]);
    for (const file of files) {
      const store = await openAt(`sqlite:${file}`);
      const found = (await productsIn(store)).map(({ id }) => id);
      await store.close();
      expect(found).to.deep.equal(ids);
    }
  });
});

describe('openConnection, without rights', () => {
  const path = temporaryFile(reachablePlace());
  const mustBe = 'cannot be opened or created: the file and its folder must be readable and writable.';

  beforeEach(async () => {
    mkdirSync(path('data'));
    await (await openAt(`sqlite:${path('data/latchkey.db')}`)).close();
    chmodSync(path('data/latchkey.db'), 0o666);
    chmodSync(path('.'), 0o755);
  });

  it('opens a file that anyone may read and write', async () => {
    chmodSync(path('data'), 0o777);
    (await withoutRights(() => openConnection(path('data/latchkey.db'), { create: false }, aCall()))).close();
  });

  for (const [what, fileMode, folderMode] of [
    ['a read-only file', 0o444, 0o777],
    ['an unreadable file', 0o000, 0o777],
    ['a read-only folder', 0o666, 0o555],
  ] as const) {
    it(`refuses ${what}`, async () => {
      chmodSync(path('data/latchkey.db'), fileMode);
      chmodSync(path('data'), folderMode);
      await refuses(path('data/latchkey.db'), mustBe);
      chmodSync(path('data'), 0o777);
    });
  }

  for (const [what, name, folderMode] of [
    ['a file', 'data/latchkey.db', 0o000],
    ['a file of a folder whose names can be read', 'data/latchkey.db', 0o666],
    ['a file that does not exist', 'data/deep/down/none.db', 0o000],
    ['a link to a file', 'file.db', 0o000],
    ['a file behind a link to a folder', 'folder/latchkey.db', 0o000],
  ] as const) {
    it(`names the folder that keeps it from ${what}`, async () => {
      symlinkSync('data/latchkey.db', path('file.db'));
      symlinkSync('data', path('folder'));
      chmodSync(path('data'), folderMode);
      await refuses(path(name), `cannot be reached: this user may not enter ${path('data')}.`);
      chmodSync(path('data'), 0o777);
    });
  }
});

async function refuses(file: string, reason: string): Promise<void> {
  for (const create of [false, true]) {
    const error = await withoutRights(() => thrownBy(openConnection(file, { create }, aCall())));
    expect(error).to.be.instanceOf(UnusableStore).with.property('isMissing', false);
    expect(error).to.have.property('message', `The store at ${file} ${reason}`);
  }
}

async function edit(file: string, sql: string): Promise<void> {
  const connection = new Database(file);
  connection.exec(sql);
  connection.pragma('journal_mode = DELETE');
  connection.close();
}

async function refusesUntouched(file: string, message: RegExp): Promise<void> {
  const before = readFileSync(file);
  for (const create of [true, false]) {
    const error = await thrownBy(openConnection(file, { create }, aCall()));
    expect(error).to.be.instanceOf(UnusableStore);
    expect((error as Error).message).to.match(message);
    expect((error as Error).message.startsWith(file)).to.equal(true);
  }
  expect(readFileSync(file).equals(before)).to.equal(true);
}
