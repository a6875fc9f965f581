import Database from 'better-sqlite3';
import { expect } from 'chai';
import { migrations } from '../../../../adapters/sqlite/engine/migrations/migrations.ts';
import type { SqliteDatabase } from '../../../../adapters/sqlite/engine/sqlite-database.ts';
import { EntitlementPages } from '../../../../adapters/sqlite/entitlement/entitlement-pages.ts';
import { toEntitlementRow } from '../../../../adapters/sqlite/entitlement/entitlement-row.ts';
import type { EntitlementPart, NewestPart } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import { aCall, aLicense, aSubscription, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { sqliteFile, temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { openAt } from '../../../support/stores/stores.ts';

type Part = EntitlementPart | NewestPart;

const newest: NewestPart = { order: 'newest', productId: null, after: null, limit: 50 };
const byId: EntitlementPart = { productId: null, reference: null, after: null, limit: 50 };
const after = { id: 'ent_1', createdAt: noon };
const lastFour = ['x5sx', 'X5SX'];

/** The index that finds each part. */
const parts: Readonly<Record<string, readonly Part[]>> = {
  entitlements_created: [newest, { ...newest, after }],
  entitlements_product_created: [
    { ...newest, productId: 'prod_1' },
    { ...newest, productId: 'prod_1', after },
  ],
  entitlements_last_four: [
    { ...newest, lastFour },
    { ...newest, productId: 'prod_1', lastFour, after },
    { ...byId, lastFour },
    { ...byId, productId: 'prod_1', lastFour, after: 'ent_1' },
  ],
};

describe('the lists of entitlements in a SQLite file', () => {
  const file = sqliteFile();

  for (const [index, some] of Object.entries(parts)) {
    it(`read by ${index}, without sorting what it has not found`, () => {
      for (const part of some) {
        const plan = planOf(file().database, part);
        expect(plan).to.include(`INDEX ${index} `);
        expect(plan).to.not.match(/SCAN entitlements/);
        if (index !== 'entitlements_last_four') expect(plan).to.not.include('TEMP B-TREE');
      }
    });
  }

  it('have the place after which a part begins in the index, all of it', () => {
    const plans = [newest, { ...newest, productId: 'prod_1' }].map((part) => planOf(file().database, part));
    expect(plans[0]).to.include('((created_at,id)<(?,?))');
    expect(plans[1]).to.include('(product_id=? AND (created_at,id)<(?,?))');
  });
});

describe('a SQLite file of the release without lists by age', () => {
  const path = temporaryFile();

  it('lists what it has, the newest first and by the end of its keys', async () => {
    const made = range(30).map((index) =>
      aSubscription({
        id: `ent_${index + 10}`,
        createdAt: later(index % 7),
        license: aLicense({ digest: `digest ${index}`, lastFour: index % 3 === 0 ? 'X5SX' : null }),
      }),
    );
    createBefore(path(), '-newest-entitlements', made);
    const upgraded = await openAt(`sqlite:${path()}`, undefined, { onUpgrade: () => undefined });
    const expected = made
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    const ids = async (part: NewestPart): Promise<readonly string[]> =>
      (await upgraded.allEntitlements.page(part, aCall())).map(({ id }) => id);
    expect(await ids(newest)).to.deep.equal(expected);
    const shown = made.filter(({ license }) => license?.lastFour !== null).map(({ id }) => id);
    expect(await ids({ ...newest, lastFour })).to.deep.equal(expected.filter((id) => shown.includes(id)));
    await upgraded.close();
  });
});

/** Creates a file as it was before a step, with these entitlements. */
function createBefore(path: string, step: string, made: readonly Subscription[]): void {
  const connection = new Database(path);
  const version = migrations.findIndex(({ name }) => name.endsWith(step));
  for (const { sql } of migrations.slice(0, version)) connection.exec(sql);
  connection.prepare('INSERT INTO products (id, name, created_at) VALUES (?, ?, ?)').run('prod_1', 'One', +noon);
  const known = connection.prepare<[], string>("SELECT name FROM pragma_table_info('entitlements')").pluck().all();
  const columns = known.filter((column) => made.some((each) => column in toEntitlementRow(each)));
  const insert = connection.prepare(
    `INSERT INTO entitlements (${columns.join()}) VALUES (${columns.map((column) => `@${column}`).join()})`,
  );
  for (const each of made) insert.run(toEntitlementRow(each));
  connection.pragma('application_id = 0x4c4b4559');
  connection.pragma(`user_version = ${version}`);
  connection.close();
}

/** What SQLite says of how it reads a part. */
function planOf({ connection }: SqliteDatabase, part: Part): string {
  let plan = '';
  const explaining = {
    prepare: (sql: string) => ({
      all: (parameters: object) => {
        const rows = connection.prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
        plan = rows
          .all(parameters)
          .map(({ detail }) => detail)
          .join('\n');
        return [];
      },
    }),
  };
  new EntitlementPages({ connection: explaining } as unknown as SqliteDatabase).read(part);
  return plan;
}
