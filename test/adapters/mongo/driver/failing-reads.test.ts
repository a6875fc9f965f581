import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { mongoPorts } from '../../../../adapters/mongo/open-mongo-store.ts';
import { expect } from 'chai';
import { MongoArchive } from '../../../../adapters/mongo/maintenance/mongo-archive.ts';
import { LastUsedBuffer } from '../../../../adapters/mongo/access/last-used-buffer.ts';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { openMongoDatabase } from '../../../../adapters/mongo/open-mongo-database.ts';
import type { Call } from '../../../../core/call.ts';
import {
  aCall,
  aLicense,
  aListing,
  anAppKey,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  deadlineIn,
} from '../../../support/builders.ts';
import { blocked, failures, whileFailing } from '../../../support/mongo/fail-point.ts';
import { ownDatabaseUrl, sharedServers } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { refusalOf } from '../../../support/thrown.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';

const licensed = aSubscription({ license: aLicense() });
const digest = aLicense().digest;
const record = aRecord(licensed);
const product = { id: 'prod_1', name: 'Product', createdAt: aCall().now };

interface Opened extends StorePorts {
  readonly archive: MongoArchive;
}

interface Read {
  readonly what: string;
  readonly command: 'find' | 'aggregate' | 'getMore';
  readonly ask: (store: Opened, call: Call) => Promise<unknown>;
}

/** Every question that the adapter asks, but for those about the catalog's history. */
const reads: readonly Read[] = [
  {
    what: 'a record',
    command: 'find',
    ask: ({ idempotencyRecords }, call) => idempotencyRecords.find('prod_1', record.key, call),
  },
  {
    what: 'an entitlement',
    command: 'find',
    ask: ({ entitlements }, call) => entitlements.find('ent_1', 'prod_1', call),
  },
  { what: 'a license', command: 'find', ask: ({ licenses }, call) => licenses.find(digest, call) },
  { what: 'an app key', command: 'find', ask: ({ appKeys }, call) => appKeys.find(anAppKey().digest, call) },
  { what: 'any entitlement', command: 'find', ask: ({ allEntitlements }, call) => allEntitlements.find('ent_1', call) },
  {
    what: 'any license',
    command: 'find',
    ask: ({ allEntitlements }, call) => allEntitlements.findByLicense(digest, call),
  },
  {
    what: 'all entitlements',
    command: 'find',
    ask: ({ allEntitlements }, call) => Array.fromAsync(allEntitlements.list(null, () => call)),
  },
  { what: 'any app key', command: 'find', ask: ({ allAppKeys }, call) => allAppKeys.find('key_1', call) },
  { what: 'all app keys', command: 'find', ask: ({ allAppKeys }, call) => allAppKeys.list(call) },
  { what: 'a product', command: 'find', ask: ({ products }, call) => products.find('prod_1', call) },
  { what: 'all products', command: 'find', ask: ({ products }, call) => products.list(call) },
  { what: 'the rest of all products', command: 'getMore', ask: ({ products }, call) => products.list(call) },
  { what: 'the live listings', command: 'find', ask: async ({ listings }, call) => (await listings.load(call)).live },
  { what: 'all listings', command: 'find', ask: ({ listings }, call) => Array.fromAsync(listings.list(() => call)) },
  { what: 'the waitlist', command: 'find', ask: ({ waitlist }, call) => Array.fromAsync(waitlist.list(() => call)) },
  { what: 'a page of a copy', command: 'find', ask: ({ archive }, call) => archive.page('entitlements', '', call) },
  { what: 'the size of a copy', command: 'aggregate', ask: ({ archive }, call) => archive.count('entitlements', call) },
  { what: 'what has expired', command: 'find', ask: ({ maintenance }, call) => maintenance.prune(null, call) },
];

describe('MongoDB failing under a question', () => {
  let database: MongoDatabase;
  let opened: Opened;
  let url = '';

  before(async () => {
    url = (await sharedServers()).url('admin');
    database = await openMongoDatabase(await ownDatabaseUrl(), { create: true }, aCall());
    opened = {
      ...mongoPorts(database, new LastUsedBuffer(database), retentionFor(defaultTtl)),
      archive: new MongoArchive(database),
    };
    await opened.allEntitlements.add([licensed], aCall());
    await opened.entitlements.replace(licensed, changed(licensed), record, aCall());
    await opened.allAppKeys.add(anAppKey(), aCall());
    // More than the driver takes from one answer.
    const products = range(150).map((index) => ({ ...product, id: `prod_${index}` }));
    await Promise.all(products.map((one) => opened.products.add(one, aCall())));
    await opened.listings.put([aListing()], aCall());
    await opened.waitlist.join(aSignUp(), aCall());
  });
  after(() => database.close());

  it('still tells everything when the first question about each is blocked for four seconds', async () => {
    const first = reads.filter(({ command }) => command !== 'getMore');
    const askAll = (call: Call): Promise<readonly unknown[]> => Promise.all(first.map(({ ask }) => ask(opened, call)));
    const answers = await askAll(aCall());
    const sooner = aCall({ deadline: deadlineIn(3000) });
    const work = (): Promise<readonly unknown[]> => askAll(sooner);
    expect(await whileFailing(url, ['find', 'aggregate'], blocked, work, first.length)).to.deep.equal(answers);
  });

  for (const { what, command, ask } of reads) {
    for (const { name, failure } of failures.filter(({ applied }) => !applied)) {
      it(`still tells ${what} when its ${command} ${name}`, async () => {
        const answer = await ask(opened, aCall());
        expect(await whileFailing(url, [command], failure, () => ask(opened, aCall()), 1)).to.deep.equal(answer);
      });

      it(`refuses to tell ${what} when each ${command} ${name}`, async () => {
        const { code } = await whileFailing(url, [command], failure, () => refusalOf(ask(opened, aCall())));
        expect(code).to.equal('store_unavailable');
      });
    }
  }
});
