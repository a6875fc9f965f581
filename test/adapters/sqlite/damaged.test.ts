import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { aCall, aListing, aSubscription, granted } from '../../support/builders.ts';
import { runCommand } from '../../support/cli/run-command.ts';
import { send } from '../../support/http/http-client.ts';
import { bearer } from '../../support/http/requests.ts';
import { sqliteService } from '../../support/http/sqlite-service.ts';
import { range } from '../../support/range.ts';
import { plainRenderer } from '../../support/stores/catalogs.ts';
import { sqliteFile } from '../../support/stores/sqlite-file.ts';
import { openAt } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const pageSize = 4096;

describe('a damaged SQLite store', () => {
  const running = sqliteService();
  const path = (): string => running().path();

  it('is named by a server that is using it, and answers 500 store_unavailable', async () => {
    const { service } = running();
    await fill();
    overwrite(2 * pageSize, 40 * pageSize);
    const statuses = new Map<string, string | undefined>();
    for (const id of ['ent_1', 'ent_200']) {
      const { headers } = await send(`${service.url}/api/app-entitlements/${id}`, { headers: [bearer()] });
      statuses.set(id, headers['error-code']);
    }
    expect([...statuses.values()]).to.include('store_unavailable');
    expect(JSON.stringify(service.faults)).to.include('The store is damaged: restore it from a backup.');
  });

  for (const [what, damage] of [
    ['its first pages are overwritten', () => overwrite(2 * pageSize, 40 * pageSize)],
    ['its last pages are overwritten', () => overwrite(statSync(path()).size - 20 * pageSize, 20 * pageSize)],
    ['its schema is overwritten', () => overwrite(112, 3900)],
    ['it is cut off', () => truncateSync(path(), 3 * pageSize)],
    ['it lacks a table', () => void running().database.connection.exec('DROP TABLE waitlist')],
  ] as const) {
    it(`is named by a command, if ${what}`, async () => {
      await fill();
      damage();
      const { exitCode, stdout, stderr } = await runCommand('entitlement list --json', `sqlite:${path()}`);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      const { code, error } = JSON.parse(stderr) as { readonly code: string; readonly error: string };
      expect(code).to.equal('store_unusable');
      expect(error).to.match(/^The store (at \S+ )?is damaged: restore it from a backup\.$/);
    });
  }

  /** Writes enough for several pages, all of them into the store file. */
  async function fill(): Promise<void> {
    const store = await openAt(`sqlite:${path()}`);
    await store.allEntitlements.add(
      granted(range(1000).map((number) => aSubscription({ id: `ent_${number + 100}` }))),
      aCall(),
    );
    await store.close();
    running().database.connection.pragma('wal_checkpoint(TRUNCATE)');
    expect(statSync(path()).size).to.be.above(42 * pageSize);
  }

  function overwrite(position: number, length: number): void {
    const descriptor = openSync(path(), 'r+');
    writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, position);
    closeSync(descriptor);
  }
});

describe('a SQLite store without the numbers of its listing changes', () => {
  const file = sqliteFile();

  for (const [what, sql] of [
    ['NULL', 'INSERT INTO listing_changes VALUES (NULL, NULL)'],
    ['no row', ''],
  ] as const) {
    it(`is named as damaged: ${what}`, async () => {
      await file().listings.put([aListing()], aCall());
      const index = new CatalogIndex(file().listings, plainRenderer, (text) => text);
      await index.refresh(aCall());
      file().database.connection.exec(
        `DROP TABLE listing_changes; CREATE TABLE listing_changes (last INTEGER, forgotten INTEGER); ${sql}`,
      );
      const { code, details } = await refusalOf(index.refresh(aCall()));
      expect(code).to.equal('store_unavailable');
      expect(details.cause)
        .to.be.instanceOf(UnusableStore)
        .with.property('message')
        .that.matches(/is damaged/);
      expect(await index.find(aListing().slug)).not.to.equal(null);
      expect(await thrownBy(file().listings.load(aCall()))).to.have.nested.property('details.cause.name');
    });
  }
});
