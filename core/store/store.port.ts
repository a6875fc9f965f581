import type { Affiliates } from '../affiliate/affiliates.port.ts';
import type { Promotions } from '../affiliate/promotions.port.ts';
import type { Sales } from '../affiliate/sale/sales.port.ts';
import type { Statements } from '../affiliate/statement/statements.port.ts';
import type { LicenseSecrets } from '../billing/license-secrets.port.ts';
import type { PriceMap } from '../billing/price-map.port.ts';
import type { StripeCases } from '../billing/stripe-cases.port.ts';
import type { BuyerLinks } from '../buyer/buyer-links.port.ts';
import type { Call } from '../call.ts';
import type { AllListings } from '../catalog/administration/all-listings.port.ts';
import type { Listings } from '../catalog/listings.port.ts';
import type { ClockMarks } from '../clock/clock-marks.port.ts';
import type { Archive } from '../copy/archive.port.ts';
import type { Devices } from '../device/devices.port.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import type { DueEntitlements } from '../entitlement/event/due-entitlements.port.ts';
import type { IdempotencyRecords } from '../entitlement/idempotency/idempotency.port.ts';
import type { LicenseMoves } from '../entitlement/license/license-moves.port.ts';
import type { Licenses } from '../entitlement/license/licenses.port.ts';
import type { Entitlements } from '../entitlement/merchant/entitlements.port.ts';
import type { Events } from '../feed/events.port.ts';
import type { AllAppKeys, AppKeys } from '../key/app/app-keys.port.ts';
import type { AllOperatorKeys, OperatorKeys } from '../key/operator/operator-keys.port.ts';
import type { Maintenance } from '../maintenance/maintenance.port.ts';
import type { OperatorSessions } from '../operator-session/operator-sessions.port.ts';
import type { ListSizes } from '../paging/list-sizes.port.ts';
import type { Products } from '../product/products.port.ts';
import type { SigningKeys } from '../receipt/signing-keys.port.ts';
import type { Tiers } from '../tier/tiers.port.ts';
import type { Trials } from '../trial/trials.port.ts';
import type { Waitlist } from '../waitlist/waitlist.port.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';

/** Work of a serving process beside its requests. */
export interface BackgroundTask {
  /** Begins the work. `report` is called for the first failure of a series; the work goes on. */
  start(report: (error: unknown) => void): void;

  /** Resolves once the work in progress has ended. */
  stop(): Promise<void>;
}

/** Every port that a store implements. A store's opener builds them once, for production and for the contracts. */
export interface StorePorts {
  readonly affiliates: Affiliates;
  readonly allAppKeys: AllAppKeys;
  readonly allEntitlements: AllEntitlements;
  readonly allListings: AllListings;
  readonly allOperatorKeys: AllOperatorKeys;
  readonly appKeys: AppKeys;
  readonly clockMarks: ClockMarks;
  readonly dueEntitlements: DueEntitlements;
  readonly deliveryStreams: DeliveryStreams;
  readonly devices: Devices;
  readonly entitlementHistory: EntitlementHistory;
  readonly entitlements: Entitlements;
  readonly events: Events;
  readonly idempotencyRecords: IdempotencyRecords;
  readonly licenses: Licenses;
  readonly licenseMoves: LicenseMoves;
  readonly licenseSecrets: LicenseSecrets;
  readonly listings: Listings;
  readonly listSizes: ListSizes;
  readonly maintenance: Maintenance;
  readonly operatorKeys: OperatorKeys;
  readonly buyerLinks: BuyerLinks;
  readonly operatorSessions: OperatorSessions;
  readonly priceMap: PriceMap;
  readonly products: Products;
  readonly promotions: Promotions;
  readonly sales: Sales;
  readonly signingKeys: SigningKeys;
  readonly statements: Statements;
  readonly stripeCases: StripeCases;
  readonly tiers: Tiers;
  readonly trials: Trials;
  readonly waitlist: Waitlist;
  readonly webhookEndpoints: WebhookEndpoints;
}

/** A schema that was brought to the one of this release. */
export interface SchemaUpgrade {
  readonly from: number;
  readonly to: number;
  /** In milliseconds. */
  readonly duration: number;
}

/** Called after the schema of a store was upgraded. */
export type OnUpgrade = (upgrade: SchemaUpgrade) => void;

/** A batch that a store has sent or written. */
export interface Batch {
  /** `events`: moved to the log of a product. */
  readonly kind: 'look-ups' | 'writes' | 'events';
  readonly size: number;
}

/** Called with each batch. */
export type OnBatch = (batch: Batch) => void;

export interface OpenOptions {
  /** Whether to create the store if it does not exist. */
  readonly create: boolean;
  /** Whether nothing is written, so that a backup can be read without a change to it, and from a read-only folder. */
  readonly readOnly?: boolean;
  /** Whether the process answers requests, and so promises to keep their idempotency records. */
  readonly serves?: boolean;
  /** Lets a store with an older schema be upgraded while it is opened, where that is safe. Without it, the store is refused. */
  readonly onUpgrade?: OnUpgrade;
  readonly onBatch?: OnBatch;
}

/** An open store, of any technology. */
export interface Store {
  readonly ports: StorePorts;
  /** The whole content, for copies. Null if the store ends with its process. */
  readonly archive: Archive | null;
  /** The tasks that a serving process does for the store beside its requests. */
  readonly background: readonly BackgroundTask[];
  /** For the log line at start. Contains no password. */
  readonly description: string;
  /** Reports whether the store can serve a request now. */
  ready(call: Call): Promise<boolean>;
  /** Closes the store. No call may be in progress. */
  close(): Promise<void>;
}

/**
 * Thrown when a store cannot be opened for a reason that its user can fix. The message is for that user. The class
 * stands in core because every store throws it and the command line and the composition root catch it, and adapters do
 * not import each other.
 */
export class UnusableStore extends Error {
  /** Whether no store exists at the address. */
  readonly isMissing: boolean;

  constructor(
    message: string,
    { isMissing = false, ...options }: ErrorOptions & { readonly isMissing?: boolean } = {},
  ) {
    super(message, options);
    this.isMissing = isMissing;
  }

  /** `place` says where no store is, such as "at FILE". */
  static missing(place: string): UnusableStore {
    return new UnusableStore(`There is no store ${place}: serve, product add and imports create one.`, {
      isMissing: true,
    });
  }
}
