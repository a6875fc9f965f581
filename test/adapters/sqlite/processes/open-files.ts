/** Opens each store file once its standard input has ended, and adds a product to it. Arguments: ID PATH… */
import { once } from 'node:events';
import { aCall } from '../../../support/builders.ts';
import { openAt } from '../../../support/stores/stores.ts';

const [, , id = '', ...paths] = process.argv;
console.log('ready');
process.stdin.resume();
await once(process.stdin, 'end');
for (const path of paths) {
  const store = await openAt(`sqlite:${path}`);
  await store.products.add({ id, name: id, createdAt: new Date(0) }, aCall());
  await store.close();
}
