import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { toEntitlementDocument } from '../../../../adapters/mongo/entitlement/entitlement-document.ts';
import { partQuery } from '../../../../adapters/mongo/entitlement/mongo-all-entitlements.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import type { EntitlementPart, NewestPart } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import { aCall, aLicense, aSubscription, later } from '../../../support/builders.ts';
import { ownDatabaseUrl } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';

interface Plan {
  readonly queryPlanner: { readonly winningPlan: unknown };
  readonly executionStats: { readonly totalDocsExamined: number };
}

const newest: NewestPart = { order: 'newest', productId: null, after: null, limit: 50 };
const byId: EntitlementPart = { productId: null, reference: null, after: null, limit: 50 };
const after = { id: 'ent_1500', createdAt: later(3) };
const lastFour = ['x5sx', 'X5SX'];

/** The index that finds each part. */
const parts: Readonly<Record<string, readonly (EntitlementPart | NewestPart)[]>> = {
  created: [newest, { ...newest, after }],
  product_created: [
    { ...newest, productId: 'prod_1' },
    { ...newest, productId: 'prod_1', after },
  ],
  last_four: [
    { ...newest, lastFour },
    { ...newest, productId: 'prod_1', lastFour, after },
    { ...byId, lastFour },
    { ...byId, productId: 'prod_1', lastFour, after: 'ent_1500' },
  ],
};

describe('a list of entitlements by age on MongoDB', () => {
  let url: string;
  let client: MongoClient;

  beforeEach(async () => {
    url = await ownDatabaseUrl();
    client = await new MongoClient(url).connect();
    await (await openMongoDatabase(url, { create: true }, aCall())).close();
  });
  afterEach(() => client.close());

  it('is read by an index, without sorting what it has not found', async () => {
    const made = range(3000).map((index) =>
      toEntitlementDocument(
        aSubscription({
          id: `ent_${index}`,
          productId: `prod_${index % 3}`,
          createdAt: later(index % 7),
          license: aLicense({ digest: `digest ${index}`, lastFour: index % 1000 === 0 ? 'X5SX' : null }),
        }),
      ),
    );
    const stored = client.db().collection<{ _id: string }>('entitlements');
    await stored.insertMany(made);
    for (const [index, some] of Object.entries(parts)) {
      for (const part of some) {
        const { filter, sort, limit } = partQuery(part);
        const found = stored.find(filter, { sort: sort ?? {}, limit });
        const { queryPlanner, executionStats } = (await found.explain('executionStats')) as Plan;
        const text = JSON.stringify(queryPlanner.winningPlan);
        expect(text).to.include(`"indexName":"${index}"`).and.not.include('COLLSCAN');
        if (index !== 'last_four') expect(text).to.not.include('"SORT"');
        expect(executionStats.totalDocsExamined, index).to.be.at.most(52);
      }
    }
  });
});
