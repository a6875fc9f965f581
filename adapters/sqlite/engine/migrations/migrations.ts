import { events } from './009-events.ts';
import { operatorSessions } from './015-operator-sessions.ts';
import { termsOfAnswers } from './021-terms-of-answers.ts';
import { stripeCases } from './026-stripe-cases.ts';
import { tiers } from './031-tiers.ts';
import { productsOfKeys } from './033-products-of-keys.ts';
import { buyerLinks, linksOfLostKeys } from './buyer-links.ts';
import {
  accountUrls,
  limitsOfPrices,
  listingDeletions,
  listingUrls,
  pageMembers,
  prices,
  productLinks,
  productMails,
} from './catalog.ts';
import { endingSoon } from './entitlements/018-ending-soon.ts';
import { anchorDays } from './entitlements/022-anchor-days.ts';
import { devices } from './entitlements/027-devices.ts';
import { newestEntitlements } from './entitlements/029-newest-entitlements.ts';
import { endsOfPurchases, intervalCounts, suspensionCauses, unpaidUntil } from './entitlements/added-columns.ts';
import { productsKeysAndEntitlements } from './released/001-products-keys-and-entitlements.ts';
import { operatorKeys } from './released/005-operator-keys.ts';
import { referencesAndHistory } from './released/008-references-and-history.ts';
import { listingChanges, listingsAndWaitlist, listingStates } from './released/listings-and-waitlist.ts';
import { lastBackup, retentionPromises } from './released/maintenance.ts';
import type { Migration } from './released/migration.ts';
import { clockMark, licenseSecrets, signingKeys } from './single-rows.ts';
import { additionsOfEndpoints, webhooks } from './webhooks.ts';

/**
 * Every migration in the order in which a new file runs them. All instants in the tables are milliseconds since 1970.
 *
 * To change the schema, add a step (to `entitlements` for columns of theirs), append it here, and name new columns in the
 * row's `Table`. With the release, copy its SQL to
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
  productLinks,
  stripeCases,
  devices,
  pageMembers,
  newestEntitlements,
  limitsOfPrices,
  tiers,
  accountUrls,
  productsOfKeys,
  buyerLinks,
  productMails,
  listingDeletions,
  linksOfLostKeys,
];
