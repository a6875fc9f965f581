import { createContainer } from '../../app/service/container.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { newCall } from '../../app/service/process.ts';
import { tokens } from '../../app/service/tokens.ts';
import { openStore } from '../../app/stores/open-store.ts';
import type { Call } from '../../core/call.ts';
import type { Addition } from '../../core/entitlement/administration/all-entitlements.port.ts';
import type { Subscription } from '../../core/entitlement/entitlement.ts';
import { recordGrant } from '../../core/entitlement/event/change-record.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { appKeyKind, scopes } from '../../core/key/app/app-key.ts';
import { newKey } from '../../core/key/key-kind.ts';
import { operatorKeyKind, operatorScopes } from '../../core/key/operator/operator-key.ts';
import { generateLicenseKey, lastFourOf, licenseDigest } from '../../core/license/license-key.ts';
import { catalogOf } from './catalog.ts';

/** The facts about the seeded store that the load needs. */
export interface Data {
  readonly appKey: string;
  /** Of an operator with every scope. */
  readonly operatorKey: string;
  readonly entitlementIds: readonly string[];
  /** The license key of each entitlement, in the same order. */
  readonly licenseKeys: readonly string[];
  readonly slugs: readonly string[];
}

export const productId = 'prod_bench';

const { crc32, digest, randomBytes, newAppKeyId, newOperatorKeyId, newEventId } = nodePlatform;

const listingCount = 10_000;
const day = 86_400_000;
const batch = 2000;

type Container = ReturnType<typeof createContainer>;

/** A call that outlasts the seeding of a batch. */
const call = (): Call => newCall(new Date(), 60_000, 'command:bench');

/** Creates a store and fills it through its ports: listings, a product, an app key and active subscriptions. */
export async function seedStore(url: string, licenses: number, listings = listingCount): Promise<Data> {
  const store = await openStore(url, { create: true }, retentionFor(defaultTtl), call());
  try {
    return await seed(createContainer(store.ports), licenses, listings);
  } finally {
    await store.close();
  }
}

async function seed(container: Container, licenses: number, listingsOfCatalog: number): Promise<Data> {
  const { now } = call();
  await container.get(tokens.products).add({ id: productId, name: 'Bench', createdAt: now }, call());
  const appKey = await addAppKey(container, now);
  const operatorKey = await addOperatorKey(container, now);
  const licenseKeys = Array.from({ length: licenses }, () => generateLicenseKey(randomBytes));
  const subscriptions = licenseKeys.map((key, index) => subscription(index, key, now));
  for (let start = 0; start < licenses; start += batch) {
    await container.get(tokens.allEntitlements).add(
      subscriptions.slice(start, start + batch).map((entitlement) => granted(entitlement, now)),
      call(),
    );
  }
  const listings = catalogOf(listingsOfCatalog, now);
  for (let start = 0; start < listings.length; start += listingCount)
    await container.get(tokens.listings).put(listings.slice(start, start + listingCount), call());
  return {
    appKey,
    operatorKey,
    licenseKeys,
    entitlementIds: subscriptions.map(({ id }) => id),
    slugs: listings.map(({ slug }) => slug),
  };
}

async function addAppKey(container: Container, now: Date): Promise<string> {
  const { key, facts } = newKey(appKeyKind, newAppKeyId, randomBytes, crc32, digest)('key_bench', now);
  await container.get(tokens.allAppKeys).add({ ...facts, productId, scopes, expiresAt: null }, call());
  return key;
}

async function addOperatorKey(container: Container, now: Date): Promise<string> {
  const { key, facts } = newKey(operatorKeyKind, newOperatorKeyId, randomBytes, crc32, digest)('opk_bench', now);
  const terms = { name: 'Bench', products: null, scopes: operatorScopes, expiresAt: null };
  await container.get(tokens.allOperatorKeys).add({ ...facts, ...terms }, call());
  return key;
}

function subscription(index: number, licenseKey: string, now: Date): Subscription {
  const createdAt = new Date(now.getTime() - 10 * day);
  const currentPeriodEnd = new Date(now.getTime() + 20 * day);
  return {
    kind: 'subscription',
    id: `ent_${String(index).padStart(8, '0')}`,
    productId,
    tierId: 'pro',
    tierName: 'Professional',
    billingInterval: 'month',
    billingIntervalCount: 1,
    standing: 'active',
    hold: { kind: 'none' },
    currentPeriodStart: createdAt,
    reference: null,
    updatesUntil: null,
    currentPeriodEnd,
    anchorDay: null,
    graceUntil: new Date(currentPeriodEnd.getTime() + day),
    cancellation: null,
    unpaidUntil: null,
    license: {
      digest: licenseDigest(licenseKey, digest),
      lastFour: lastFourOf(licenseKey),
      createdAt,
      revokedAt: null,
    },
    createdAt,
    updatedAt: createdAt,
    version: 1,
    revision: 1,
    sequence: 0,
    nextEventAt: null,
    unannouncedEnd: null,
    deviceLimit: null,
    features: {},
    devicesUsed: 0,
    releasesUntil: null,
  };
}

function granted(entitlement: Subscription, now: Date): Addition {
  const { next, changeRecord } = recordGrant(entitlement, { operation: 'granted' }, { ...call(), now }, newEventId);
  return { entitlement: next, changeRecord };
}
