// Written by `npm run docs` from the OpenAPI document. Change the operations of the service instead.

/** The edition of the interface that this client was made for. */
export const edition = '2026-07-18';

export interface Listing {
  readonly id: string;
  /** The last part of its path. */
  readonly slug: string;
  readonly name: string;
  readonly blurb: string;
  readonly category: string;
  readonly commissionPercent: number;
  readonly compensationType: CompensationType;
  /** What affiliates earn, for people. */
  readonly compensationLabel: string;
  readonly featured: boolean;
  /** The number of live storefronts. */
  readonly storefrontCount: number;
}

/** The values in effect, whatever the query said. */
export interface ListingPageMeta {
  /** The number of listings that match. */
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

export interface ListingPage {
  readonly success: true;
  readonly data: readonly Listing[];
  readonly meta: ListingPageMeta;
  /** The categories of all live listings, not only of those that match. */
  readonly categories: readonly string[];
  readonly correlationId: CorrelationId;
}

/** What affiliates are paid for. */
export type CompensationType = 'commission' | 'upfront' | 'both';

export type CompensationFilter = 'all' | 'commission' | 'upfront' | 'both';

/** `charts`: the most storefronts first. `new`: the newest first. `reward`: the best paid first. */
export type ListingSort = 'charts' | 'new' | 'reward';

export type MinCommission = 20 | 30 | 50;

export type MinStorefronts = 1 | 5 | 10;

export interface LicensedEntitlement {
  readonly id: string;
  readonly productId: string;
  readonly status: EntitlementStatus;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingInterval;
  /** Absent for a one-time purchase. */
  readonly currentPeriodEnd?: string | undefined;
}

export interface Entitlement {
  readonly id: string;
  readonly productId: string;
  readonly kind: EntitlementKind;
  readonly status: EntitlementStatus;
  /** Whether it gives access now. */
  readonly active: boolean;
  readonly tierId: string;
  readonly tierName: string;
  readonly billingInterval: BillingInterval;
  /** How many billing intervals a period has. Absent for one interval and for a one-time purchase. */
  readonly billingIntervalCount?: number | undefined;
  readonly currentPeriodStart: string;
  /** Null for a one-time purchase. */
  readonly currentPeriodEnd: string | null;
  /** Whether a cancellation is scheduled. */
  readonly cancelAtPeriodEnd: boolean;
  /** When the scheduled cancellation ends access. */
  readonly cancelAt: string | null;
  /** When the cancellation was requested. */
  readonly canceledAt: string | null;
  /** When access ended. */
  readonly endedAt: string | null;
  /** When the access of a one-time purchase ends. Absent if it never does. */
  readonly accessEndsAt?: string | undefined;
  /** Until when the buyer gets updates; it decides nothing here. Absent if none is set. */
  readonly updatesUntil?: string | undefined;
  /** The operations that would change something now. */
  readonly allowedActions: readonly EntitlementAction[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The number of changes. */
  readonly version: number;
  /** How many devices may have a seat at once; null without a limit. */
  readonly deviceLimit?: number | null | undefined;
  /** How many devices have a seat. Absent, as the limit, where there are neither. */
  readonly devicesUsed?: number | undefined;
  /** What it allows, by values of its own and of its tier. Absent for none. */
  readonly features?: Features | undefined;
  /** The revision of its tier; in events that show what is allowed anew only. */
  readonly tierRevision?: number | undefined;
}

/** `trialing`, `active` and `past_due` give access; `canceled`, `expired` and `revoked` have ended. */
export type EntitlementStatus = 'trialing' | 'active' | 'past_due' | 'suspended' | 'canceled' | 'expired' | 'revoked';

export type EntitlementKind = 'subscription' | 'one_time';

/** A one-time purchase has `one_time`. */
export type BillingInterval = 'day' | 'week' | 'month' | 'year' | 'one_time';

export type EntitlementAction = 'cancel' | 'resume';

export interface EventFeed {
  readonly success: true;
  readonly data: readonly Event[];
  readonly meta: EventFeedMeta;
  readonly correlationId: CorrelationId;
}

export interface EventFeedMeta {
  /** The `after` of the next request. */
  readonly next: string;
  /** Whether there are more events now. */
  readonly hasMore: boolean;
}

interface EventOf<Type extends EventType, Data> {
  /** Unique; the same in every delivery of the event. */
  readonly id: string;
  /** When it happened. For the clock, the instant itself. */
  readonly timestamp: string;
  readonly type: Type;
  readonly data: Data;
}

/** Narrows by its `type`. */
export type Event =
  | EventOf<
      'entitlement.ended',
      EventData & {
        /** How it ended (`canceled`, `expired`, `revoked`), why it will end (`canceled`, `trial`, `unpaid`, `fixed_term`), why a device was released (`app`, `operator`, `replaced`, `idle`), or why Stripe or the clock has suspended access (`refunded`, `disputed`, `dispute_lost`, `unpaid`, `paused`). Absent from every other event. */
        readonly reason: 'canceled' | 'expired' | 'revoked';
      }
    >
  | EventOf<
      'entitlement.ending_soon',
      EventData & {
        /** How it ended (`canceled`, `expired`, `revoked`), why it will end (`canceled`, `trial`, `unpaid`, `fixed_term`), why a device was released (`app`, `operator`, `replaced`, `idle`), or why Stripe or the clock has suspended access (`refunded`, `disputed`, `dispute_lost`, `unpaid`, `paused`). Absent from every other event. */
        readonly reason: 'canceled' | 'trial' | 'unpaid' | 'fixed_term';
        /** When access will end, after the grace; in `entitlement.ending_soon` only. */
        readonly endsAt: string;
      }
    >
  | EventOf<
      'device.activated',
      EventData & {
        /** The device; in `device.activated` and `device.released` only. */
        readonly device: string;
      }
    >
  | EventOf<
      'device.released',
      EventData & {
        /** The device; in `device.activated` and `device.released` only. */
        readonly device: string;
        /** How it ended (`canceled`, `expired`, `revoked`), why it will end (`canceled`, `trial`, `unpaid`, `fixed_term`), why a device was released (`app`, `operator`, `replaced`, `idle`), or why Stripe or the clock has suspended access (`refunded`, `disputed`, `dispute_lost`, `unpaid`, `paused`). Absent from every other event. */
        readonly reason: 'app' | 'operator' | 'replaced' | 'idle';
      }
    >
  | EventOf<
      'license.rotated' | 'license.moved' | 'license.revoked',
      EventData & {
        readonly license: EventLicense;
      }
    >
  | EventOf<
      Exclude<
        EventType,
        | 'entitlement.ended'
        | 'entitlement.ending_soon'
        | 'device.activated'
        | 'device.released'
        | 'license.rotated'
        | 'license.moved'
        | 'license.revoked'
      >,
      EventData
    >;

export type EventType =
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
  | 'device.released';

export interface EventData {
  /** Counts the events of the entitlement. */
  readonly sequence: number;
  /** Names the request or command in the logs; null for the clock. */
  readonly correlationId: string | null;
  /** Who caused it: `app-key:ID`, `operator:ID`, `command:USER`, `license` (an app with the license key), `buyer` (on the own page), `stripe` or `clock`. */
  readonly by: string;
  /** Why Stripe has revoked a purchase; in `entitlement.ended` only, whose `reason` says how it ended. */
  readonly cause?: 'refunded' | 'disputed' | 'dispute_lost' | 'unpaid' | 'paused' | undefined;
  readonly previous: PreviousValues;
  readonly entitlement: Entitlement;
}

/** The earlier values of what changed. */
export interface PreviousValues {
  readonly status?: EntitlementStatus | undefined;
  readonly tierId?: string | undefined;
  readonly tierName?: string | undefined;
  readonly billingInterval?: BillingInterval | undefined;
  readonly billingIntervalCount?: number | undefined;
  readonly currentPeriodStart?: string | undefined;
  readonly currentPeriodEnd?: string | null | undefined;
  readonly cancelAt?: string | null | undefined;
  readonly canceledAt?: string | null | undefined;
  readonly endedAt?: string | null | undefined;
  readonly accessEndsAt?: string | null | undefined;
  readonly updatesUntil?: string | null | undefined;
  readonly deviceLimit?: number | null | undefined;
  readonly features?: Features | undefined;
}

/** The license; in `license.rotated` and `license.revoked` only. */
export interface EventLicense {
  /** The last four characters of a generated key, for display. */
  readonly lastFour: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface IssuedReceipt {
  /** A JWS in its compact serialization (RFC 7515), signed with ES256. */
  readonly receipt: string;
  readonly issuedAt: string;
  /** From when on an app should fetch another. */
  readonly refreshAfter: string;
  readonly expiresAt: string;
}

export interface DeviceActivation {
  /** The device: `dev_` and 22 characters. */
  readonly device: string;
  readonly activatedAt: string;
  /** How many devices may have a seat at once; null without a limit. */
  readonly deviceLimit: number | null;
  /** How many devices have a seat. */
  readonly devicesUsed: number;
  /** What the license allows. Absent for none. */
  readonly features?: Features | undefined;
  readonly entitlement: LicensedEntitlement;
  /** A receipt for this device. Null where none can be had: the seat is taken all the same. */
  readonly receipt: IssuedReceipt | null;
}

export interface StartedTrial {
  /** The id of the trial, which the app shows to support. */
  readonly trial: string;
  readonly tierId: string;
  readonly startedAt: string;
  readonly endsAt: string;
  readonly features?: Features | undefined;
  readonly receipt: IssuedReceipt;
}

export interface DeviceDeactivation {
  /** The device: `dev_` and 22 characters. */
  readonly device: string;
  /** How many devices may have a seat at once; null without a limit. */
  readonly deviceLimit: number | null;
  /** How many devices have a seat. */
  readonly devicesUsed: number;
}

export interface Device {
  /** The device: `dev_` and 22 characters. */
  readonly device: string;
  /** What the app has named it. */
  readonly name: string | null;
  readonly activatedAt: string;
  /** When it was last known to be in use, to within a day. */
  readonly seenAt: string;
  /** Until when an offline receipt lets it run, and only the seller can release it. */
  readonly offlineUntil: string | null;
}

export interface LicenseDevices {
  /** Those that were not seen for the longest time first, 100 at most. */
  readonly devices: readonly Device[];
  /** How many devices may have a seat at once; null without a limit. */
  readonly deviceLimit: number | null;
  /** How many devices have a seat. */
  readonly devicesUsed: number;
}

/** What is allowed, by name: true or false, a whole number or a line of text. */
export interface Features {
  readonly [name: string]: boolean | number | string;
}

export interface WaitlistSignUp {
  readonly email: string;
  readonly name?: string | null | undefined;
  readonly handle?: string | null | undefined;
  readonly role?: 'creator' | 'brand' | 'both' | null | undefined;
}

/** Names the request in the logs of the service. */
export type CorrelationId = string;

/** The values of the header `Error-Code`. */
export type ErrorCode =
  | 'malformed_request'
  | 'invalid_host'
  | 'unsupported_api_version'
  | 'invalid_body'
  | 'body_too_fragmented'
  | 'malformed_license_key'
  | 'invalid_email'
  | 'invalid_cursor'
  | 'idempotency_key_missing'
  | 'idempotency_key_invalid'
  | 'invalid_app_key'
  | 'insufficient_scope'
  | 'not_found'
  | 'entitlement_not_found'
  | 'license_not_found'
  | 'trial_not_offered'
  | 'listing_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'entitlement_ended'
  | 'not_a_subscription'
  | 'trial_ended'
  | 'no_access'
  | 'device_limit'
  | 'device_offline'
  | 'retired_api_version'
  | 'cursor_expired'
  | 'cursor_unknown'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'unsupported_content_coding'
  | 'expectation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'too_many_changes'
  | 'too_many_releases'
  | 'headers_too_large'
  | 'internal_error'
  | 'store_unavailable'
  | 'too_many_bodies'
  | 'clock_not_trusted'
  | 'transfer_encoding_unsupported'
  | 'not_ready'
  | 'http_version_unsupported';
