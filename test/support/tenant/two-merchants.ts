/** Two products with everything that a product can have, and what belongs to none or to both. */
import { digest, seededBytes } from '../../../adapters/crypto/node-secrets.ts';
import { platformWith } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import { saleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import { allStatements } from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ListingDraft } from '../../../core/catalog/administration/import-listings.ts';
import { deviceOf } from '../../../core/device/device.ts';
import { defaultSeats } from '../../../core/device/seats.ts';
import { takeSeat } from '../../../core/device/take-seat.ts';
import { scopes } from '../../../core/key/app/app-key.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { readTiers } from '../../../core/tier/allowance.ts';
import { anAffiliate, aPromotion, aSale, aStatement } from '../affiliates/builders.ts';
import { aCall, aGrant, aListing, aSignUp, aTrial, noon } from '../builders.ts';

/** The names of what belongs to one owner. */
export interface Names {
  readonly productId: string;
  readonly appKey: string;
  readonly operatorKey: string;
  readonly entitlement: string;
  readonly ended: string;
  readonly licenseKey: string;
  readonly slug: string;
  readonly webhook: string;
  readonly price: string;
  /** An entitlement that Stripe sells. */
  readonly sold: string;
  /** A device of `entitlement`. */
  readonly device: string;
  readonly tier: string;
  readonly trial: string;
  /** An affiliate with a promotion of the listing. */
  readonly handle: string;
  readonly code: string;
  /** A statement of the affiliate for the product. */
  readonly statement: string;
}

const laptopOf = (productId: string): string => `laptop-of-${productId}`;

function namesOf(owner: string, product = owner): Names {
  return {
    productId: product,
    appKey: `key-${owner}`,
    operatorKey: `opk-${owner}`,
    entitlement: `ent-${owner}`,
    ended: `ended-${owner}`,
    licenseKey: `LICENSE-KEY-OF-${owner.toUpperCase()}-000001`,
    slug: `slug-${owner}`,
    webhook: `whk-${owner}`,
    price: `price-${owner}`,
    sold: `sub_${owner}`,
    tier: `tier-${owner}`,
    trial: `trial_${owner.padEnd(22, 'A')}`,
    handle: `ada-${owner}`,
    code: `${owner}20`,
    statement: aStatement({ productId: owner }).id,
    device: deviceOf(`ent-${owner}`, laptopOf(product), digest),
  };
}

export const mine = namesOf('mine');
export const other = namesOf('other');
/** The names of data that belongs to every product or to none. */
export const ofAll = namesOf('all', 'other');
/** Nothing has these names. */
export const nobody = namesOf('nobody');

/** A call with a key that is limited to the product `mine`. */
export function limitedCall(overrides: Partial<Call> = {}): Call {
  return aCall({ by: 'operator:opk-mine', products: new Set(['mine']), ...overrides });
}

/** An administration whose ids and secrets follow from a text. */
export function seeded(ports: StorePorts, seed: string): Administration {
  return administrationOf(ports, platformWith(seededBytes(seed)));
}

export function aDraft(slug: string, overrides: Partial<ListingDraft> = {}): ListingDraft {
  const { id: _id, productId: _productId, publishedAt: _publishedAt, ...listing } = aListing({ slug });
  return { ...listing, ...overrides };
}

/** Adds a product with everything. */
export async function addMerchant(ports: StorePorts, names: Names): Promise<void> {
  const { productId } = names;
  const a = seeded(ports, `merchant ${productId}`);
  const call = aCall();
  await a.addProduct(productId, `The ${productId}`, call);
  await a.putTier({ productId, id: names.tier }, { deviceLimit: 3, trial: null, features: {} }, call);
  const converted = { at: noon, entitlementId: names.entitlement };
  await ports.trials.add(aTrial({ id: names.trial, productId, converted }), call);
  await a.addWebhook({ id: names.webhook, url: `https://${productId}.example/`, productId, types: null }, call);
  await addOwn(a, names, call);
  const sale = aSale({ entitlementId: names.entitlement, productId });
  await ports.sales.replace(
    null,
    sale,
    saleEvent(sale, call, () => `sold-${productId}`),
    call,
  );
  await addStatement(ports, names, call);
  const { handle, slug, code } = names;
  await ports.affiliates.replace(null, anAffiliate({ handle }), call);
  await ports.promotions.replace(null, aPromotion({ handle, slug, productId, codes: [code] }), call);
  await addDevices(ports, names, call);
  const key = { name: productId, products: [productId], scopes: ['admin:read'], expiresAt: null } as const;
  await a.issueOperatorKey({ ...key, id: names.operatorKey }, call);
}

/** Closes a month in which the affiliate of the product has one sale. */
async function addStatement(ports: StorePorts, { productId, entitlement }: Names, call: Call): Promise<void> {
  const statement = aStatement({ productId, month: '2026-06' });
  const line = { sale: aSale({ entitlementId: entitlement }).id, from: 0, to: 5 };
  await ports.statements.add(
    { statement, lines: [line] },
    statementEvent(statement, call, () => `st-${productId}`),
    call,
  );
}

async function addOwn(a: Administration, names: Names, call: Call): Promise<void> {
  const { productId, entitlement, ended } = names;
  await a.mapPrice(
    { price: names.price, productId, tierId: 'pro', tierName: 'Pro', deviceLimit: 2, updates: null },
    call,
  );
  await a.grantEntitlement({ id: names.sold, licenseKey: null, grant: aGrant({ productId }) }, call);
  await a.issueAppKey({ id: names.appKey, productId, scopes, expiresAt: null }, call);
  await a.grantEntitlement(
    { id: entitlement, licenseKey: names.licenseKey, grant: aGrant({ productId, reference: 'ref' }) },
    call,
  );
  await a.runEntitlementCommand(entitlement, { kind: 'suspend' }, call);
  await a.runEntitlementCommand(entitlement, { kind: 'reinstate' }, call);
  await a.grantEntitlement({ id: ended, licenseKey: `${names.licenseKey}-ENDED`, grant: aGrant({ productId }) }, call);
  await a.runEntitlementCommand(ended, { kind: 'revoke' }, call);
  await a.putListing(
    aDraft(names.slug, { id: `lst-${productId}`, productId, category: `Kind of ${productId}`, featured: true }),
    call,
  );
}

async function addDevices(ports: StorePorts, { productId, entitlement: id }: Names, call: Call): Promise<void> {
  const { newEventId } = platformWith(seededBytes(`devices of ${productId}`));
  const parts = { newEventId, digest, trustsClock: async () => true, settings: defaultSeats, endingSoon: 0 };
  const take = takeSeat({ ...parts, devices: ports.devices, knownTiers: readTiers(ports.tiers) });
  for (const deviceId of [laptopOf(productId), `phone-of-${productId}`]) {
    const read = async () => {
      const entitlement = await ports.allEntitlements.find(id, call);
      if (entitlement === null) throw new Error('there is no entitlement');
      return entitlement;
    };
    await take(read, { deviceId, name: deviceId, replace: null, offlineUntil: null }, call);
  }
}

/** Adds what only the owner of the service has. */
export async function addOwners(ports: StorePorts): Promise<void> {
  const a = seeded(ports, 'owner');
  const call = aCall();
  const key = { name: 'Owner', scopes: ['admin:read'], expiresAt: null } as const;
  await a.issueOperatorKey({ ...key, id: ofAll.operatorKey, products: null }, call);
  await a.issueOperatorKey({ ...key, id: 'opk-both', products: ['mine', 'other'] }, call);
  await a.putListing(aDraft(ofAll.slug, { id: 'lst-all', category: 'Owner' }), call);
  await a.addWebhook({ id: ofAll.webhook, url: 'https://all.example/', productId: null, types: null }, call);
  await a.mapPrice(
    { price: ofAll.price, productId: 'other', tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null },
    call,
  );
  await ports.waitlist.join(aSignUp(), call);
  for (const id of [mine.entitlement, other.entitlement]) {
    await ports.stripeCases.put({ id, kind: 'not_sent', since: noon, detail: null, change: null, charge: null }, call);
  }
}

/** Everything in a store, of the products that are accepted. */
export async function contentOf(ports: StorePorts, accepts: (productId: string | null) => boolean): Promise<object> {
  const call = aCall({ now: noon });
  const limit = 1000;
  const own = <T extends { readonly productId: string | null }>(all: readonly T[]): readonly T[] =>
    all.filter(({ productId }) => accepts(productId));
  const entitlements = own(
    await ports.allEntitlements.page({ productId: null, reference: null, after: null, limit }, call),
  );
  const operatorKeys = await ports.allOperatorKeys.page({ after: null, limit }, call);
  const promotions = own(
    await ports.promotions.page({ handle: null, slug: null, productId: null, state: null, after: null, limit }, call),
  );
  const promoters = new Set(promotions.map(({ handle }) => handle));
  const products = (await ports.products.page(null, limit, call)).filter(({ id }) => accepts(id));
  return {
    products,
    tiers: (await ports.tiers.all(call)).filter(({ productId }) => accepts(productId)),
    trials: await Promise.all(
      products.map(({ id }) => ports.trials.page({ productId: id, entitlementId: null, after: null, limit }, call)),
    ),
    appKeys: own(await ports.allAppKeys.page({ productId: null, after: null, limit }, call)),
    operatorKeys: operatorKeys.filter(({ products: of }) => accepts(of?.length === 1 ? (of[0] ?? null) : null)),
    entitlements,
    devices: await Promise.all(entitlements.map(({ id }) => ports.devices.page(id, { after: null, limit }, call))),
    history: await Promise.all(entitlements.map(({ id }) => ports.entitlementHistory.list(id, call))),
    listings: own(await ports.allListings.page({ products: null, state: null, after: null, limit }, call)),
    endpoints: own(await ports.webhookEndpoints.page({ products: null, after: null, limit }, call)),
    streams: own(await ports.deliveryStreams.page({ endpointId: null, after: null, limit }, call)).filter(
      ({ endpointId }) => endpointId !== ofAll.webhook || accepts(null),
    ),
    events: await Promise.all(products.map(({ id }) => ports.events.page(id, 0, limit, call))),
    prices: own(await ports.priceMap.page(null, limit, call)),
    sales: own(await ports.sales.page({ productId: null, handle: null, currency: null, after: null, limit }, call)),
    statements: own(await ports.statements.page({ ...allStatements, after: null, limit }, call)),
    affiliates: (await ports.affiliates.page(null, limit, call)).filter(({ handle }) => promoters.has(handle)),
    promotions,
    cases: accepts(null) ? await ports.stripeCases.page(null, limit, call) : [],
    waitlist: accepts(null) ? await ports.waitlist.page(null, limit, call) : [],
  };
}

/** The result of some work: what it returns, lists included, or the code with which it is refused. */
export async function resultOf(work: () => unknown): Promise<unknown> {
  try {
    const result = await work();
    const isList = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
    return plain(isList ? await Array.fromAsync(result as AsyncIterable<unknown>) : result);
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    if (code === undefined) throw error;
    return { refused: code, message };
  }
}

/** Maps as lists, so that they can be compared, and no receipts, whose ids are random. Functions are equal. */
function plain(value: unknown): unknown {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Map || value instanceof Set) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'receipt');
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}
