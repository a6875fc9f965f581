import { storeContract } from '../../contracts/store.contract.ts';
import { sqlite } from '../../support/stores.ts';

storeContract(sqlite);
