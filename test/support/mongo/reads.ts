import { MongoArchive } from '../../../adapters/mongo/copy/mongo-archive.ts';
import type { MongoDatabase } from '../../../adapters/mongo/driver/mongo-database.ts';
import { lastUsesIn, mongoPorts, sharedRetention } from '../../../adapters/mongo/open-mongo-store.ts';
import type { Call } from '../../../core/call.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aListing,
  anAppKey,
  anOperatorKey,
  anOperatorSession,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  granted,
  later,
  noon,
} from '../builders.ts';

const licensed = aSubscription({ license: aLicense() });
const digest = aLicense().digest;
const record = aRecord(licensed);
const product = { id: 'prod_1', name: 'Product', createdAt: aCall().now };

export interface OpenedPorts extends StorePorts {
  readonly archive: MongoArchive;
}

export function portsOf(database: MongoDatabase): OpenedPorts {
  return {
    ...mongoPorts(database, lastUsesIn(database), sharedRetention(database, retentionFor(defaultTtl))),
    archive: new MongoArchive(database),
  };
}

export interface Read {
  readonly what: string;
  readonly command: 'find' | 'aggregate';
  readonly ask: (ports: OpenedPorts, call: Call) => Promise<unknown>;
}

/** Every read of the adapter, except those of the catalog's history. */
export const reads: readonly Read[] = [
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
    what: 'a page of entitlements',
    command: 'find',
    ask: ({ allEntitlements }, call) =>
      allEntitlements.page({ productId: null, reference: null, after: null, limit: 10 }, call),
  },
  { what: 'any app key', command: 'find', ask: ({ allAppKeys }, call) => allAppKeys.find('key_1', call) },
  {
    what: 'a page of app keys',
    command: 'find',
    ask: ({ allAppKeys }, call) => allAppKeys.page({ productId: null, after: null, limit: 10 }, call),
  },
  {
    what: 'any operator key',
    command: 'find',
    ask: ({ allOperatorKeys }, call) => allOperatorKeys.find('opk_1', call),
  },
  {
    what: 'a session',
    command: 'find',
    ask: ({ operatorSessions }, call) => operatorSessions.find(anOperatorSession().digest, call),
  },
  { what: 'a link', command: 'find', ask: ({ buyerLinks }, call) => buyerLinks.find('digest-of-a-link', call) },
  {
    what: 'the ended sessions',
    command: 'find',
    ask: ({ operatorSessions }, call) => operatorSessions.prune({ createdAt: later(-1), lastUsedAt: later(-1) }, call),
  },
  { what: 'a product', command: 'find', ask: ({ products }, call) => products.find('prod_1', call) },
  { what: 'a page of products', command: 'find', ask: ({ products }, call) => products.page(null, 10, call) },
  { what: 'the live listings', command: 'find', ask: async ({ listings }, call) => (await listings.load(call)).live },
  { what: 'any listing', command: 'find', ask: ({ allListings }, call) => allListings.find(aListing().slug, call) },
  {
    what: 'a page of listings',
    command: 'find',
    ask: ({ allListings }, call) => allListings.page({ products: null, state: null, after: null, limit: 10 }, call),
  },
  { what: 'a page of the waitlist', command: 'find', ask: ({ waitlist }, call) => waitlist.page(null, 10, call) },
  {
    what: 'a history',
    command: 'find',
    ask: ({ entitlementHistory }, call) => entitlementHistory.list('ent_1', call),
  },
  { what: 'a page of a copy', command: 'find', ask: ({ archive }, call) => archive.page('entitlements', '', call) },
  { what: 'the size of a copy', command: 'aggregate', ask: ({ archive }, call) => archive.count('entitlements', call) },
  { what: 'a page of a log', command: 'find', ask: ({ events }, call) => events.page('prod_1', 0, 10, call) },
  { what: 'the oldest of a log', command: 'find', ask: ({ events }, call) => events.prune('prod_1', noon, call) },
  {
    what: 'what is due',
    command: 'find',
    ask: ({ dueEntitlements }, call) => dueEntitlements.due(licensed.graceUntil, 10, call),
  },
  {
    what: 'since when events have been waiting',
    command: 'find',
    ask: ({ maintenance }, call) => maintenance.oldestWaitingEvent(call),
  },
  { what: 'a page of a copied log', command: 'find', ask: ({ archive }, call) => archive.page('events', '', call) },
  { what: 'the size of the logs', command: 'aggregate', ask: ({ archive }, call) => archive.count('events', call) },
  { what: 'what has expired', command: 'find', ask: ({ maintenance }, call) => maintenance.prune(null, call) },
];

/** Stores something for every read to find. */
export async function fillForReads(ports: OpenedPorts): Promise<void> {
  await ports.allEntitlements.add(granted([licensed]), aCall());
  await ports.entitlements.replace(licensed, changed(licensed), record, aChangeRecord(changed(licensed)), aCall());
  await ports.allAppKeys.add(anAppKey(), aCall());
  while (!(await ports.archive.moveEvents(aCall())));
  await ports.products.add(product, aCall());
  await ports.listings.put([aListing()], aCall());
  await ports.waitlist.join(aSignUp(), aCall());
  await ports.allOperatorKeys.add(anOperatorKey(), aCall());
  await ports.operatorSessions.add(anOperatorSession(), aCall());
}
