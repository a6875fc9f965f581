import type { Affiliate } from '../affiliate/affiliate.ts';
import type { Promotion } from '../affiliate/promotion.ts';
import type { Sale } from '../affiliate/sale/sale.ts';
import type { ClosedStatement } from '../affiliate/statement/statement.ts';
import type { LicenseSecret } from '../billing/license-secrets.port.ts';
import type { PriceMapping } from '../billing/price-map.port.ts';
import type { Call } from '../call.ts';
import type { Listing } from '../catalog/listing.ts';
import type { Device } from '../device/device.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { HistoryEntry } from '../entitlement/history-entry.ts';
import type { IdempotencyRecord } from '../entitlement/idempotency/idempotency-record.ts';
import type { RetentionPromises } from '../entitlement/idempotency/idempotency.port.ts';
import type { PlacedEvent } from '../feed/events.port.ts';
import type { LoggedEvent } from '../feed/logged-event.ts';
import type { AppKey } from '../key/app/app-key.ts';
import type { OperatorKey } from '../key/operator/operator-key.ts';
import type { Product } from '../product/products.port.ts';
import type { KeyRing } from '../receipt/key-ring.ts';
import type { Tier } from '../tier/tier.ts';
import type { Trial } from '../trial/trial.ts';
import type { WaitlistEntry } from '../waitlist/invitation.ts';
import type { DeliveryEffect } from '../webhook/stream/delivery-effect.ts';
import type { DeliveryStream, PendingEvents } from '../webhook/stream/delivery-stream.ts';
import type { WaitingDelivery } from '../webhook/stream/set-aside.ts';
import type { WebhookEndpoint } from '../webhook/webhook-endpoint.ts';

/** An entitlement and everything stored with it. */
export interface ArchivedEntitlement {
  readonly entitlement: Entitlement;
  /** By key in code-point order, expired ones included. */
  readonly records: readonly IdempotencyRecord[];
  /** The last `maxHistory` entries, the newest first. */
  readonly history: readonly HistoryEntry[];
}

/** A device that has a seat, with its entitlement. */
export interface ArchivedDevice {
  readonly entitlementId: string;
  readonly device: Device;
}

/** The sections of a store, and what each keeps. */
export interface Archived {
  readonly products: Product;
  /** Deleted ones too, whose revisions must go on. */
  readonly tiers: Tier;
  readonly prices: PriceMapping;
  readonly appKeys: AppKey;
  readonly operatorKeys: OperatorKey;
  readonly entitlements: ArchivedEntitlement;
  readonly devices: ArchivedDevice;
  readonly trials: Trial;
  readonly listings: Listing;
  /** Without their invitations: a copy opens nothing. */
  readonly signUps: WaitlistEntry;
  readonly affiliates: Affiliate;
  readonly promotions: Promotion;
  readonly sales: Sale;
  readonly statements: ClosedStatement;
  /** The logs of all products. */
  readonly events: ArchivedEvent;
  readonly webhookEndpoints: WebhookEndpoint;
  readonly deliveryStreams: ArchivedStream;
  readonly waitingDeliveries: ArchivedWaiting;
  /** At most one: all keys. */
  readonly signingKeys: KeyRing;
  /** At most one. */
  readonly licenseSecrets: LicenseSecret;
}

export type Section = keyof Archived;

export const sections: readonly Section[] = [
  'products',
  'tiers',
  'prices',
  'appKeys',
  'operatorKeys',
  'entitlements',
  'devices',
  'trials',
  'listings',
  'signUps',
  'affiliates',
  'promotions',
  'sales',
  'statements',
  'events',
  'webhookEndpoints',
  'deliveryStreams',
  'waitingDeliveries',
  'signingKeys',
  'licenseSecrets',
];

/** One stored value of a section, with the id, digest, slug or address that identifies it there. */
export type Entry = {
  [One in Section]: { readonly section: One; readonly id: string; readonly value: Archived[One] };
}[Section];

/** Everything that a store keeps, read and written page by page so that it can be copied to another store. */
export interface Archive {
  /** The times for which records must be kept, in a copy too. */
  readonly retentionPromises: RetentionPromises;

  /**
   * Moves a slice of the events that were stored with a change but have no position yet to the logs of their products, and
   * finishes other writes that processes have left. Returns true once nothing is left.
   */
  moveEvents(call: Call): Promise<boolean>;

  count(section: Section, call: Call): Promise<number>;

  /** Reads the next entries after an id, by id in code-point order. An empty page is the end. */
  page(section: Section, after: string, call: Call): Promise<readonly Entry[]>;

  /**
   * Stores new entries of one section. Returns false if one of them exists, or another entry has its license, digest or
   * id; some of the others may then be stored.
   */
  insert(entries: readonly Entry[], call: Call): Promise<boolean>;

  /** Removes the entries with these ids. Ids without an entry are ignored. */
  remove(section: Section, ids: readonly string[], call: Call): Promise<void>;
}

/** An event at its place in the log of a product, and when it was stored: its retention counts from then. */
export interface ArchivedEvent extends PlacedEvent<LoggedEvent> {
  readonly productId: string;
  readonly storedAt: Date;
}

const positionDigits = 15;

/** A sign-up as copies take it. */
export function withoutInvitation(entry: WaitlistEntry): WaitlistEntry {
  return { ...entry, invitation: null };
}

/**
 * The product and the position as one text. No identifier contains a space or a lower character, so that the code-point
 * order of the texts is that of products, and of positions within a product.
 */
export function placeId(productId: string, position: number): string {
  return `${productId} ${String(position).padStart(positionDigits, '0')}`;
}

/** Reads what `placeId` has written. An empty text is before the first place. */
export function placeOf(id: string): { readonly productId: string; readonly position: number } {
  const [productId = '', position = '0'] = id.split(' ');
  return { productId, position: Number(position) };
}

/** A stream whose maps are lists, so that two of them can be compared member by member. */
type ArchivedStream = Omit<DeliveryStream, 'pending' | 'effects'> & {
  readonly pending: readonly (readonly [entitlementId: string, events: PendingEvents])[];
  readonly effects: readonly (readonly [entitlementId: string, effect: DeliveryEffect])[];
};

/** Events that are set aside from a stream, with the stream's key. */
export interface ArchivedWaiting {
  readonly stream: string;
  readonly subject: string;
  readonly delivery: WaitingDelivery;
}

export function toArchivedStream(stream: DeliveryStream): ArchivedStream {
  return { ...stream, pending: [...stream.pending], effects: [...stream.effects] };
}

export function fromArchivedStream(archived: ArchivedStream): DeliveryStream {
  return { ...archived, pending: new Map(archived.pending), effects: new Map(archived.effects) };
}
