import type { Administration } from '../../../../core/administration/administration.ts';
import type { Platform } from '../../../../core/administration/use-cases/platform.ts';
import type { Call } from '../../../../core/call.ts';
import type { NewId } from '../../../../core/identifier.ts';
import type { ReceiptSettings } from '../../../../core/receipt/issue-offline-receipt.ts';

/** The parts of the service that the pages of the console use. */
export interface ConsoleParts {
  readonly administration: Administration;
  /** Whether the store can be written now. Takes no longer than the deadline of the call. */
  readonly isWritable: (call: Call) => Promise<boolean>;
  /** Imports the listings of a CSV text, or reports what that would do. */
  readonly importCsv: ImportCsv;
  /** The address of a listing in the marketplace; null for a server that shows none. */
  readonly marketplaceUrl: ((slug: string) => string) | null;
  /** The address of a storefront; null for a server that shows none. */
  readonly storefrontUrl: ((handle: string) => string) | null;
  /** The hosts from which the marketplace shows images of listings, as `SITE_IMAGE_HOSTS` names them. */
  readonly imageHosts: readonly string[];
  /** The ids that forms carry, so that a form which is sent twice adds one thing. */
  readonly newIds: Pick<
    Platform,
    'newAppKeyId' | 'newEntitlementId' | 'newListingId' | 'newOperatorKeyId' | 'newWebhookId'
  > & { readonly newMailId: NewId };
  /** The address of a sale on Stripe's dashboard, or of another page there, as of `prices/price_1`. */
  readonly stripePage: (saleId: string, page?: string) => string;
  /** Null for a server that issues no receipts. */
  readonly receipts: ReceiptSettings | null;
  /** Whether links lead buyers to a page of their license. */
  readonly hasBuyerPages: boolean;
  /** Whether Stripe is asked for the e-mail addresses of buyers. */
  readonly findsBuyers: boolean;
  readonly lostKeys: LostKeysOfServer;
}

/** Where buyers ask for lost keys, and whether operators can have them mailed: one and the same, or why they are not mailed. */
export type LostKeysOfServer =
  { readonly kind: 'page'; readonly url: () => string } | { readonly kind: 'no mail' | 'no pages' };

/** Why a line was not imported. */
export interface ImportError {
  readonly line: number;
  readonly error: string;
}

/** The result of an import of listings, made or tried. */
export interface ImportReport {
  readonly imported: number;
  readonly failed: number;
  /** By line. */
  readonly errors: readonly ImportError[];
  /** The hosts of pictures that the marketplace does not show, in the order in which they were met. */
  readonly hiddenHosts: readonly string[];
  /** Whether a fault has ended it before the last line. */
  readonly isCut: boolean;
}

/** A dry run stores nothing. Throws a fault that comes before the first listing is stored. */
export type ImportCsv = (csv: string, isDry: boolean, call: Call) => Promise<ImportReport>;
