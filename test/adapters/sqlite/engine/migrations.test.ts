import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database, { type Database as Connection } from 'better-sqlite3';
import { expect } from 'chai';
import { migrations } from '../../../../adapters/sqlite/engine/migrations/migrations.ts';
import { toEntitlementRow } from '../../../../adapters/sqlite/entitlement/entitlement-row.ts';
import { appKeyTable, operatorKeyTable } from '../../../../adapters/sqlite/key/key-row.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import { retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import {
  aCall,
  aListing,
  anAppKey,
  anOperatorKey,
  aProduct,
  aSubscription,
  day,
  hour,
  later,
  noon,
} from '../../../support/builders.ts';
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

  it('are all listed, in the order of their numbers', () => {
    const folder = join(import.meta.dirname, '../../../../adapters/sqlite/engine/migrations');
    const sources = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
    const names = sources.flatMap((source) => [...source.matchAll(/^  name: '(.+)',$/gm)].map(([, name = '']) => name));
    const numbered = names.toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    expect(migrations.map(({ name }) => name)).to.deep.equal(numbered);
    expect(numbered.map((name) => Number.parseInt(name, 10))).to.deep.equal(numbered.map((_, index) => index + 1));
  });

  it('are what was released, byte for byte', () => {
    expect(released).to.have.length.at.least(8);
    expect(migrations.slice(0, released.length)).to.deep.equal(released);
  });

  it('keep the records of a file that kept no promises for the default time', async () => {
    createReleased(path(), 3);
    const connection = new Database(path());
    const record = ['prod_1', 'key-00000001', 'cancel', 'ent_1', +noon, 'id-of-the-answer', 'active', 0, 0, 0, 0, 0, 1];
    connection.prepare(`INSERT INTO idempotency_records VALUES (${record.map(() => '?').join()})`).run(record);
    connection.close();
    const store = await openAt(`sqlite:${path()}`, retentionFor(day), { onUpgrade: () => undefined });
    const isKept = async (milliseconds: number): Promise<boolean> =>
      (await store.idempotencyRecords.find('prod_1', 'key-00000001', aCall({ now: later(milliseconds) }))) !== null;
    expect([await isKept(73 * hour - 1), await isKept(73 * hour)]).to.deep.equal([true, false]);
    await store.close();
  });

  for (const version of released.map((_, index) => index + 1)) {
    it(`bring a file with schema ${version} to the schema of a new file, and keep what it contains`, async () => {
      createReleased(path(), version);
      const store = await openAt(`sqlite:${path()}`, undefined, { onUpgrade: () => undefined });
      expect(await productsIn(store)).to.deep.equal([product]);
      expect(await listingsIn(store)).to.deep.equal(version === 1 ? [] : [listing]);
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
      expect(operators).to.deep.equal(version < 5 ? [] : [operatorKey]);
      const { cursor } = await store.listings.load(aCall());
      await store.listings.put([aListing({ id: 'lst_2', slug: 'new' })], aCall());
      const changes = await store.listings.changesSince(cursor, aCall());
      expect(changes).to.deep.include({ kind: 'changes', cursor: version === 1 ? '1' : '8' });
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
  for (const [index, { sql }] of released.slice(0, version).entries()) {
    connection.exec(sql);
    if (index === 0) {
      connection.prepare('INSERT INTO products VALUES (?, ?, ?)').run(product.id, product.name, +noon);
      insertRow(connection, 'app_keys', appKeyTable.toRow(appKey));
      insertRow(connection, 'entitlements', toEntitlementRow(entitlement));
      insertRow(connection, 'entitlements', toEntitlementRow(suspended));
    }
    if (index === 1) connection.prepare(`INSERT INTO listings VALUES (${'?, '.repeat(13)} 7)`).run(listingValues());
  }
  if (version >= 5) insertRow(connection, 'operator_keys', operatorKeyTable.toRow(operatorKey));
  connection.pragma('application_id = 0x4c4b4559');
  connection.pragma(`user_version = ${version}`);
  connection.close();
}

/** Inserts the members of a row of this release that the table has as columns. */
function insertRow(connection: Connection, table: string, row: object): void {
  const columns = connection.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const parameters = columns.map((column) => `@${column}`);
  connection.prepare(`INSERT INTO ${table} VALUES (${parameters.join()})`).run(row);
}

/** The values of the first 13 columns of `listings`; the last is the number of its change. */
function listingValues(): readonly (string | number)[] {
  const { slug, id, name, blurb, category, commissionPercent, compensationType, compensationLabel } = listing;
  const texts = [slug, id, name, blurb, category];
  return [...texts, commissionPercent, compensationType, compensationLabel, 0, 5, 'live', +listing.publishedAt, 0];
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
