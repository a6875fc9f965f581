import type { Administration } from '../../../../core/administration/administration.ts';
import type { Platform } from '../../../../core/administration/platform.ts';

/** What the pages of the console use of the service. */
export interface ConsoleParts {
  readonly administration: Administration;
  /** The ids that forms carry, so that a form which is sent twice adds one thing. */
  readonly newIds: Pick<
    Platform,
    'newAppKeyId' | 'newEntitlementId' | 'newListingId' | 'newOperatorKeyId' | 'newWebhookId'
  >;
}
