import type { Administration } from '../../../../core/administration/administration.ts';
import type { Platform } from '../../../../core/administration/platform.ts';
import type { Call } from '../../../../core/call.ts';

/** What a server that issues receipts knows of them. */
export interface ReceiptSettings {
  /** The URL of the service. */
  readonly issuer: () => string;
  /** The longest time for which an offline receipt may hold, in milliseconds. */
  readonly maxAge: number;
}

/** What the pages of the console use of the service. */
export interface ConsoleParts {
  readonly administration: Administration;
  /** Whether the store can be written now. Takes no longer than the deadline of the call. */
  readonly isWritable: (call: Call) => Promise<boolean>;
  /** The ids that forms carry, so that a form which is sent twice adds one thing. */
  readonly newIds: Pick<
    Platform,
    'newAppKeyId' | 'newEntitlementId' | 'newListingId' | 'newOperatorKeyId' | 'newWebhookId'
  >;
  /** Null for a server that issues no receipts. */
  readonly receipts: ReceiptSettings | null;
}
