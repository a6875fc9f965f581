/**
 * Floods the service whose address is in the JSON on standard input, and whose process is given. Fails if its memory grows too
 * much or a probe is not answered. Prints the addresses whose sign-ups it has acknowledged.
 */
import { readFileSync } from 'node:fs';
import { floods, floodServer } from '../support/flood/flooded-server.ts';

const { address: url }: { readonly address: string } = JSON.parse(readFileSync(0, 'utf8'));
const pid = Number(process.argv[2]);
for (const flood of floods) {
  const { memory, probes, failed, acknowledged } = await floodServer({ url, pid }, flood);
  console.error(`${flood.name}: ${Math.round(memory)} MB, ${probes} probes, ${acknowledged.length} sign-ups`);
  if (memory >= flood.maxMemory) throw new Error(`the service took more than ${flood.maxMemory} MB`);
  if (failed.length > 0) throw new Error(`probes were answered with ${failed.join(', ')}`);
  for (const email of acknowledged) console.log(email);
}
