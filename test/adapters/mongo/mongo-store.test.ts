import { storeContract } from '../../contracts/store.contract.ts';
import { mongo } from '../../support/stores/stores.ts';

storeContract(mongo);
