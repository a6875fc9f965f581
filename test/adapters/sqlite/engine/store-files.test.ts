import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { expect } from 'chai';
import { createFile, createFolder } from '../../../../adapters/sqlite/engine/store-files.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt, type OpenedStore } from '../../../support/stores/stores.ts';

describe('the files of a SQLite store, where new files are readable by everybody', () => {
  const path = temporaryFile();
  const opened: OpenedStore[] = [];
  let umask: number;

  beforeEach(() => {
    umask = process.umask(0o000);
  });
  afterEach(async () => {
    process.umask(umask);
    for (const store of opened.splice(0)) await store.close();
  });

  it('are readable by their user only', async () => {
    await open(path('latchkey.db'));
    expect(modes()).to.deep.equal({ 'latchkey.db': '600', 'latchkey.db-shm': '600', 'latchkey.db-wal': '600' });
  });

  it('are in folders that are open to their user only, if these are new', async () => {
    mkdirSync(path('old'), { mode: 0o755 });
    await open(path('old/new/newer/latchkey.db'));
    expect(['old', 'old/new', 'old/new/newer'].map((folder) => modeOf(path(folder)))).to.deep.equal([
      '755',
      '700',
      '700',
    ]);
  });

  it('keep the mode that they have', async () => {
    writeFileSync(path(), '');
    chmodSync(path(), 0o640);
    await open(path());
    expect(modes()).to.deep.equal({ 'latchkey.db': '640', 'latchkey.db-shm': '640', 'latchkey.db-wal': '640' });
  });

  it('may be behind a link that leads to no file yet', async () => {
    mkdirSync(path('disk'));
    symlinkSync(path('disk/real.db'), path());
    await open(path());
    expect(modeOf(path('disk/real.db'))).to.equal('600');
  });

  it('have backups that are readable by their user only, before and after these are complete', async () => {
    writeFileSync(path(), '', { mode: 0o666 });
    const store = await open(path());
    const partial: string[] = [];
    const outcome = await store.maintenance.backup(path('copy.db'), aCall(), () => {
      partial.push(...Object.entries(modes()).flatMap(([name, mode]) => (name.includes('.partial') ? [mode] : [])));
      return false;
    });
    expect(outcome.kind).to.equal('copied');
    expect(modeOf(path('copy.db'))).to.equal('600');
    expect([...new Set(partial)]).to.deep.equal(['600']);
  });

  async function open(file: string): Promise<OpenedStore> {
    const store = await openAt(`sqlite:${file}`);
    opened.push(store);
    await store.waitlist.join(aSignUp(), aCall());
    return store;
  }

  function modes(): Readonly<Record<string, string>> {
    const folder = dirname(path());
    return Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(path(name))]));
  }
});

describe('what is created for a SQLite store', () => {
  const path = temporaryFile();
  const flushed: string[] = [];
  const flush = (folder: string): void => void flushed.push(relative(path('.'), folder));

  beforeEach(() => void flushed.splice(0));

  it('is flushed in every folder that gets an entry', () => {
    mkdirSync(path('old'));
    createFolder(path('old/new/newer'), flush);
    expect(flushed).to.deep.equal(['old', 'old/new']);
    createFile(path('old/new/newer/latchkey.db'), flush);
    expect(flushed).to.deep.equal(['old', 'old/new', 'old/new/newer']);
  });

  it('is refused where the file system takes none', () => {
    expect(() => createFolder('/proc/latchkey/stores', flush)).to.throw(/E(NOENT|ROFS|ACCES)/);
  });

  it('needs no flush if it exists', () => {
    writeFileSync(path(), 'mine');
    createFolder(path('.'), flush);
    createFile(path(), flush);
    expect(flushed).to.deep.equal([]);
  });
});

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}
