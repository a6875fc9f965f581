import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openConnection } from '../../../../adapters/sqlite/engine/connection.ts';
import { currentSchemaVersion } from '../../../../adapters/sqlite/engine/migrate.ts';
import { restoreStore } from '../../../../app/restore-store.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { aCall, aSubscription, granted, noon } from '../../../support/builders.ts';
import { runCommand } from '../../../support/cli/run-command.ts';
import { startCommandProcess } from '../../../support/processes/command-process.ts';
import { range } from '../../../support/range.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';
import { thrownBy } from '../../../support/thrown.ts';

describe('restoring a backup of a SQLite store', () => {
  const running = sqliteFile();
  /** A copy of the running store with its write-ahead log, as a server leaves it that is killed. */
  let killed = '';
  let backup = '';
  beforeEach(async () => {
    const { path, maintenance, products } = running();
    await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await add('old');
    backup = join(dirname(path), 'backup.db');
    expect((await maintenance.backup(backup, aCall(), () => false)).kind).to.equal('copied');
    await add('new');
    const folder = join(dirname(path), 'killed');
    await mkdir(folder);
    killed = join(folder, 'latchkey.db');
    // By another process: to close a file here would release the locks of the running store.
    execFileSync('/bin/cp', [...['', '-wal', '-shm'].map((suffix) => `${path}${suffix}`), folder]);
  });

  it('replaces a store whose server was killed, with its log, and keeps that store as one file', async () => {
    const restored = await restore();
    expect(restored).to.deep.include({ kind: 'restored', isCurrent: true });
    expect(await idsIn(killed)).to.deep.equal(['ent_old']);
    const kept = restored?.kept ?? '';
    expect(filesBeside(killed)).to.deep.equal(['latchkey.db', basename(kept)]);
    expect(await idsIn(kept)).to.deep.equal(['ent_new', 'ent_old']);
    expect([await restoredAtIn(killed), await restoredAtIn(kept)]).to.deep.equal([noon, null]);
  });

  it('creates a store where there is none, and removes the log of one that was removed', async () => {
    rmSync(killed);
    expect(await restore()).to.deep.include({ kind: 'restored', kept: null });
    expect(await idsIn(killed)).to.deep.equal(['ent_old']);
    expect(filesBeside(killed)).to.deep.equal(['latchkey.db']);
  });

  it('replaces a store that cannot be opened, and keeps it', async () => {
    writeFileSync(killed, 'no store at all');
    writeFileSync(`${killed}-wal`, 'no log at all');
    const kept = (await restore())?.kept ?? '';
    expect(await idsIn(killed)).to.deep.equal(['ent_old']);
    expect(readFileSync(kept, 'utf8')).to.equal('no store at all');
    expect(filesBeside(killed)).to.deep.equal(['latchkey.db', basename(kept)]);
  });

  it('is refused while a process has the store open, and changes nothing', async () => {
    const error = await thrownBy(
      restoreStore(
        `sqlite:${running().path}`,
        backup,
        () => aCall(),
        () => false,
      ),
    );
    expect(error).to.have.property('code', 'store_in_use');
    expect(await idsIn(running().path)).to.deep.equal(['ent_new', 'ent_old']);
    const command = await runCommand(`store restore ${backup} --json`, `sqlite:${running().path}`);
    expect([command.exitCode, JSON.parse(command.stderr).code]).to.deep.equal([1, 'store_in_use']);
    expect(await idsIn(running().path)).to.deep.equal(['ent_new', 'ent_old']);
  });

  it('ends without a change if it is stopped', async () => {
    expect(
      await restoreStore(
        `sqlite:${killed}`,
        backup,
        () => aCall(),
        () => true,
      ),
    ).to.equal(null);
    expect(await idsIn(killed)).to.deep.equal(['ent_new', 'ent_old']);
    expect(filesBeside(killed)).to.deep.equal(['latchkey.db']);
  });

  for (const [what, spoil] of [
    ['does not exist', () => rmSync(backup)],
    ['is empty', () => truncateSync(backup, 0)],
    ['is a text', () => writeFileSync(backup, 'not a store')],
    ['is cut off', () => truncateSync(backup, 3 * 4096)],
    ['is a database of another program', () => other(backup)],
    ['has a newer schema', () => edit(backup, `PRAGMA user_version = ${currentSchemaVersion + 1}`)],
    [
      'has an entitlement that differs from its events',
      () => edit(backup, 'UPDATE entitlements SET version = 7, sequence = 7'),
    ],
    ['has the log of another store beside it', () => copyFileSync(`${killed}-wal`, `${backup}-wal`)],
  ] as const) {
    it(`is refused if the backup ${what}, and changes nothing`, async () => {
      spoil();
      expect(await thrownBy(restore())).to.be.instanceOf(UnusableStore);
      expect(filesBeside(killed).filter((file) => !/-(wal|shm)$/.test(file))).to.deep.equal(['latchkey.db']);
      expect(await idsIn(killed)).to.deep.equal(['ent_new', 'ent_old']);
    });
  }

  it('is refused if the backup is the store itself', async () => {
    backup = killed;
    expect(await thrownBy(restore())).to.be.instanceOf(UnusableStore);
    expect(await idsIn(killed)).to.deep.equal(['ent_new', 'ent_old']);
  });

  it('takes a backup with an older schema, and says so', async () => {
    edit(backup, `PRAGMA user_version = ${currentSchemaVersion - 1}`);
    expect(await restore()).to.deep.include({ kind: 'restored', isCurrent: false });
  });

  for (const [what, use] of [
    ['was not opened', () => undefined],
    ['a command has opened', () => edit(backup, 'PRAGMA journal_mode = WAL')],
  ] as const) {
    it(`writes neither to a backup that ${what} nor to its folder`, async () => {
      const folder = join(dirname(backup), 'kept');
      await mkdir(folder);
      copyFileSync(backup, join(folder, 'backup.db'));
      backup = join(folder, 'backup.db');
      use();
      const [content, changed] = [readFileSync(backup), statSync(folder).mtimeMs];
      expect(await restore()).to.deep.include({ kind: 'restored', bytes: content.length });
      expect(readFileSync(backup).equals(content)).to.equal(true);
      expect([filesBeside(backup), statSync(folder).mtimeMs]).to.deep.equal([['backup.db'], changed]);
      expect(await idsIn(killed)).to.deep.equal(['ent_old']);
    });
  }

  it('takes the copy of a store with the log beside it, and leaves both as they were', async () => {
    const [copyOfStore, store] = [join(dirname(backup), 'copy.db'), join(dirname(backup), 'fresh.db')];
    for (const suffix of ['', '-wal']) copyFileSync(`${killed}${suffix}`, `${copyOfStore}${suffix}`);
    const before = filesBeside(backup);
    [backup, killed] = [copyOfStore, store];
    expect(await restore()).to.deep.include({ kind: 'restored', kept: null });
    expect(filesBeside(store)).to.deep.equal([...before, 'fresh.db'].toSorted());
    expect(await idsIn(store)).to.deep.equal(['ent_new', 'ent_old']);
  });

  it('takes a store that a process has open, and leaves it open', async () => {
    const store = join(dirname(backup), 'fresh.db');
    // By another process: to close a file here would release the locks of the running store.
    const { exitCode } = await startCommandProcess(`store restore ${running().path}`, `sqlite:${store}`, []).run;
    expect(exitCode).to.equal(0);
    expect(await idsIn(store)).to.deep.equal(['ent_new', 'ent_old']);
    await add('later');
    expect(await idsIn(running().path)).to.deep.equal(['ent_later', 'ent_new', 'ent_old']);
  });

  it('is what a store asks for whose backup was copied over it, beside its log', async () => {
    copyFileSync(backup, killed);
    const error = await thrownBy(openAt(`sqlite:${killed}`));
    expect(error).to.be.instanceOf(UnusableStore).with.property('message').that.includes('`latchkey store restore`');
    const check = await runCommand('store check', `sqlite:${killed}`);
    expect([check.exitCode, check.stdout]).to.deep.equal([1, `${(error as Error).message}\n`]);
    await restore();
    expect(await idsIn(killed)).to.deep.equal(['ent_old']);
  });

  it('is noticed by a process that was opening the store at that time', async () => {
    const holder = new Database(killed);
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE; COMMIT');
    const opening = openConnection(killed, { create: false }, aCall());
    renameSync(killed, `${killed}.old`);
    copyFileSync(backup, killed);
    holder.close();
    expect(await thrownBy(opening))
      .to.be.instanceOf(Refusal)
      .with.property('code', 'store_unavailable');
  });

  it('leaves the old store or the new one if it is killed, and can be run again', async () => {
    const seen = new Set<string>();
    for (const round of range(rounds(6, 60))) {
      const folder = join(dirname(running().path), `round-${round}`);
      await mkdir(folder);
      const store = join(folder, 'latchkey.db');
      for (const suffix of ['', '-wal', '-shm']) copyFileSync(`${killed}${suffix}`, `${store}${suffix}`);
      const restoring = startCommandProcess(`store restore ${backup}`, `sqlite:${store}`, []);
      const ended = { is: false };
      void restoring.run.finally(() => (ended.is = true));
      // Killed as soon as a number of entries stands in the folder: a partial copy, the name of the old store, the end.
      while (!ended.is && filesBeside(store).length < 4 + (round % 3))
        await new Promise((resolve) => setImmediate(resolve));
      restoring.kill();
      await restoring.run;
      const ids = await idsIn(store);
      expect(ids.join()).to.be.oneOf(['ent_old', 'ent_new,ent_old']);
      seen.add(ids.join());
      await restoreStore(
        `sqlite:${store}`,
        backup,
        () => aCall(),
        () => false,
      );
      expect(await idsIn(store)).to.deep.equal(['ent_old']);
    }
    expect(seen).to.include('ent_new,ent_old');
  });

  function restore(): ReturnType<typeof restoreStore> {
    return restoreStore(
      `sqlite:${killed}`,
      backup,
      () => aCall(),
      () => false,
    );
  }

  async function add(name: string): Promise<void> {
    await running().allEntitlements.add(granted([aSubscription({ id: `ent_${name}` })]), aCall());
  }
});

async function idsIn(file: string): Promise<readonly string[]> {
  const store = await openAt(`sqlite:${file}`);
  const all = await entitlementsIn(store);
  await store.close();
  return all.map(({ id }) => id).toSorted();
}

async function restoredAtIn(file: string): Promise<Date | null> {
  const store = await openAt(`sqlite:${file}`);
  const restoredAt = await store.clockMarks.restoredAt(aCall());
  await store.close();
  return restoredAt;
}

function filesBeside(file: string): readonly string[] {
  return readdirSync(dirname(file)).toSorted();
}

function edit(file: string, sql: string): void {
  const connection = new Database(file);
  connection.exec(sql);
  connection.close();
}

function other(file: string): void {
  rmSync(file);
  edit(file, 'CREATE TABLE notes (text TEXT)');
}
