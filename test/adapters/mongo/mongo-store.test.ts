import { storeContract } from '../../contracts/store.contract.ts';
import { mongo } from '../../support/stores.ts';

storeContract(mongo);
