import { events } from './009-events.ts';
import { webhooks } from './010-webhooks.ts';
import { additionsOfEndpoints } from './011-additions-of-endpoints.ts';
import { clockMark } from './012-clock-mark.ts';
import { signingKeys } from './013-signing-keys.ts';
import { listingUrls } from './014-listing-urls.ts';
import { operatorSessions } from './015-operator-sessions.ts';
import { prices } from './019-prices.ts';
import { licenseSecrets } from './020-license-secrets.ts';
import { termsOfAnswers } from './021-terms-of-answers.ts';
import { intervalCounts } from './entitlements/016-interval-counts.ts';
import { suspensionCauses } from './entitlements/017-suspension-causes.ts';
import { endingSoon } from './entitlements/018-ending-soon.ts';
import { anchorDays } from './entitlements/022-anchor-days.ts';
import { unpaidUntil } from './entitlements/023-unpaid-until.ts';
import { endsOfPurchases } from './entitlements/024-ends-of-purchases.ts';
import { productsKeysAndEntitlements } from './released/001-products-keys-and-entitlements.ts';
import { listingsAndWaitlist } from './released/002-listings-and-waitlist.ts';
import { listingChanges } from './released/003-listing-changes.ts';
import { retentionPromises } from './released/004-retention-promises.ts';
import { operatorKeys } from './released/005-operator-keys.ts';
import { lastBackup } from './released/006-last-backup.ts';
import { listingStates } from './released/007-listing-states.ts';
import { referencesAndHistory } from './released/008-references-and-history.ts';
import type { Migration } from './released/migration.ts';

/**
 * Every migration in the order in which a new file runs them. All instants in the tables are milliseconds since 1970.
 *
 * To change the schema, add a file (to `entitlements` for columns of theirs), append it here, and name new columns in the
 * row's `Table`. With the release, move the file to `released` and copy its SQL to
 * `test/adapters/sqlite/engine/released-migrations`.
 */
export const migrations: readonly Migration[] = [
  productsKeysAndEntitlements,
  listingsAndWaitlist,
  listingChanges,
  retentionPromises,
  operatorKeys,
  lastBackup,
  listingStates,
  referencesAndHistory,
  events,
  webhooks,
  additionsOfEndpoints,
  clockMark,
  signingKeys,
  listingUrls,
  operatorSessions,
  intervalCounts,
  suspensionCauses,
  endingSoon,
  prices,
  licenseSecrets,
  termsOfAnswers,
  anchorDays,
  unpaidUntil,
  endsOfPurchases,
];
