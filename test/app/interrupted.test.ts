import { once } from 'node:events';
import { watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { range } from '../support/range.ts';
import { writeEmptyStore } from '../support/stores/empty-sqlite.ts';
import { rowsIn, temporaryFile } from '../support/stores/sqlite-file.ts';

const listing = {
  name: 'S',
  blurb: 'x'.repeat(2000),
  category: 'A',
  commissionPercent: 1,
  compensationType: 'both',
  compensationLabel: 'x',
  storefrontCount: 0,
};

describe('a command that Ctrl-C stops', () => {
  const path = temporaryFile();

  it('reports and logs what an import has done, although its input is not at its end', async () => {
    const store = `sqlite:${path()}`;
    const child = startNode([programPath, 'listing', 'import', '-', '--store', store]);
    const output = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    // It ends with lines that it has not read.
    child.stdin.on('error', () => {});
    const lines = range(1500).map((number) => `${JSON.stringify({ ...listing, slug: `s-${number}` })}\n`);
    child.stdin.write(lines.join(''));
    const stored = (): Promise<number> => rowsIn(path(), 'listings').catch(() => 0);
    expect(await eventually(stored, (count) => count >= 1000)).to.equal(1000);
    child.kill('SIGINT');
    const [[code], stdout, stderr] = await output;
    expect([code, stdout]).to.deep.equal([130, 'Imported: 1000. Failed: 0.\n']);
    expect(stderr).to.include('Interrupted; run the import again to complete it.\n');
    expect(stderr).to.match(/"command":"listing import","listings":1000/);
  });

  it('leaves nothing of a backup', async () => {
    const store = `sqlite:${path()}`;
    await writeEmptyStore(path());
    const connection = new Database(path());
    connection.exec('CREATE TABLE padding AS SELECT zeroblob(30000000)');
    connection.close();
    const backup = path('copy.db');
    const child = startNode([programPath, 'store', 'backup', backup, '--store', store]);
    const output = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    const watcher = watch(dirname(backup), (_event, name) => {
      if (name?.includes('.partial') !== true) return;
      // Once: a second signal could come while the process exits, and would then end it.
      watcher.close();
      child.kill('SIGINT');
    });
    const [[code], stdout, stderr] = await output;
    expect([code, stdout, stderr]).to.deep.equal([130, '', 'Interrupted; no backup was written.\n']);
    const left = await readdir(dirname(backup));
    expect(left.filter((name) => name.startsWith(basename(backup)))).to.deep.equal([]);
  });
});
