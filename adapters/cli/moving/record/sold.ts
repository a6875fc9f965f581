import type { BillingInterval, Standing } from '../../../../core/entitlement/entitlement.ts';
import type { Noted } from './noted.ts';

/** A record of a vendor's export: an object of its API, or a row by the names of its columns. */
export type VendorRecord = Readonly<Record<string, unknown>>;

/** Whether the buyer has access. Access that ended by the clock is `ended`, and may be renewed. */
export type Access = 'current' | 'suspended' | 'ended' | 'revoked';

/** A purchase as a vendor describes it, without anything about its buyer. */
export interface Sold {
  /** The vendor's id of it, which never changes. */
  readonly id: string;
  /** Every id under which the map may have it, the most specific first. */
  readonly products: readonly string[];
  /** The id that is listed if the map has none of them. */
  readonly listedAs: string;
  /** The vendor's order or subscription; null if it names none. */
  readonly reference: string | null;
  /** Null if the vendor has none. */
  readonly key: string | null;
  /** Null if the vendor does not say. */
  readonly start: Date | null;
  /** Null for access without a known end. */
  readonly end: SoldEnd | null;
  /** Whether its renewal was canceled, if the vendor does not say when access ends: with what was paid. */
  readonly isCanceled: boolean;
  /**
   * Whether the vendor names each charge, the latest of which is at `start`, and no ends: access without an end lasts for one
   * interval from it, or for a trial.
   */
  readonly isCharged?: boolean;
  /** The limit of devices; null or absent if the vendor does not say, or sets no limit. */
  readonly deviceLimit?: number | null;
  /** The interval of renewals, as far as the vendor says. */
  readonly interval: SoldInterval | null;
  readonly access: Access;
  /** Until when access lasts although the period from `start` on is not paid, if the vendor sets no end to that. */
  readonly unpaidUntil?: Date | null;
  /** Whether `end` is when the vendor tries a missing payment again, which was due before the export was made. */
  readonly isRetried?: boolean;
  readonly standing: Standing;
}

export interface SoldEnd {
  readonly at: Date;
  /** The time that access lasts beyond it, as a duration of an import line; null for the default. An end for good has 0s. */
  readonly grace: string | null;
}

export interface SoldInterval {
  readonly unit: BillingInterval;
  /** Null if the vendor does not say. */
  readonly count: number | null;
}

/** The kind of a record, with its facts. */
export type VendorReading =
  /** The things that were bought. Of several, the first that the map has a tier for counts. */
  | { readonly kind: 'sold'; readonly sold: readonly Sold[] }
  /** The reason follows a count: "3 without a license key". */
  | { readonly kind: 'left out'; readonly reason: string }
  /** It only describes others. */
  | { readonly kind: 'part' }
  /** It is not from this vendor. */
  | { readonly kind: 'foreign' };

/** The facts of a record that are dropped. */
export interface Dropped {
  readonly emails: number;
  readonly names: number;
  /** Whether the vendor has counted activations. */
  readonly hasActivations: boolean;
}

/** The content of a webhook's delivery. */
export interface Delivered {
  /** The records in it, perhaps none. */
  readonly records: readonly VendorRecord[];
  /** When it happened. Of several deliveries of a record the latest counts. */
  readonly at: Date;
}

/** The reading of a vendor's exports. All functions are pure, but for what they note. */
export interface Vendor {
  readonly name: string;
  /** The beginning of the ids of entitlements. */
  readonly prefix: string;
  /** The export, to follow "must be". */
  readonly form: string;
  /** The columns that its CSV must have; null if it is never CSV. */
  readonly columns: readonly string[] | null;
  readonly isJson: boolean;
  /** Whether keys are made, because the vendor has none. */
  readonly makesKeys: boolean;
  /** Whether access may go on after the end in the export, which only the seller knows. */
  readonly mayOutliveEnd: boolean;
  /** The cell by which the last row of a whole CSV is known; null if it is a row like any other. */
  readonly lastRow: { readonly column: string; readonly text: string } | null;
  /** Unpacks what its webhooks deliver; null if they deliver no records. */
  readonly unpack: ((record: VendorRecord) => Delivered | null) | null;
  /** Notes what the reading of other records needs; null if no record needs another. Throws `BadRecord`. */
  readonly note: ((record: VendorRecord, noted: Noted) => void) | null;
  /** Throws `BadRecord`. */
  readonly read: (record: VendorRecord, noted: Noted) => VendorReading;
  readonly dropped: (record: VendorRecord) => Dropped;
}

/** A vendor whose records come in JSON alone, each with its key and complete. */
export const jsonOnly = {
  columns: null,
  isJson: true,
  makesKeys: false,
  mayOutliveEnd: false,
  lastRow: null,
  note: null,
} as const;

type License = Pick<Sold, 'id' | 'products' | 'listedAs' | 'reference' | 'key' | 'start' | 'access' | 'deviceLimit'>;

/** Reads a license that is no subscription. Access ends permanently at its expiry, if it has one. */
export function soldLicense(license: License, expiry: Date | null): VendorReading {
  const end = expiry === null ? null : { at: expiry, grace: '0s' };
  return { kind: 'sold', sold: [{ ...license, end, isCanceled: false, interval: null, standing: 'active' }] };
}

/** The reading of a sale in a vendor's test mode: nobody has bought anything. */
export const testSale: VendorReading = { kind: 'left out', reason: 'of the test mode' };

/** A record with a value that cannot be read. The message names its place, and never repeats it. */
export class BadRecord extends Error {}
