import type { StoreUnderTest } from '../support/stores.ts';
import { allAppKeysContract } from './all-app-keys.contract.ts';
import { allEntitlementsContract } from './all-entitlements.contract.ts';
import { appKeysContract } from './app-keys.contract.ts';
import { archiveContract } from './archive.contract.ts';
import { entitlementsContract } from './entitlements.contract.ts';
import { idempotencyRecordsContract } from './idempotency-records.contract.ts';
import { licensesContract } from './licenses.contract.ts';
import { listingsContract } from './listings.contract.ts';
import { maintenanceContract } from './maintenance.contract.ts';
import { productsContract } from './products.contract.ts';
import { retentionContract } from './retention.contract.ts';
import { waitlistContract } from './waitlist.contract.ts';

/** Everything that the core expects of a store. */
export function storeContract({ name, archived, open }: StoreUnderTest): void {
  describe(`the ${name} store`, () => {
    entitlementsContract(open);
    retentionContract(open);
    idempotencyRecordsContract(open);
    licensesContract(open);
    allEntitlementsContract(open);
    appKeysContract(open);
    allAppKeysContract(open);
    productsContract(open);
    listingsContract(open);
    waitlistContract(open);
    maintenanceContract(open);
    if (archived) archiveContract(open);
  });
}
