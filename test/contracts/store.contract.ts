import type { StoreUnderTest } from '../support/stores/stores.ts';
import { archiveContract } from './archive.contract.ts';
import { listingsContract } from './catalog/listings.contract.ts';
import { clockMarksContract } from './clock-marks.contract.ts';
import { allEntitlementsContract } from './entitlement/all-entitlements.contract.ts';
import { dueEntitlementsContract } from './entitlement/due-entitlements.contract.ts';
import { entitlementHistoryContract } from './entitlement/entitlement-history.contract.ts';
import { entitlementsContract } from './entitlement/entitlements.contract.ts';
import { idempotencyRecordsContract } from './entitlement/idempotency-records.contract.ts';
import { licensesContract } from './entitlement/licenses.contract.ts';
import { retentionContract } from './entitlement/retention.contract.ts';
import { sharedRetentionContract } from './entitlement/shared-retention.contract.ts';
import { archivedEventsContract } from './feed/archived-events.contract.ts';
import { checkedEventsContract } from './feed/checked-events.contract.ts';
import { eventsContract } from './feed/events.contract.ts';
import { retentionOfEventsContract } from './feed/retention-of-events.contract.ts';
import { allKeysContract, appKeysOfProductContract } from './key/all-keys.contract.ts';
import { appKeysUnderTest, operatorKeysUnderTest } from './key/keys-under-test.ts';
import { keysContract } from './key/keys.contract.ts';
import { maintenanceContract } from './maintenance.contract.ts';
import { operatorSessionsContract } from './operator-sessions.contract.ts';
import { productsContract } from './products.contract.ts';
import { signingKeysContract } from './signing-keys.contract.ts';
import { waitlistContract } from './waitlist.contract.ts';
import { deliveryStreamsContract } from './webhook/delivery-streams.contract.ts';
import { webhookEndpointsContract } from './webhook/webhook-endpoints.contract.ts';

/** Runs the contract of every port against a store. */
export function storeContract({ name, archived, open }: StoreUnderTest): void {
  describe(`the ${name} store`, () => {
    entitlementsContract(open);
    retentionContract(open);
    sharedRetentionContract(open);
    idempotencyRecordsContract(open);
    licensesContract(open);
    allEntitlementsContract(open);
    entitlementHistoryContract(open);
    dueEntitlementsContract(open);
    eventsContract(open);
    retentionOfEventsContract(open);
    keysContract(open, appKeysUnderTest);
    allKeysContract(open, appKeysUnderTest);
    appKeysOfProductContract(open);
    keysContract(open, operatorKeysUnderTest);
    allKeysContract(open, operatorKeysUnderTest);
    operatorSessionsContract(open);
    productsContract(open);
    listingsContract(open);
    waitlistContract(open);
    webhookEndpointsContract(open);
    deliveryStreamsContract(open);
    maintenanceContract(open);
    clockMarksContract(open);
    signingKeysContract(open);
    if (archived) archiveContract(open);
    if (archived) archivedEventsContract(open);
    if (archived) checkedEventsContract(open);
  });
}
