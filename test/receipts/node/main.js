// Reads a receipt from each line, in base64, and prints whether the program of the document accepts it.
import { createInterface } from 'node:readline';
import { entitlementOf } from './receipt.js';

for await (const line of createInterface({ input: process.stdin })) {
  const entitlement = await entitlementOf(Buffer.from(line, 'base64').toString()).catch(() => null);
  console.log(entitlement?.id === 'ent_1' ? 'valid' : 'invalid');
}
