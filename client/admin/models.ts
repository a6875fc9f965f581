// Written by `npm run docs` from the OpenAPI document. Change the operations of the service instead.

import type { BillingInterval, CompensationType, CorrelationId, Entitlement, Features } from '../models.ts';

export type {
  BillingInterval,
  Entitlement,
  EntitlementAction,
  EntitlementKind,
  EntitlementStatus,
  EventFeed,
  EventFeedMeta,
  Event,
  EventType,
  EventData,
  PreviousValues,
  EventLicense,
  CorrelationId,
  IssuedReceipt,
  CompensationType,
  Features,
} from '../models.ts';

export interface EntitlementPage {
  readonly success: true;
  readonly data: readonly Entitlement[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface License {
  /** The last four characters of a generated key, for display. */
  readonly lastFour: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface FullEntitlement extends Entitlement {
  /** What the caller's own system calls the purchase. */
  readonly reference: string | null;
  /** When access ends without a renewal; null for a purchase. */
  readonly graceUntil: string | null;
  readonly license: License | null;
  /** Why access is suspended. It stays so until each cause is lifted. Empty without a suspension. */
  readonly suspendedBy: readonly ('operator' | 'payment')[];
  readonly own: OwnAllowance;
}

export type Standing = 'trialing' | 'active' | 'past_due';

export interface GrantRequest {
  readonly productId: Identifier;
  readonly tierId: Identifier;
  readonly tierName: string;
  readonly billingInterval: BillingInterval;
  /** How many intervals a period has, 1 by default. Not for a purchase. */
  readonly billingIntervalCount?: number | null | undefined;
  /** Now by default. */
  readonly currentPeriodStart?: string | null | undefined;
  /** `billingIntervalCount` intervals after the start by default. For a purchase, `accessEndsAt`. */
  readonly currentPeriodEnd?: string | null | undefined;
  /** When the access of a purchase ends; never by default. Not for a subscription. */
  readonly accessEndsAt?: string | null | undefined;
  /** Until when the buyer gets updates. It is only shown. */
  readonly updatesUntil?: string | null | undefined;
  readonly status?: Standing | null | undefined;
  readonly grace?: Duration | null | undefined;
  readonly reference?: string | null | undefined;
  readonly deviceLimit?: number | null | undefined;
  readonly licenseKey?: string | null | undefined;
}

export interface Grant {
  readonly entitlement: Entitlement;
  /** The key, shown only this once; null in a repeated request. */
  readonly licenseKey: string | null;
  /** That the product has declared tiers, but not this one. Absent otherwise. */
  readonly warnings?: readonly Warning[] | undefined;
}

export interface RenewalRequest {
  readonly currentPeriodEnd: string;
  /** Whether the current period keeps its start and becomes longer, as an extension does. Without it, the next period starts when the current one ends. */
  readonly keepStart?: boolean | null | undefined;
  readonly grace?: Duration | null | undefined;
}

export interface TierRequest {
  readonly tierId: Identifier;
  readonly tierName: string;
  readonly billingInterval?: 'day' | 'week' | 'month' | 'year' | null | undefined;
  /** How many intervals a period has: by default 1 with a `billingInterval`, else as before. */
  readonly billingIntervalCount?: number | null | undefined;
  /** For a purchase, when its access ends. */
  readonly currentPeriodEnd?: string | null | undefined;
  readonly grace?: Duration | null | undefined;
  /** Until when the buyer gets updates. It is only shown. */
  readonly updatesUntil?: string | null | undefined;
}

export interface LicenseRotationRequest {
  readonly licenseKey?: string | null | undefined;
}

export interface LicenseMoveRequest {
  readonly to: Identifier;
}

export interface LicenseKey {
  readonly licenseKey: string;
}

export interface LicenseSearch {
  readonly licenseKey: string;
}

export type HistoryOperation =
  | 'granted'
  | 'imported'
  | 'renewed'
  | 'tier_changed'
  | 'cancellation_scheduled'
  | 'cancellation_undone'
  | 'past_due'
  | 'suspended'
  | 'reinstated'
  | 'revoked'
  | 'ended'
  | 'license_rotated'
  | 'license_moved'
  | 'license_revoked'
  | 'allowance_changed';

export interface HistoryEntry {
  readonly at: string;
  /** `app-key:ID`, `operator:ID`, `command:USER`, `buyer`, `stripe` or `clock`. */
  readonly by: string;
  readonly operation: HistoryOperation;
  /** Why Stripe or the clock has taken access; null for every other change. */
  readonly reason: ChangeReason | null;
  readonly correlationId: CorrelationId;
  /** The version that the change has made. */
  readonly version: number;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Null for the events of every product. */
  readonly productId: string | null;
  /** Null for every event of an entitlement. */
  readonly types: readonly WebhookType[] | null;
  readonly state: 'enabled' | 'disabled';
  /** Why it is disabled: by a request or command, because it answered 410, or because it failed for five days. */
  readonly reason: 'requested' | 'gone' | 'failing' | null;
  /** How many secrets sign deliveries: more than one while one is replaced. */
  readonly secrets: number;
  readonly createdAt: string;
}

export interface WebhookPage {
  readonly success: true;
  readonly data: readonly Webhook[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface WebhookSecret extends Webhook {
  /** The secret, shown only this once; null in a repeated request. */
  readonly secret: string | null;
}

export interface WebhookRequest {
  readonly url: string;
  readonly id?: Identifier | null | undefined;
  readonly productId?: Identifier | null | undefined;
  readonly types?: readonly WebhookType[] | null | undefined;
}

export interface SecretRotationRequest {
  readonly overlap?: Duration | null | undefined;
}

export interface DeliveryAttempt {
  /** When it was sent. */
  readonly at: string;
  readonly eventId: string;
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** Why there was no answer; null if there was one. */
  readonly reason: string | null;
  /** Milliseconds until the answer, or until there could be none any more. */
  readonly durationMs: number;
}

export interface DeliveryStream {
  readonly productId: string;
  /** How many events of the product were read. */
  readonly position: number;
  /** Events that were read and not delivered. */
  readonly pending: number;
  /** Those of them that wait for a manual retry. */
  readonly parked: number;
  /** The first failure since the last success. */
  readonly failingSince: string | null;
  /** When the endpoint, which is down, is tried again. */
  readonly nextProbeAt: string | null;
  /** The last success. */
  readonly deliveredAt: string | null;
  /** The last 20 requests, the last to end first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface ShownWebhook extends Webhook {
  readonly deliveries: readonly DeliveryStream[];
}

export interface WebhookTest {
  readonly delivered: boolean;
  /** The status of the answer, or why there was none. */
  readonly answer: string;
}

export interface Retry {
  readonly events: number;
}

export interface ReplayRequest {
  readonly productId: Identifier;
  readonly from: string;
}

export interface SkipRequest {
  readonly productId: Identifier;
  readonly to: string;
  readonly entitlementId?: Identifier | null | undefined;
}

export type Identifier = string;

/** A whole number of seconds, minutes, hours or days, such as `24h`. */
export type Duration = string;

export interface ListMeta {
  readonly limit: number;
  readonly hasMore: boolean;
  /** The `after` of the next page; null after the last one. */
  readonly next: string | null;
}

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Where buyers download the product. */
  readonly downloadUrl: string | null;
  /** Where buyers get help. */
  readonly supportUrl: string | null;
  /** Where buyers manage what they pay. */
  readonly accountUrl: string | null;
  /** What opens the app with a license key in place of `{key}`. */
  readonly activateUrl: string | null;
  /** A square image for its buyers. */
  readonly iconUrl: string | null;
  /** Whether buyers of a sale of Stripe get their key by mail. */
  readonly mailKeys: boolean;
  /** The subject of that mail; null for that of the service. */
  readonly mailSubject: string | null;
  /** What that mail says below the key; null for what the service says. */
  readonly mailText: string | null;
  /** Whether buyers of a sale of Stripe get a mail before their access ends. */
  readonly mailEnding: boolean;
}

export interface ProductRequest {
  readonly name: string;
  /** Where buyers download the product. Null if it is left out. */
  readonly downloadUrl?: string | null | undefined;
  /** Where buyers get help: an https URL, or `mailto:` and an address. Null if it is left out. */
  readonly supportUrl?: string | null | undefined;
  /** Where buyers manage what they pay. Null if it is left out. */
  readonly accountUrl?: string | null | undefined;
  /** What opens the app with a license key: a link with a scheme of the app's own and `{key}`. Null if it is left out. */
  readonly activateUrl?: string | null | undefined;
  /** A square image for its buyers, on a host of `SITE_IMAGE_HOSTS`. Null if it is left out. */
  readonly iconUrl?: string | null | undefined;
  /** Whether buyers of a sale of Stripe get their key by mail. True if it is left out. */
  readonly mailKeys?: boolean | null | undefined;
  /** The subject of the mail with the key. `{product}` and `{tier}` stand for the names. Null if it is left out. */
  readonly mailSubject?: string | null | undefined;
  /** What the mail says below the key, as plain text. `{product}` and `{tier}` stand for the names. Null if it is left out. */
  readonly mailText?: string | null | undefined;
  /** Whether buyers of a sale of Stripe get a mail before their access ends by a cancellation or by its time. False if it is left out. */
  readonly mailEnding?: boolean | null | undefined;
}

export interface ProductPage {
  readonly success: true;
  readonly data: readonly Product[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface Price {
  readonly price: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  /** How many devices each unit of the quantity allows; null if the price does not say it. */
  readonly deviceLimit: number | null;
  /** For how long a purchase gets updates; null if the price does not say it. */
  readonly updates: string | null;
}

export interface PriceRequest {
  readonly productId: Identifier;
  readonly tierId: Identifier;
  readonly tierName: string;
  readonly deviceLimit?: number | null | undefined;
  readonly updates?: Duration | null | undefined;
}

export interface PricePage {
  readonly success: true;
  readonly data: readonly Price[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

/** What an app key may be used for. */
export type Scope = 'read:listings' | 'write:waitlist' | 'read:licenses' | 'read:entitlements' | 'write:entitlements';

export interface AppKey {
  readonly id: string;
  readonly productId: string;
  readonly scopes: readonly Scope[];
  /** The last four characters of the key, for display. */
  readonly lastFour: string;
  readonly createdAt: string;
  /** Null if the key never expires. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Accurate to about a minute. */
  readonly lastUsedAt: string | null;
}

export interface IssuedAppKey extends AppKey {
  /** The key, shown only this once; null in a repeated request. */
  readonly key: string | null;
}

export interface AppKeyRequest {
  readonly id?: Identifier | null | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly scopes?: readonly Scope[] | null | undefined;
}

export interface AppKeyPage {
  readonly success: true;
  readonly data: readonly AppKey[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

/** What an operator key may be used for. */
export type OperatorScope =
  'admin:read' | 'admin:entitlements' | 'admin:catalog' | 'admin:affiliates' | 'admin:waitlist' | 'admin:access';

export interface OperatorKey {
  readonly id: string;
  readonly name: string;
  /** The products that the key is limited to; null for every product and what belongs to none. */
  readonly products: readonly Identifier[] | null;
  readonly scopes: readonly OperatorScope[];
  /** The last four characters of the key, for display. */
  readonly lastFour: string;
  readonly createdAt: string;
  /** Null if the key never expires. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Accurate to about a minute. */
  readonly lastUsedAt: string | null;
}

export interface IssuedOperatorKey extends OperatorKey {
  /** The key, shown only this once; null in a repeated request. */
  readonly key: string | null;
}

export interface OperatorKeyRequest {
  readonly name: string;
  readonly id?: Identifier | null | undefined;
  readonly expiresAt?: string | null | undefined;
  /** The products that the key is limited to: at most 20. Without them it reaches every product, and what belongs to none. */
  readonly products?: readonly Identifier[] | null | undefined;
  /** Without them the key has all, without `admin:waitlist` if it is limited to products. */
  readonly scopes?: readonly OperatorScope[] | null | undefined;
}

export interface OperatorKeyPage {
  readonly success: true;
  readonly data: readonly OperatorKey[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface KeyRotationRequest {
  readonly newId?: Identifier | null | undefined;
  readonly overlap?: Duration | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

export interface OfflineReceiptRequest {
  readonly expires?: Duration | null | undefined;
  /** The id that the app on the machine shows. The device takes a seat, and the receipt opens the app there alone. */
  readonly deviceId?: string | null | undefined;
  /** The name of the device in lists. Only with `deviceId`. */
  readonly deviceName?: string | null | undefined;
}

/** `next` is published before it signs, `active` signs, `retired` is published until `goodUntil`, `revoked` is not published. */
export type SigningKeyState = 'next' | 'active' | 'retired' | 'revoked';

export interface SigningKey {
  readonly kid: string;
  readonly state: SigningKeyState;
  readonly alg: 'ES256';
  /** Since when it is published. */
  readonly createdAt: string;
  /** Null if it has not signed anything. */
  readonly activeAt: string | null;
  readonly retiredAt: string | null;
  readonly revokedAt: string | null;
  /** When the last of its receipts is over; null before it is retired. */
  readonly goodUntil: string | null;
}

export interface SigningKeyRotationRequest {
  readonly from?: Identifier | null | undefined;
}

/** Only `live` listings are in the public catalog. */
export type ListingState = 'draft' | 'live' | 'paused';

export interface Listing {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commissionPercent: number;
  readonly compensationType: CompensationType;
  readonly compensationLabel: string;
  readonly featured: boolean;
  /** Storefronts elsewhere. The public catalog has their sum with `storefronts`. */
  readonly storefrontCount: number;
  readonly state: ListingState;
  readonly publishedAt: string;
  readonly upfrontCents: number;
  /** The product's own page. The public catalog does not have it. */
  readonly url: string | null;
  /** An image of the product. The public catalog does not have it. */
  readonly imageUrl: string | null;
  /** A text for the page, with marks of its format. */
  readonly description: string | null;
  /** Where an affiliate joins. */
  readonly joinUrl: string | null;
  readonly commissionFor: CommissionFor | null;
  /** For how many days after a visit a sale is counted. */
  readonly cookieDays: number | null;
  /** How the maker pays, in words. */
  readonly payoutLabel: string | null;
  readonly maker: string | null;
  /** The maker's own page. */
  readonly makerUrl: string | null;
  /** Where an affiliate asks. */
  readonly contactUrl: string | null;
  /** A wide picture of the product. */
  readonly pictureUrl: string | null;
  /** What the picture shows. */
  readonly pictureAlt: string | null;
  /** The product whose merchants see the listing. The public catalog does not have it. */
  readonly productId: string | null;
  readonly affiliates: AffiliatePolicy;
  /** Where a sale by an affiliate begins. The public catalog does not have it. */
  readonly saleUrl: string | null;
  /** For how many days after a payment no commission is due. */
  readonly holdDays: number;
  /** How many affiliates promote the listing here. */
  readonly storefronts: number;
}

export interface ListingRequest {
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commissionPercent: number;
  readonly compensationType: CompensationType;
  readonly compensationLabel: string;
  readonly storefrontCount?: number | null | undefined;
  readonly id?: Identifier | null | undefined;
  readonly productId?: Identifier | null | undefined;
  readonly featured?: boolean | null | undefined;
  readonly publishedAt?: string | null | undefined;
  readonly upfrontCents?: number | null | undefined;
  readonly state?: ListingState | null | undefined;
  readonly url?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly joinUrl?: string | null | undefined;
  readonly commissionFor?: CommissionFor | null | undefined;
  readonly cookieDays?: number | null | undefined;
  readonly payoutLabel?: string | null | undefined;
  readonly maker?: string | null | undefined;
  readonly makerUrl?: string | null | undefined;
  readonly contactUrl?: string | null | undefined;
  readonly pictureUrl?: string | null | undefined;
  readonly pictureAlt?: string | null | undefined;
  readonly affiliates?: AffiliatePolicy | null | undefined;
  readonly saleUrl?: string | null | undefined;
  readonly holdDays?: number | null | undefined;
}

export interface ListingPage {
  readonly success: true;
  readonly data: readonly Listing[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface Deletion {
  readonly deleted: 0 | 1;
}

export interface WaitlistEntry {
  readonly email: string;
  readonly name: string | null;
  readonly handle: string | null;
  /** Null if the person gave none. */
  readonly role: 'creator' | 'brand' | 'both' | null;
  readonly at: string;
  /** When the person was invited last. Null if never. */
  readonly invitedAt: string | null;
}

export interface WaitlistPage {
  readonly success: true;
  readonly data: readonly WaitlistEntry[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface ErasureRequest {
  readonly email: string;
}

export interface Erasure {
  readonly erased: 0 | 1;
}

export interface TierPage {
  readonly success: true;
  readonly data: readonly Tier[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface TierTermsRequest {
  /** How many devices may use a license at once. Without it, the tier has no limit. */
  readonly deviceLimit?: number | null | undefined;
  readonly features?: Features | null | undefined;
  readonly trial?: Duration | null | undefined;
}

export interface Tier {
  readonly id: string;
  /** How many devices may have a seat at once; null without a limit. */
  readonly deviceLimit: number | null;
  readonly features: Features;
  /** For how long a device without a license may try it; null for no trial. */
  readonly trial: string | null;
  /** Counts the changes of the tier. */
  readonly revision: number;
}

export interface MappedPrice extends Price {
  /** That the product has declared tiers, but not this one. Absent otherwise. */
  readonly warnings?: readonly Warning[] | undefined;
}

export interface StripeCasePage {
  readonly success: true;
  readonly data: readonly StripeCase[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface StripeCase {
  /** Of the subscription or the checkout session. */
  readonly id: string;
  /** Why it needs a person. */
  readonly kind:
    | 'unmapped_price'
    | 'several_products'
    | 'mail_refused'
    | 'revoked_here'
    | 'suspended_here'
    | 'paused_here'
    | 'not_sent'
    | 'mail_parked'
    | 'refused_by_stripe'
    | 'other_product'
    | 'other_kind'
    | 'refund_failed'
    | 'grant_refused'
    | 'differs';
  readonly since: string;
  /** The prices, the words of Stripe, a code or the next payment. */
  readonly detail: string | null;
}

export interface BuyerLinkRequest {
  readonly expires?: Duration | null | undefined;
}

export interface AllowanceRequest {
  /** 1 to 10000, `unlimited`, or `tier` for the limit of its tier. Left out, it stays. */
  readonly deviceLimit?: number | 'unlimited' | 'tier' | null | undefined;
  /** Features of its own by name; null for that of its tier. */
  readonly features?: { readonly [name: string]: boolean | number | string | null } | null | undefined;
}

export interface StripeSale {
  /** The sale on Stripe's dashboard. */
  readonly url: string;
  readonly livemode: boolean;
  /** As Stripe names it; for a purchase, of its payment. */
  readonly status: string | null;
  /** What Stripe does next by itself. */
  readonly next: 'charge' | 'end' | 'none' | null;
  readonly nextAt: string | null;
  /** In minor units. Null also if the prices do not say it. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Whether Stripe has what was changed here. */
  readonly sent: 'agreed' | 'pending' | 'parked' | 'refused';
  /** The words of Stripe. */
  readonly refusal: string | null;
  /** The most pressing case. */
  readonly difference:
    | 'unmapped_price'
    | 'several_products'
    | 'mail_refused'
    | 'revoked_here'
    | 'suspended_here'
    | 'paused_here'
    | 'not_sent'
    | 'mail_parked'
    | 'refused_by_stripe'
    | 'other_product'
    | 'other_kind'
    | 'refund_failed'
    | 'grant_refused'
    | 'differs'
    | null;
  /** What the buyer has paid for the period, or for the purchase. Null if nothing was paid. */
  readonly lastPayment: StripePayment | null;
}

export interface StripePayment {
  readonly at: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  /** What was returned to the buyer, in minor units. A refund that failed does not count. */
  readonly refunded: number;
  /** An inquiry and a dispute that was won do not count. */
  readonly dispute: 'open' | 'lost' | null;
}

export interface BuyerLink {
  /** A secret, which is shown only this once. */
  readonly url: string;
  readonly expiresAt: string;
}

export interface Device {
  /** `dev_` and 22 characters. */
  readonly device: string;
  /** What the app has named it. */
  readonly name: string | null;
  readonly activatedAt: string;
  /** When it was last known to be in use, to within a day. */
  readonly seenAt: string;
  /** The end of its last offline receipt. */
  readonly offlineUntil: string | null;
}

export interface EntitlementDevices {
  /** Those that were not seen for the longest time first. */
  readonly devices: readonly Device[];
  /** Null without a limit. */
  readonly deviceLimit: number | null;
  readonly devicesUsed: number;
}

export interface ReleasedDevices {
  /** How many devices have lost their seats. */
  readonly released: number;
  /** Null without a limit. */
  readonly deviceLimit: number | null;
  readonly devicesUsed: number;
}

export interface TrialPage {
  readonly success: true;
  readonly data: readonly Trial[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface TrialExtensionRequest {
  readonly endsAt: string;
}

export interface Trial {
  readonly id: string;
  readonly productId: string;
  /** The tier that the device may try. */
  readonly tierId: string;
  /** `converted`: the device has taken a seat of a license of the product. */
  readonly status: 'running' | 'ended' | 'converted';
  readonly startedAt: string;
  readonly endsAt: string;
  readonly convertedAt: string | null;
  /** The first entitlement that the device has taken a seat of. */
  readonly entitlementId: string | null;
}

export interface LicenseMailRequest {
  /** Default: the address of the buyer at Stripe. */
  readonly to?: string | null | undefined;
  /** Default: `key` with a `licenseKey`, else `link`. */
  readonly what?: 'key' | 'link' | 'keys' | null | undefined;
  /** The key that the entitlement has now. */
  readonly licenseKey?: string | null | undefined;
}

export interface SentMail {
  readonly sentAt: string | null;
}

/** What a maker pays for: the first payment, all of them, or those of so many months. */
export type CommissionFor = 'first_payment' | 'lifetime' | number;

/** Who may promote a listing here: nobody, each affiliate that is approved, or every one at once. All but `none` need `productId`, `saleUrl`, `commissionFor` and a `compensationType` other than `upfront`. */
export type AffiliatePolicy = 'none' | 'ask' | 'open';

export interface AffiliatePage {
  readonly success: true;
  readonly data: readonly Affiliate[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface AffiliateInvitation {
  readonly email: string;
  /** Fixed, and never given twice. Without it, that of the waitlist, folded. */
  readonly handle?: string | null | undefined;
  /** Without it, that of the waitlist or, where it has none, the handle. */
  readonly name?: string | null | undefined;
}

export interface AffiliateFacts {
  readonly name: string;
  readonly email: string;
  readonly about?: string | null | undefined;
  readonly url?: string | null | undefined;
  readonly payTo?: string | null | undefined;
}

export interface AffiliateLinkRequest {
  readonly expires?: Duration | null | undefined;
}

export interface Affiliate {
  /** Fixed, and never given twice. */
  readonly handle: string;
  readonly name: string;
  /** Null once the affiliate is erased. */
  readonly email: string | null;
  readonly about: string | null;
  readonly url: string | null;
  /** Where to pay, in words. */
  readonly payTo: string | null;
  /** An affiliate who has `ended` promotes nothing. */
  readonly state: 'active' | 'ended';
  readonly createdAt: string;
  /** Counts the changes of the affiliate. */
  readonly revision: number;
}

export interface AffiliateLink {
  /** A secret, which is shown only this once. */
  readonly url: string;
  readonly expiresAt: string;
}

export interface InvitedAffiliate {
  readonly affiliate: Affiliate;
  readonly link: AffiliateLink;
  /** Whether a mail server has taken a mail with the link. */
  readonly mailed: boolean;
}

export interface EndedLinks {
  readonly ended: number;
}

export interface PromotionPage {
  readonly success: true;
  readonly data: readonly Promotion[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface PromotionRequest {
  /** Without it: as agreed or, of a new promotion, that of the listing. */
  readonly commissionPercent?: number | null | undefined;
  readonly commissionFor?: CommissionFor | null | undefined;
  /** For how many days after a payment no commission is due. Without it: as agreed or, of a new promotion, that of the listing. */
  readonly holdDays?: number | null | undefined;
  /** Promotion codes as buyers type them at Stripe, which are added to those that it has. A code belongs to its promotion for good. */
  readonly codes?: readonly string[] | null | undefined;
}

export interface TermsVersion {
  /** The terms count for checkouts that begin later than this. */
  readonly from: string;
  /** Who agreed: an operator, or `affiliate:HANDLE`. */
  readonly by: string;
  readonly commissionPercent: number | null;
  readonly commissionFor: CommissionFor | null;
  readonly holdDays: number | null;
}

export interface Promotion {
  readonly handle: string;
  readonly slug: string;
  /** The product of the listing when it was asked for. */
  readonly productId: string;
  /** Only a `live` promotion sells. */
  readonly state: 'asked' | 'live' | 'ended';
  /** Promotion codes in lower case, the newest last. */
  readonly codes: readonly string[];
  readonly askedAt: string;
  /** Counts the changes of the promotion. */
  readonly revision: number;
  /** The oldest first. Its three terms are null in a version that ends the agreement. */
  readonly terms: readonly TermsVersion[];
}

export interface SaleSummaryPage {
  readonly success: true;
  readonly data: readonly SaleSummary[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface SaleRequest {
  readonly handle: string;
  readonly currency: string;
  /** All payments of the sale. */
  readonly payments: readonly Payment[];
  readonly slug?: Identifier | null | undefined;
  /** When the checkout began, which decides the terms. Without it, the instant of the first payment. */
  readonly attributedAt?: string | null | undefined;
}

export interface SaleVoidRequest {
  readonly reason: string;
}

export interface SaleAssignmentRequest {
  readonly handle: string;
  readonly slug?: Identifier | null | undefined;
}

export interface Payment {
  /** The id of the charge. */
  readonly id: string;
  readonly paidAt: string;
  /** In whole minor units, without tax. */
  readonly amount: number;
  /** What is neither refunded nor disputed now; at most `amount`. */
  readonly kept: number;
}

export interface SaleSummary {
  readonly entitlementId: string;
  /** The name of the sale for its affiliate, who must not know the id of a checkout. */
  readonly id: string;
  readonly productId: string;
  readonly handle: string;
  /** The listing that was promoted. */
  readonly slug: string;
  /** What has told whose sale it is. */
  readonly by: 'code' | 'metadata' | 'link' | 'operator' | 'put';
  /** When the checkout began. */
  readonly attributedAt: string;
  /** As they were at the checkout. */
  readonly terms: {
    readonly commissionPercent: number;
    readonly commissionFor: CommissionFor;
    readonly holdDays: number;
  };
  /** Null as long as no payment of an assigned sale is known. */
  readonly currency: string | null;
  /** Until when a look at Stripe has confirmed what is kept; null where none needs to. */
  readonly confirmedAt: string | null;
  /** Null for a sale that earns. */
  readonly voided: {
    readonly at: string;
    readonly by: string;
    readonly reason: string;
  } | null;
  /** The commission of everything that is kept, in minor units. */
  readonly commission: number;
  /** What is due of it now. */
  readonly due: number;
  /** What is in its hold, or not confirmed since. */
  readonly waiting: number;
  /** What closed statements have of it. */
  readonly stated: number;
  /** Counts the changes of the sale. */
  readonly revision: number;
}

export interface Sale extends SaleSummary {
  /** The oldest first. */
  readonly payments: readonly Payment[];
}

export interface ClosingRequest {
  readonly month: string;
  readonly product?: Identifier | null | undefined;
  readonly handle?: string | null | undefined;
}

export interface StatementPage {
  readonly success: true;
  readonly data: readonly Statement[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface StatementPayment {
  readonly method: string;
  readonly reference: string;
  /** When it was paid, not later than now. Default: now. */
  readonly at?: string | null | undefined;
}

export interface Statement {
  readonly id: string;
  readonly productId: string;
  readonly handle: string;
  /** Three lowercase letters, such as `usd`. */
  readonly currency: string;
  /** Counts the statements of the affiliate for the product and the currency from 1. */
  readonly number: number;
  /** By UTC, such as `2026-11`. */
  readonly month: string;
  /** `carried`: the balance is below 0. `settled`: it is 0. */
  readonly state: 'carried' | 'settled' | 'to_pay' | 'paid';
  readonly closedAt: string;
  /** Who closed it. */
  readonly by: string;
  readonly lineCount: number;
  /** The balance of the statement before it, if that is below 0; else 0. */
  readonly opening: number;
  /** The sum of the lines. */
  readonly total: number;
  /** The opening and the total, in minor units. */
  readonly balance: number;
  readonly paid: {
    readonly at: string;
    readonly method: string;
    readonly reference: string;
  } | null;
}

export interface ShownStatement extends Statement {
  /** Whom it is owed to, as she is now. Null if the caller does not know the affiliate. */
  readonly affiliate: {
    readonly handle: string;
    readonly name: string;
    readonly email: string | null;
    readonly payTo: string | null;
  } | null;
}

export interface ClosedStatements {
  readonly closed: readonly Statement[];
  /** Whether there may be others: repeat the request. */
  readonly more: boolean;
}

export interface StatementLinePage {
  readonly success: true;
  readonly data: readonly StatementLine[];
  readonly meta: ListMeta;
  readonly correlationId: CorrelationId;
}

export interface StatementLine {
  /** The name of the sale, which is not that of its entitlement. */
  readonly sale: string;
  /** What statements before had of it, in minor units. */
  readonly from: number;
  /** What was due when the statement was closed. */
  readonly to: number;
  /** `to` minus `from`. */
  readonly amount: number;
}

export interface InvitationRequest {
  readonly email: string;
  readonly products: readonly Identifier[];
  /** Without them the key has all of these. */
  readonly scopes?: readonly ('admin:read' | 'admin:entitlements' | 'admin:catalog')[] | null | undefined;
  readonly expires?: Duration | null | undefined;
  /** Whether the link is mailed to the address. */
  readonly mail?: boolean | null | undefined;
}

export interface Invitation {
  /** A secret, which is shown only this once. */
  readonly url: string;
  readonly expiresAt: string;
  readonly invitedAt: string;
  /** That `url` is a path, because `MERCHANT_URL` is not set. Absent otherwise. */
  readonly warning?: string | undefined;
}

/** A type of events. Those of tiers and statements are about no entitlement, so that only an endpoint that names them gets them. */
export type WebhookType =
  | 'entitlement.granted'
  | 'entitlement.renewed'
  | 'entitlement.tier_changed'
  | 'entitlement.cancellation_scheduled'
  | 'entitlement.cancellation_undone'
  | 'entitlement.past_due'
  | 'entitlement.suspended'
  | 'entitlement.reinstated'
  | 'entitlement.ended'
  | 'license.rotated'
  | 'license.moved'
  | 'license.revoked'
  | 'entitlement.allowance_changed'
  | 'entitlement.ending_soon'
  | 'device.activated'
  | 'device.released'
  | 'tier.changed'
  | 'sale.attributed'
  | 'statement.closed'
  | 'statement.paid';

/** What an entitlement has of its own, which outlives a change of tier. */
export interface OwnAllowance {
  /** Null for that of its tier. */
  readonly deviceLimit: number | 'unlimited' | null;
  readonly features: Features;
}

export interface TierChange extends Entitlement {
  /** That the product has declared tiers, but not this one. Absent otherwise. */
  readonly warnings?: readonly Warning[] | undefined;
}

export interface Warning {
  readonly code: 'tier_not_declared';
  readonly message: string;
}

export type ChangeReason = 'refunded' | 'disputed' | 'dispute_lost' | 'unpaid' | 'paused';

/** The values of the header `Error-Code`. */
export type ErrorCode =
  | 'malformed_request'
  | 'invalid_host'
  | 'unsupported_api_version'
  | 'invalid_body'
  | 'body_too_fragmented'
  | 'invalid_email'
  | 'invalid_cursor'
  | 'insufficient_scope'
  | 'not_found'
  | 'entitlement_not_found'
  | 'license_not_found'
  | 'listing_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'entitlement_ended'
  | 'not_a_subscription'
  | 'no_access'
  | 'device_limit'
  | 'retired_api_version'
  | 'cursor_expired'
  | 'cursor_unknown'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'unsupported_content_coding'
  | 'expectation_failed'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'store_unavailable'
  | 'too_many_bodies'
  | 'clock_not_trusted'
  | 'transfer_encoding_unsupported'
  | 'http_version_unsupported'
  | 'stripe_unavailable'
  | 'invalid_parameter'
  | 'invalid_license_key'
  | 'not_for_a_purchase'
  | 'not_for_a_subscription'
  | 'invalid_operator_key'
  | 'limited_key'
  | 'product_not_found'
  | 'tier_not_found'
  | 'trial_not_found'
  | 'app_key_not_found'
  | 'operator_key_not_found'
  | 'signing_key_not_found'
  | 'webhook_not_found'
  | 'affiliate_not_found'
  | 'promotion_not_found'
  | 'sale_not_found'
  | 'statement_not_found'
  | 'signup_not_found'
  | 'not_sold_by_stripe'
  | 'trial_exists'
  | 'trial_too_long'
  | 'app_key_exists'
  | 'app_key_ended'
  | 'operator_key_exists'
  | 'operator_key_ended'
  | 'expiry_too_early'
  | 'entitlement_exists'
  | 'reference_exists'
  | 'entitlement_not_ended'
  | 'entitlement_canceled'
  | 'entitlement_revoked'
  | 'entitlement_not_current'
  | 'cancellation_scheduled'
  | 'managed_by_stripe'
  | 'period_end_too_early'
  | 'license_key_unknown'
  | 'buyer_address_unknown'
  | 'license_key_exists'
  | 'listing_exists'
  | 'affiliate_exists'
  | 'affiliate_ended'
  | 'handle_taken'
  | 'code_exists'
  | 'listing_not_promotable'
  | 'sale_attributed'
  | 'sale_stated'
  | 'too_many_promotions'
  | 'too_many_codes'
  | 'too_many_terms'
  | 'month_not_over'
  | 'statement_paid'
  | 'nothing_to_pay'
  | 'too_many_features'
  | 'webhook_exists'
  | 'webhook_disabled'
  | 'too_many_secrets'
  | 'changed_meanwhile'
  | 'mail_unavailable';
