import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { ClosedStatement } from '../../../core/affiliate/statement/statement.ts';
import type { LicenseSecret } from '../../../core/billing/license-secrets.port.ts';
import type { PriceMapping } from '../../../core/billing/price-map.port.ts';
import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { BuyerLink } from '../../../core/buyer/buyer-link.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Device } from '../../../core/device/device.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import type { LoggedEvent } from '../../../core/feed/logged-event.ts';
import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { OperatorSession } from '../../../core/operator-session/operator-session.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { KeyRing } from '../../../core/receipt/key-ring.ts';
import type { Tier } from '../../../core/tier/tier.ts';
import type { Trial } from '../../../core/trial/trial.ts';
import type { WaitlistEntry } from '../../../core/waitlist/invitation.ts';
import type { DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { WaitingDelivery } from '../../../core/webhook/stream/set-aside.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { EntitlementTable } from './entitlement-table.ts';
import { MemoryKeyTable } from './memory-key-table.ts';
import { SortedTexts } from './sorted-texts.ts';

/** The events of a product that are kept. */
export interface MemoryLog {
  /** The number of removed events before them. */
  removed: number;
  /** The oldest first. */
  readonly stored: StoredEvent[];
}

interface StoredEvent {
  readonly event: LoggedEvent;
  readonly storedAt: Date;
}

/** The data of the store in memory, which ends with the process. For trials and tests. */
export class MemoryStore {
  readonly products = new Map<string, Product>();
  readonly appKeys = new MemoryKeyTable<AppKey>();
  readonly operatorKeys = new MemoryKeyTable<OperatorKey>();
  /** By digest. */
  readonly buyerLinks = new Map<string, BuyerLink>();
  readonly operatorSessions = new Map<string, OperatorSession>();
  readonly entitlements = new EntitlementTable();
  /** Entitlement id to its devices, by id. */
  readonly devices = new Map<string, Map<string, Device>>();
  /** Entitlement id to its history, the newest first. */
  readonly history = new Map<string, readonly HistoryEntry[]>();
  /** Product id to its events. */
  readonly events = new Map<string, MemoryLog>();
  readonly endpoints = new Map<string, WebhookEndpoint>();
  /** By endpoint and product (`keyOf`). */
  readonly streams = new Map<string, DeliveryStream>();
  /** The deliveries of each stream that are set aside, by its key. */
  readonly aside = new Map<string, Map<string, WaitingDelivery>>();
  /** Entitlement id to its records by key. */
  readonly records = new Map<string, Map<string, IdempotencyRecord>>();
  /** Product id and key (`recordHolder`) to the entitlement that holds the record. */
  readonly recordHolders = new Map<string, string>();
  /** The length of each promise to the instant until which it is made. */
  readonly retentionPromises = new Map<number, Date>();
  /** The latest time at which a server with a trusted clock used the store. */
  clockMark: Date | null = null;
  /** Null unless a test says that the store was restored. */
  restoredAt: Date | null = null;
  /** The signing keys; null before any were made. */
  keyRing: KeyRing | null = null;
  /** Null before it was made. */
  licenseSecret: LicenseSecret | null = null;
  /** Product id to its tiers, by id. */
  readonly tiers = new Map<string, Map<string, Tier>>();
  /** By handle. */
  readonly affiliates = new Map<string, Affiliate>();
  /** By handle and slug. */
  readonly promotions = new Map<string, Promotion>();
  /** By entitlement. */
  readonly sales = new Map<string, Sale>();
  /** By id, in the order in which they were closed. */
  readonly statements = new Map<string, ClosedStatement>();
  /** By id. */
  readonly trials = new Map<string, Trial>();
  /** By price. */
  readonly prices = new Map<string, PriceMapping>();
  /** By sale and kind. */
  readonly stripeCases = new Map<string, StripeCase>();
  /** By slug, each with the number of its last change. */
  readonly listings = new Map<string, { readonly listing: Listing; readonly change: number }>();
  /** Listing id to slug. */
  readonly listingIds = new Map<string, string>();
  readonly slugs = new SortedTexts();
  /** The number of the last change of a listing. */
  listingChanges = 0;
  /** The slugs of deleted listings, each with the number of its deletion, in that order. */
  readonly listingDeletions = new Map<string, number>();
  /** By address. */
  readonly waitlist = new Map<string, WaitlistEntry>();
  readonly addresses = new SortedTexts();
}
