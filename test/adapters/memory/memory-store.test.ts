import { storeContract } from '../../contracts/store.contract.ts';
import { memory } from '../../support/stores.ts';

storeContract(memory);
