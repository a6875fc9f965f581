import { storeContract } from '../../contracts/store.contract.ts';
import { sqlite } from '../../support/stores/stores.ts';

storeContract(sqlite);
