import { addEvents, eventIndexes } from './006-events.ts';
import { indexEndsOfLogs, logIndexes } from './007-ends-of-logs.ts';
import { addSigningKeys } from './008-signing-keys.ts';
import { addUntoldEnds, endingIndexes } from './011-ending-soon.ts';
import { addTermsOfAnswers } from './014-terms-of-answers.ts';
import { addAnchorDays } from './015-anchor-days.ts';
import { addStripeCases, caseIndexes } from './018-stripe-cases.ts';
import { addDevices, deviceIndexes } from './019-devices.ts';
import { indexNewestEntitlements, newestIndexes } from './020-newest-entitlements.ts';
import { addTiers, tierIndexes } from './021-tiers.ts';
import { addProductsOfKeys, productIndexes } from './022-products-of-keys.ts';
import { createFirstIndexes, firstIndexes } from './released/001-first-indexes.ts';
import { keepRetentionPromises } from './released/002-retention-promises.ts';
import {
  addOperatorKeys,
  indexListingStates,
  indexReferences,
  keyIndexes,
  listingIndexes,
  referenceIndexes,
} from './released/added-indexes.ts';
import { together, type Indexes, type Migration } from './released/migration.ts';
import { addBuyerLinks, addOperatorSessions, linkIndexes, sessionIndexes } from './sessions-and-links.ts';
import {
  addEndsOfPurchases,
  addIntervalCounts,
  addLicenseSecrets,
  addPrices,
  addUnpaidUntil,
} from './unchanged-documents.ts';

/** Every migration, in the order in which an empty database runs them. */
export const migrations: readonly Migration[] = [
  createFirstIndexes,
  keepRetentionPromises,
  addOperatorKeys,
  indexListingStates,
  indexReferences,
  addEvents,
  indexEndsOfLogs,
  addSigningKeys,
  addOperatorSessions,
  addIntervalCounts,
  addUntoldEnds,
  addPrices,
  addLicenseSecrets,
  addTermsOfAnswers,
  addAnchorDays,
  addUnpaidUntil,
  addEndsOfPurchases,
  addStripeCases,
  addDevices,
  indexNewestEntitlements,
  addTiers,
  addProductsOfKeys,
  addBuyerLinks,
];

/** The indexes that must exist after the last migration. The store's promises depend on the unique ones. */
export const requiredIndexes: Indexes = together(
  firstIndexes,
  keyIndexes,
  listingIndexes,
  referenceIndexes,
  eventIndexes,
  logIndexes,
  sessionIndexes,
  endingIndexes,
  caseIndexes,
  deviceIndexes,
  newestIndexes,
  tierIndexes,
  productIndexes,
  linkIndexes,
);
