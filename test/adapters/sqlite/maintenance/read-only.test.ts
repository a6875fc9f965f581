import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aCall, aSubscription, granted, noon } from '../../../support/builders.ts';
import type { Run } from '../../../support/cli/command-line.ts';
import { runCommand } from '../../../support/cli/run-command.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

describe('a backup that a command reads', () => {
  const running = sqliteFile();
  let folder = '';
  let backup = '';
  beforeEach(async () => {
    const { path, maintenance, products, allEntitlements } = running();
    await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await allEntitlements.add(granted([aSubscription({ id: 'ent_1' })]), aCall());
    folder = join(dirname(path), 'backups');
    mkdirSync(folder);
    backup = join(folder, 'backup.db');
    expect((await maintenance.backup(backup, aCall(), () => false)).kind).to.equal('copied');
  });

  for (const [line, exitCode] of [
    ['store check', 0],
    ['store copy --from sqlite:BACKUP --to sqlite:OTHER', 0],
    ['store compare --from sqlite:BACKUP --to sqlite:STORE', 1],
    ['store compare --from sqlite:STORE --to sqlite:BACKUP', 1],
  ] as const) {
    it(`stays as it was, and so does its folder: ${line}`, async () => {
      await running().products.add({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
      const before = state();
      const run = await command(line);
      expect([run.exitCode, state()], run.stderr).to.deep.equal([exitCode, before]);
    });
  }

  it('is checked without a write, while a store is checked with one', async () => {
    expect((await command('store check')).stdout).to.contain('so no write was tried.\n');
    expect((await command(`store check`, running().path)).stdout).to.contain(
      'A record was written and removed again.\n',
    );
  });

  it('is checked as a store is if its file says that it has a log', async () => {
    edit('PRAGMA journal_mode = WAL');
    const { exitCode, stdout } = await command('store check');
    expect([exitCode, readdirSync(folder)]).to.deep.equal([0, ['backup.db']]);
    expect(stdout).to.contain('A record was written and removed again.\n');
  });

  for (const [what, spoil, message] of [
    ['has an older schema', () => edit('PRAGMA user_version = 36'), 'Run `latchkey store migrate` first.'],
    ['has a schema that is too old', () => edit('PRAGMA user_version = 34'), 'of release 0.2.0 first.'],
    ['has a newer schema', () => edit('PRAGMA user_version = 3000'), 'Use a newer release.'],
    [
      'is empty for SQLite',
      () => edit('PRAGMA writable_schema = ON; DELETE FROM sqlite_schema; PRAGMA user_version = 0'),
      'is not a Latchkey store.',
    ],
    ['is of another program', () => edit('PRAGMA application_id = 1'), 'is not a Latchkey store.'],
    ['is cut off', () => writeFileSync(backup, readFileSync(backup).subarray(0, 3 * 4096)), 'is damaged'],
  ] as const) {
    it(`is named as what it is if it ${what}`, async () => {
      spoil();
      const before = state();
      const { exitCode, stdout } = await command('store check');
      expect([exitCode, state()]).to.deep.equal([1, before]);
      expect(stdout).to.contain(message);
    });
  }

  function command(line: string, store = backup): Promise<Run> {
    const paths = { BACKUP: backup, STORE: running().path, OTHER: join(dirname(folder), 'other.db') };
    const named = line.replaceAll(/BACKUP|STORE|OTHER/g, (name) => paths[name as keyof typeof paths]);
    return runCommand(named, `sqlite:${store}`);
  }

  /** The state that a write would change. An entry that is created and removed changes the time of the folder. */
  function state(): readonly unknown[] {
    return [readFileSync(backup).toString('base64'), readdirSync(folder), statSync(folder).mtimeMs];
  }

  function edit(sql: string): void {
    const connection = new Database(backup);
    connection.unsafeMode(true);
    connection.exec(sql);
    connection.close();
  }
});
