import { storeContract } from '../../contracts/store.contract.ts';
import { memory } from '../../support/stores/stores.ts';

storeContract(memory);
