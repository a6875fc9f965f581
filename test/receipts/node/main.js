// Reads a receipt from each line, in base64, and prints whether the program of the document accepts it, and for which device.
import { createInterface } from 'node:readline';
import { claimsOf } from './receipt.js';

for await (const line of createInterface({ input: process.stdin })) {
  const claims = await claimsOf(Buffer.from(line, 'base64').toString()).catch(() => null);
  const device = typeof claims?.device === 'string' ? ` ${claims.device}` : '';
  console.log(claims?.entitlement?.id === 'ent_1' ? `valid${device}` : 'invalid');
}
