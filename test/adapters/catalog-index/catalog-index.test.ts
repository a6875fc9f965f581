import { catalogIndexContract } from '../../contracts/catalog-index.contract.ts';
import { stores } from '../../support/stores.ts';

for (const store of stores) catalogIndexContract(store);
