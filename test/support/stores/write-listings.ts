// A writer as a process of its own, for tests that kill it: write-listings.ts STORE_URL SEED. It changes listings without end.
import * as fc from 'fast-check';
import { createContainer } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall } from '../builders.ts';
import { anyCatalogChange, change } from './catalogs.ts';

const [url = '', seed = '0'] = process.argv.slice(2);
const store = await openStore(url, { create: false }, retentionFor(defaultTtl), aCall());
const listings = createContainer(store.ports).get(tokens.listings);
process.stdout.write('writing\n');
for (let round = 0; ; round += 1) {
  const [next] = fc.sample(anyCatalogChange, { numRuns: 1, seed: Number(seed) + round });
  if (next !== undefined) await change(listings, next);
}
