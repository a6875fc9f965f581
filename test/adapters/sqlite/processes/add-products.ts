/** Adds products to a store file until it is killed, four at a time; prints each id once it is acknowledged. Arguments: PATH NAME. */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { aCall } from '../../../support/builders.ts';
import { openAt } from '../../../support/stores/stores.ts';

/** Milliseconds between two products of each of the four: in memory they would be more than a test reads before both writers are killed. */
const pauseTime = 5;

const [, , path = '', name = ''] = process.argv;
const store = await openAt(`sqlite:${path}`);

async function addFrom(first: number): Promise<never> {
  for (let number = first; ; number += 4) {
    const id = `${name}-${number}`;
    await store.products.add({ id, name, createdAt: new Date(0) }, aCall());
    writeSync(1, `${id}\n`);
    await pause(pauseTime);
  }
}

await Promise.all([0, 1, 2, 3].map(addFrom));
