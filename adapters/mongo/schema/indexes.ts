import type { IndexDescription } from 'mongodb';

type Indexes = Readonly<Record<string, readonly (IndexDescription & { readonly name: string })[]>>;

/**
 * The indexes that must exist, by collection. The store's promises depend on the unique ones. An index is partial where an
 * absent field would count as null, so that two documents without it collided, or so that it has keys of what waits only.
 */
export const indexes: Indexes = {
  /** A listing is stored under its slug; its id is unique as well. */
  listings: [
    { name: 'id', key: { id: 1 }, unique: true },
    { name: 'state', key: { state: 1, _id: 1 } },
    { name: 'product', key: { productId: 1, _id: 1 } },
  ],

  /** A key is stored under its digest; commands name it by its id, and list the oldest first. */
  app_keys: [
    { name: 'id', key: { id: 1 }, unique: true },
    { name: 'age', key: { createdAt: 1, id: 1 } },
    { name: 'product', key: { productId: 1, createdAt: 1, id: 1 } },
  ],
  operator_keys: [
    { name: 'id', key: { id: 1 }, unique: true },
    { name: 'age', key: { createdAt: 1, id: 1 } },
  ],

  /** The link of an invitation names its digest. */
  waitlist: [{ name: 'invitation', key: { 'invitation.digest': 1 }, sparse: true }],

  /** A trial is stored under its id. Most become no purchase. */
  trials: [
    { name: 'product', key: { productId: 1, startedAt: 1, _id: 1 } },
    {
      name: 'purchase',
      key: { 'converted.entitlementId': 1 },
      partialFilterExpression: { 'converted.entitlementId': { $exists: true } },
    },
    { name: 'end', key: { endsAt: 1 } },
  ],

  entitlements: [
    { name: 'product', key: { productId: 1, _id: 1 } },
    /** One effect for each idempotency key of a product. */
    {
      name: 'record_key',
      key: { productId: 1, 'records.key': 1 },
      unique: true,
      partialFilterExpression: { 'records.key': { $exists: true } },
    },
    /** One entitlement for each license key. */
    {
      name: 'license_digest',
      key: { 'license.digest': 1 },
      unique: true,
      partialFilterExpression: { 'license.digest': { $exists: true } },
    },
    /** One entitlement of a product for each reference. */
    {
      name: 'reference',
      key: { productId: 1, reference: 1 },
      unique: true,
      partialFilterExpression: { reference: { $type: 'string' } },
    },
    /** Finds the events that wait for the relay. */
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },
    /** Finds entitlements that the clock has changed. */
    {
      name: 'next_event',
      key: { nextEventAt: 1 },
      partialFilterExpression: { nextEventAt: { $type: 'date' } },
    },
    /** Finds the ends that no event has announced. */
    {
      name: 'untold_end',
      key: { untoldEnd: 1 },
      partialFilterExpression: { untoldEnd: { $type: 'date' }, 'hold.kind': 'none' },
    },
    /** Finds the moves of devices that wait. */
    { name: 'moves', key: { 'moves.n': 1 }, partialFilterExpression: { 'moves.n': { $exists: true } } },
    /** Find the newest entitlements, of all products and of one, and those by the end of their license keys. */
    { name: 'created', key: { createdAt: 1, _id: 1 } },
    { name: 'product_created', key: { productId: 1, createdAt: 1, _id: 1 } },
    { name: 'last_four', key: { 'license.lastFour': 1, _id: 1 } },
  ],

  /** Finds the last positions of many logs at once. */
  events: [{ name: 'log_end', key: { productId: 1, last: 1 } }],

  tiers: [
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },
  ],

  /** An affiliate is stored under the handle. One that is erased has no address. */
  affiliates: [
    { name: 'address', key: { address: 1 }, unique: true, partialFilterExpression: { address: { $type: 'string' } } },
  ],

  /** A promotion is stored under the handle and the slug. */
  promotions: [
    /** One promotion of a product for each code. */
    { name: 'code', key: { codeKeys: 1 }, unique: true, sparse: true },
    { name: 'affiliate', key: { handle: 1, _id: 1 } },
    { name: 'listing', key: { slug: 1, productId: 1, state: 1 } },
    { name: 'product', key: { productId: 1, _id: 1 } },
    { name: 'state', key: { state: 1, _id: 1 } },
  ],

  statements: [
    { name: 'chain', key: { productId: 1, handle: 1, currency: 1, number: 1 }, unique: true },
    { name: 'list', key: { month: -1, handle: 1, productId: 1, currency: 1 } },
    { name: 'product', key: { productId: 1, month: -1, handle: 1, currency: 1 } },
    { name: 'affiliate', key: { handle: 1, month: -1, productId: 1, currency: 1 } },
    { name: 'state', key: { state: 1, month: -1, handle: 1, productId: 1, currency: 1 } },
    /** Finds those whose lines are not in their sales yet. */
    { name: 'unapplied', key: { applied: 1 }, partialFilterExpression: { applied: false } },
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },
  ],

  /** A sale is stored under its entitlement; affiliates know another id. */
  sales: [
    { name: 'id', key: { id: 1 }, unique: true },
    /** Finds sales with a payment that a look has to confirm. */
    { name: 'look', key: { lookAt: 1 }, partialFilterExpression: { lookAt: { $type: 'date' } } },
    /** Finds, chain by chain, sales that may have a line in a statement. */
    {
      name: 'lines',
      key: { productId: 1, handle: 1, currency: 1, id: 1 },
      partialFilterExpression: { lineAt: { $type: 'date' } },
    },
    /** Find the newest sales: of all, of a product, and of an affiliate. */
    { name: 'age', key: { attributedAt: 1, id: 1 } },
    { name: 'product', key: { productId: 1, attributedAt: 1, id: 1 } },
    { name: 'affiliate', key: { handle: 1, attributedAt: 1, id: 1 } },
    {
      name: 'outbox',
      key: { 'outbox.told': 1 },
      partialFilterExpression: { 'outbox.told': { $exists: true } },
    },
  ],

  /** The document of a device that has lost its seat keeps late moves from reviving it, for a day. */
  devices: [
    { name: 'seen', key: { of: 1, gone: 1, seen: 1, id: 1 } },
    { name: 'gone', key: { gone: 1 }, expireAfterSeconds: 86_400 },
  ],

  webhook_endpoints: [{ name: 'product', key: { productId: 1, _id: 1 } }],

  /** Find what is to be tried first, and the first position that the log must keep. */
  waiting_deliveries: [
    { name: 'time', key: { stream: 1, at: 1 } },
    { name: 'needed', key: { stream: 1, needed: 1 } },
  ],

  /** Lists the oldest cases first. */
  stripe_cases: [{ name: 'age', key: { since: 1, sale: 1, kind: 1 } }],

  /** Find the sessions and links that have ended, and the links of an entitlement. */
  operator_sessions: [
    { name: 'age', key: { createdAt: 1 } },
    { name: 'use', key: { lastUsedAt: 1 } },
  ],
  buyer_links: [
    { name: 'entitlement', key: { entitlementId: 1, createdAt: 1 } },
    { name: 'end', key: { expiresAt: 1 } },
  ],
};
