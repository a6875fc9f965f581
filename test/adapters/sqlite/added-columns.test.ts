import Database from 'better-sqlite3';
import { expect } from 'chai';
import { SqliteArchive } from '../../../adapters/sqlite/copy/sqlite-archive.ts';
import type { Archive, Entry } from '../../../core/copy/archive.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aListing,
  anAppKey,
  aProduct,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  granted,
} from '../../support/builders.ts';
import { withRecords } from '../../support/stores/archived.ts';
import { sqliteFile } from '../../support/stores/sqlite-file.ts';
import { openAt } from '../../support/stores/stores.ts';
import { listingsIn, signUpsIn } from '../../support/stores/whole-lists.ts';

const product = aProduct();

describe('a SQLite store in which a newer release has added a column to every table', () => {
  const file = sqliteFile();

  it('keeps serving a process that has the file open', async () => {
    await file().products.find('prod_1', aCall());
    addColumns(file().path);
    await useEveryPort(file());
    await useArchive(new SqliteArchive(file().database));
  });

  it('can be opened and used', async () => {
    addColumns(file().path);
    const opened = await openAt(`sqlite:${file().path}`);
    await useEveryPort(opened);
    await useArchive(new SqliteArchive(file().database));
    await opened.close();
  });
});

function addColumns(path: string): void {
  const connection = new Database(path);
  const tables = connection.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  for (const name of tables) connection.exec(`ALTER TABLE ${name} ADD COLUMN added TEXT NOT NULL DEFAULT 'added'`);
  connection.close();
}

async function useEveryPort(ports: StorePorts): Promise<void> {
  const [key, listing, signUp, entitlement] = [anAppKey(), aListing(), aSignUp(), aSubscription()];
  const next = changed(entitlement);
  const record = aRecord(next);
  await ports.products.add(product, aCall());
  await ports.allAppKeys.add(key, aCall());
  await ports.listings.put([listing], aCall());
  await ports.waitlist.join(signUp, aCall());
  await ports.allEntitlements.add(granted([entitlement]), aCall());
  await ports.entitlements.replace(entitlement, next, record, aChangeRecord(next), aCall());
  expect(await ports.products.find('prod_1', aCall())).to.deep.equal(product);
  expect(await ports.appKeys.find(key.digest, aCall())).to.deep.equal(key);
  expect(await listingsIn(ports)).to.deep.equal([listing]);
  expect(await signUpsIn(ports)).to.deep.equal([signUp]);
  expect(await ports.entitlements.find('ent_1', 'prod_1', aCall())).to.deep.equal(next);
  expect(await ports.idempotencyRecords.find('prod_1', record.key, aCall())).to.deep.equal(record);
  expect((await ports.maintenance.check(aCall())).map(({ ok }) => ok)).to.deep.equal([true, true, true]);
}

async function useArchive(archive: Archive): Promise<void> {
  const entries: readonly Entry[] = [
    { section: 'products', id: 'prod_2', value: { ...product, id: 'prod_2' } },
    { section: 'appKeys', id: 'zz', value: anAppKey({ id: 'key_2', digest: 'zz' }) },
    withRecords(1, 2),
    { section: 'listings', id: 'zz', value: aListing({ id: 'lst_2', slug: 'zz' }) },
    { section: 'signUps', id: 'zz@example.com', value: aSignUp({ email: 'zz@example.com' }) },
  ];
  for (const entry of entries) {
    expect(await archive.insert([entry], aCall())).to.equal(true);
    expect((await archive.page(entry.section, '', aCall())).at(-1)).to.deep.equal(entry);
  }
}
