import { readFileSync } from 'node:fs';

// Reads the line of `demo --json` on standard input and verifies the demo's license at its address.
const { address, licenseKey } = JSON.parse(readFileSync(0, 'utf8')) as Record<'address' | 'licenseKey', string>;
const response = await fetch(`${address}/api/licenses/verify`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ licenseKey }),
});
const answer = (await response.json()) as { readonly valid?: boolean };
if (answer.valid !== true) throw new Error(`The demo's license is not valid: ${JSON.stringify(answer)}`);
console.log('The demo runs and its license is valid.');
