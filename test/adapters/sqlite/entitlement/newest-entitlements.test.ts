import { expect } from 'chai';
import type { SqliteDatabase } from '../../../../adapters/sqlite/engine/sqlite-database.ts';
import { EntitlementPages } from '../../../../adapters/sqlite/entitlement/entitlement-pages.ts';
import type { EntitlementPart, NewestPart } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import { noon } from '../../../support/builders.ts';
import { sqliteFile } from '../../../support/stores/sqlite-file.ts';

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

/** The query plan by which SQLite reads a part. */
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
