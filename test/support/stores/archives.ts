import { licenseSecretId } from '../../../core/billing/license-secrets.port.ts';
import {
  placeId,
  sections,
  toArchivedStream,
  type Archive,
  type Entry,
  type Section,
} from '../../../core/copy/archive.port.ts';
import { keyRingId, type KeyRing } from '../../../core/receipt/key-ring.ts';
import { anAffiliate, aPayment, aPromotion, aSale, aStatement, inStatement } from '../affiliates/builders.ts';
import {
  aCall,
  aListing,
  anAppKey,
  anOperatorKey,
  aProduct,
  aSignUp,
  aSubscription,
  aTrial,
  later,
  noon,
} from '../builders.ts';
import { aKeyRing } from '../receipts/key-rings.ts';
import { anAttempt, anEndpoint, aStream, placed } from '../webhooks/builders.ts';
import { freshStore, sqlite } from './stores.ts';

/** Creates a store that can be copied before each test of the calling suite, and returns its archive. */
export function freshArchive(): () => Archive {
  const store = freshStore(sqlite.open);
  return () => {
    const { archive } = store();
    if (archive === null) throw new Error('this store cannot be copied');
    return archive;
  };
}

const waitingStream = aStream({
  attempts: [anAttempt()],
  effects: new Map([['ent_1', { at: noon, mark: 'evt_1.2', unseen: ['evt_1.3'], keptAt: later(2000) }]]),
  pending: new Map([['ent_1', { positions: [1], attempt: 2, at: later(1) }]]),
});

const stated = aStatement({ paid: { at: later(1), method: 'sepa', reference: '“7”' }, revision: 2 });

/** One entry of each section. */
export const oneOfEach: readonly Entry[] = [
  productEntry('prod_1'),
  {
    section: 'prices',
    id: 'price_1',
    value: { price: 'price_1', productId: 'prod_1', tierId: 'pro', tierName: 'Pro', deviceLimit: 3, updates: null },
  },
  { section: 'appKeys', id: anAppKey().digest, value: anAppKey() },
  { section: 'operatorKeys', id: anOperatorKey().digest, value: anOperatorKey({ products: ['prod_1', 'prod_2'] }) },
  { section: 'entitlements', id: 'ent_1', value: { entitlement: aSubscription(), records: [], history: [] } },
  { section: 'trials', id: aTrial().id, value: aTrial({ converted: { at: later(1000), entitlementId: 'ent_1' } }) },
  listingEntry('quiet-editor'),
  { section: 'signUps', id: 'ada@example.com', value: aSignUp() },
  { section: 'affiliates', id: 'ada', value: anAffiliate({ about: 'I draw.', payTo: 'IBAN', revision: 3 }) },
  { section: 'promotions', id: 'ada quiet-editor', value: aPromotion({ slug: 'quiet-editor', codes: ['ada20'] }) },
  saleEntry('cs_test_a1Secret'),
  {
    section: 'statements',
    id: stated.id,
    value: { statement: stated, lines: [{ sale: 'sale_1', from: -5, to: 265 }] },
  },
  {
    section: 'events',
    id: placeId('prod_1', 1),
    value: { productId: 'prod_1', storedAt: noon, ...placed(1, 'ent_1') },
  },
  { section: 'webhookEndpoints', id: 'whk_1', value: anEndpoint({ isPublicOnly: true }) },
  { section: 'deliveryStreams', id: 'whk_1/add_1/prod_1', value: toArchivedStream(waitingStream) },
  ringEntry(aKeyRing()),
  { section: 'licenseSecrets', id: licenseSecretId, value: { secret: 'aSecretOfTests' } },
];

export function ringEntry(value: KeyRing): Entry {
  return { section: 'signingKeys', id: keyRingId, value };
}

export function productEntry(id: string, name = 'One'): Entry {
  return { section: 'products', id, value: aProduct({ id, name }) };
}

function saleEntry(entitlementId: string): Entry {
  const voided = { at: later(1), by: 'operator:opk_1', reason: 'own_purchase' } as const;
  const value = aSale({ entitlementId, payments: [aPayment()], voided, ...inStatement(270, noon), revision: 4 });
  return { section: 'sales', id: entitlementId, value };
}

export function listingEntry(slug: string): Entry {
  return { section: 'listings', id: slug, value: aListing({ slug, id: `id-of-${slug}`, productId: 'prod_1' }) };
}

/** Stores entries, section by section. */
export async function insertAll(archive: Archive, entries: readonly Entry[]): Promise<void> {
  for (const [section, own] of Map.groupBy(entries, (entry) => entry.section)) {
    if (!(await archive.insert(own, aCall()))) throw new Error(`one of the ${section} exists`);
  }
}

/** Reads everything that a store keeps, by section and id. */
export async function readAll(archive: Archive): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const section of sections) entries.push(...(await readSection(archive, section)));
  return entries;
}

export async function readSection(archive: Archive, section: Section): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let page = await archive.page(section, '', aCall()); page.length > 0;) {
    entries.push(...page);
    page = await archive.page(section, page.at(-1)?.id ?? '', aCall());
  }
  return entries;
}

/** The archive, with some of its methods replaced. */
export function withMethods(archive: Archive, methods: Partial<Archive>): Archive {
  return {
    retentionPromises: archive.retentionPromises,
    moveEvents: (call) => archive.moveEvents(call),
    count: (...what) => archive.count(...what),
    page: (...where) => archive.page(...where),
    insert: (...what) => archive.insert(...what),
    remove: (...what) => archive.remove(...what),
    ...methods,
  };
}
