/** What payment says, as long as nothing else decides. */
export type Standing = 'trialing' | 'active' | 'past_due';

/** What an administrator imposed, over and above payment. */
export type Hold =
  { readonly kind: 'none' } | { readonly kind: 'suspended' } | { readonly kind: 'revoked'; readonly at: Date };

export type BillingInterval = 'day' | 'week' | 'month' | 'year';

export interface Cancellation {
  /** When access ends. */
  readonly at: Date;
  /** When the cancellation was asked for. */
  readonly requestedAt: Date;
}

/** A buyer's license key, of which only the digest is kept. */
export interface License {
  /** SHA-256 of the key's identity, base64url; unique over all products. */
  readonly digest: string;
  /** For display; null where too few characters would stay unknown. */
  readonly lastFour: string | null;
  readonly createdAt: Date;
  /** A revoked license keeps its digest and verifies nothing. */
  readonly revokedAt: Date | null;
}

interface EntitlementBase {
  readonly id: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  readonly standing: Standing;
  readonly hold: Hold;
  readonly currentPeriodStart: Date;
  readonly license: License | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Counts changes; public. */
  readonly version: number;
  /** Moves with every write, so that of two writers from one state only one succeeds; internal. */
  readonly revision: number;
}

/** Ends by the clock unless it is renewed. */
export interface Subscription extends EntitlementBase {
  readonly kind: 'subscription';
  readonly billingInterval: BillingInterval;
  readonly currentPeriodEnd: Date;
  /** The period's end plus the grace: renewals are recorded after the payment, minutes to hours after the period ended. */
  readonly graceUntil: Date;
  readonly cancellation: Cancellation | null;
}

/** Paid once; never ends by the clock. */
export interface OneTimePurchase extends EntitlementBase {
  readonly kind: 'one_time';
}

export type Entitlement = Subscription | OneTimePurchase;
