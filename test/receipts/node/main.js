// Reads a `typ`, the id of an entitlement and a receipt in base64 from each line, and prints whether the program of the
// document accepts it as one of that entitlement, and for which device.
import { createInterface } from 'node:readline';
import { claimsOf } from './receipt.js';

for await (const line of createInterface({ input: process.stdin })) {
  const [typ, id, receipt] = line.split(' ');
  const claims = await claimsOf(Buffer.from(receipt, 'base64').toString(), typ).catch(() => null);
  const device = typeof claims?.device === 'string' ? ` ${claims.device}` : '';
  console.log(claims?.entitlement?.id === id ? `valid${device}` : 'invalid');
}
