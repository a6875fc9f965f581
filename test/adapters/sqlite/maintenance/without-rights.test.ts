import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { openConnection } from '../../../../adapters/sqlite/engine/connection.ts';
import { restoreStore } from '../../../../app/restore-store.ts';
import { UnusableStore } from '../../../../core/store/store.port.ts';
import { aCall, noon } from '../../../support/builders.ts';
import { reachablePlace, withoutRights } from '../../../support/processes/without-rights.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';
import { thrownBy } from '../../../support/thrown.ts';

describe('a backup, without rights', () => {
  const running = sqliteFile(reachablePlace());
  let folder = '';
  let backup = '';
  let store = '';
  beforeEach(async () => {
    const { path, maintenance, products } = running();
    await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    chmodSync(dirname(path), 0o755);
    folder = join(dirname(path), 'backups');
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    backup = join(folder, 'backup.db');
    store = join(folder, 'latchkey.db');
    expect((await maintenance.backup(backup, aCall(), () => false)).kind).to.equal('copied');
    chmodSync(backup, 0o444);
  });

  it('can be read in a folder that cannot be written', async () => {
    chmodSync(folder, 0o555);
    const open = { create: false, readOnly: true };
    const connection = await withoutRights(() => openConnection(backup, open, aCall()));
    expect(connection.prepare('SELECT id FROM products').pluck().all()).to.deep.equal(['prod_1']);
    connection.close();
    chmodSync(folder, 0o777);
  });

  it('is restored where the store may be written', async () => {
    expect(await withoutRights(restore)).to.deep.include({ kind: 'restored', kept: null });
  });

  it('is not restored if it cannot be read', async () => {
    chmodSync(backup, 0o000);
    await refuses('The backup cannot be read: it must be a file that `latchkey store backup` has made.');
  });

  it('is not restored from a folder that cannot be entered, which is named', async () => {
    const link = join(dirname(folder), 'link.db');
    symlinkSync(backup, link);
    store = join(dirname(folder), 'fresh.db');
    chmodSync(folder, 0o666);
    for (backup of [backup, link])
      await refuses(`The backup at ${backup} cannot be reached: this user may not enter ${folder}.`);
    chmodSync(folder, 0o777);
  });

  it('is not restored into a folder that cannot be entered, which is named', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    if (process.geteuid?.() !== 0) chmodSync(closed, 0o000);
    store = join(closed, 'deep', 'latchkey.db');
    await refuses(`The store at ${store} cannot be reached: this user may not enter ${closed}.`);
    chmodSync(closed, 0o777);
    expect(readdirSync(closed)).to.deep.equal([]);
  });

  async function refuses(message: string): Promise<void> {
    expect(await thrownBy(withoutRights(restore)))
      .to.be.instanceOf(UnusableStore)
      .with.property('message', message);
  }

  function restore(): ReturnType<typeof restoreStore> {
    return restoreStore(
      `sqlite:${store}`,
      backup,
      () => aCall(),
      () => false,
    );
  }
});
