import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import { expect } from 'chai';
import { toListingRow } from '../../../../adapters/sqlite/catalog/listing-row.ts';
import { migrations, oldestSchema } from '../../../../adapters/sqlite/engine/migrations/migrations.ts';
import { toEntitlementRow } from '../../../../adapters/sqlite/entitlement/entitlement-row.ts';
import { appKeyTable, operatorKeyTable } from '../../../../adapters/sqlite/key/key-row.ts';
import { toProductRow } from '../../../../adapters/sqlite/product/sqlite-products.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aCall, aListing, anAppKey, anOperatorKey, aProduct, aSubscription, noon } from '../../../support/builders.ts';
import { sha256 } from '../../../support/run/secrets.ts';
import { temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';
import { listingsIn, productsIn } from '../../../support/stores/whole-lists.ts';

/** The SQL of each migration as it was released, with its name. */
const released = namesIn(join(import.meta.dirname, 'released-migrations'), '.sql').map((name) => ({
  name,
  sql: readFileSync(join(import.meta.dirname, 'released-migrations', `${name}.sql`), 'utf8'),
}));

const product = aProduct();
const listing = aListing();
const [appKey, operatorKey] = [anAppKey(), anOperatorKey()];
const licenseKey = 'a license key of a released file';
const license = { digest: licenseDigest(licenseKey, sha256), lastFour: 'file', createdAt: noon, revokedAt: null };
/** Migrations ask the clock of SQLite which ends have passed, so this one is far away. */
const farAway = new Date('2999-01-01T00:00:00.000Z');
const entitlement = aSubscription({ license, currentPeriodEnd: farAway, graceUntil: farAway });
const suspended = aSubscription({ id: 'ent_suspended', hold: { kind: 'suspended' } });

describe('the migrations of a SQLite file', () => {
  const path = temporaryFile();

  it('are numbered from the oldest schema on', () => {
    expect(migrations.map(({ name }) => Number.parseInt(name, 10))).to.deep.equal(
      migrations.map((_, index) => oldestSchema + index),
    );
  });

  it('are what was released, byte for byte', () => {
    expect(released).to.have.length.at.least(2);
    expect(migrations.slice(0, released.length)).to.deep.equal(released);
  });

  for (const version of released.map((_, index) => oldestSchema + index)) {
    it(`bring a file with schema ${version} to the schema of a new file, and keep what it contains`, async () => {
      createReleased(path(), version);
      const store = await openAt(`sqlite:${path()}`, undefined, { onUpgrade: () => undefined });
      expect(await productsIn(store)).to.deep.equal([product]);
      expect(await listingsIn(store)).to.deep.equal([listing]);
      const { findByLicenseKey, showEntitlement, showHistory } = administrationOf(store, nodePlatform);
      expect(await findByLicenseKey(licenseKey, aCall())).to.deep.include({
        ...snapshotAt(entitlement, noon),
        reference: null,
      });
      const { suspendedBy } = await showEntitlement(suspended.id, aCall());
      expect(suspendedBy).to.deep.equal(['operator']);
      expect(await showHistory(entitlement.id, aCall())).to.deep.equal([]);
      expect(await store.appKeys.find(appKey.digest, aCall())).to.deep.equal(appKey);
      const operators = await store.allOperatorKeys.page({ after: null, limit: 9 }, aCall());
      expect(operators).to.deep.equal([operatorKey]);
      const { cursor } = await store.listings.load(aCall());
      await store.listings.put([aListing({ id: 'lst_2', slug: 'new' })], aCall());
      const changes = await store.listings.changesSince(cursor, aCall());
      expect(changes).to.deep.include({ kind: 'changes', cursor: '1' });
      await store.close();
      await (await openAt(`sqlite:${path('new.db')}`)).close();
      expect(schemaOf(path())).to.deep.equal(schemaOf(path('new.db')));
    });
  }
});

function namesIn(folder: string, extension: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(extension));
  return files.map((file) => basename(file, extension)).toSorted();
}

/** Creates a file as the release with this schema did, with one row in each of the tables that administrators fill. */
function createReleased(file: string, version: number): void {
  const connection = new Database(file);
  for (const { sql } of released.slice(0, version - oldestSchema + 1)) connection.exec(sql);
  insertRow(connection, 'products', toProductRow(product));
  insertRow(connection, 'app_keys', appKeyTable.toRow(appKey));
  insertRow(connection, 'operator_keys', operatorKeyTable.toRow(operatorKey));
  insertRow(connection, 'entitlements', toEntitlementRow(entitlement));
  insertRow(connection, 'entitlements', toEntitlementRow(suspended));
  insertRow(connection, 'listings', toListingRow(listing, 0));
  connection.pragma('application_id = 0x4c4b4559');
  connection.pragma(`user_version = ${version}`);
  connection.close();
}

/** Inserts the members of a row of this release that the table has as columns. */
function insertRow(connection: Connection, table: string, row: object): void {
  const columns = connection.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const given = columns.filter((column) => column in row);
  const parameters = given.map((column) => `@${column}`);
  connection.prepare(`INSERT INTO ${table} (${given.join()}) VALUES (${parameters.join()})`).run(row);
}

/** Everything that SQLite knows about the schema, with the text of each CREATE statement. */
function schemaOf(file: string): unknown {
  const connection = new Database(file, { readonly: true });
  const objects = connection.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  const version = connection.pragma('user_version', { simple: true });
  const application = connection.pragma('application_id', { simple: true });
  connection.close();
  return { objects, version, application };
}
