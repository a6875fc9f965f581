import { expect } from 'chai';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { startServerProcess } from '../../support/processes/server-process.ts';
import { durableStores } from '../../support/stores/stores.ts';
import { getPage } from '../../support/web/page-client.ts';

const paths = ['/', '/listings/quiet-editor', '/?q=editor'];

/** The promise of the service, in milliseconds, and the rounds of requests that a slow machine is allowed. */
const maxAge = 1000;
const moreRounds = 10;

/** Other programs may keep the machine busy. */
const attempts = 10;

for (const store of durableStores) {
  it(`pages on ${store.name} have another ETag within a second of a changed listing, on every process`, async () => {
    const address = await store.address();
    const opened = await openStore(address.url, { create: true }, retentionFor(defaultTtl), aCall());
    await opened.ports.listings.put([aListing()], aCall());
    const flags = ['--public-url', 'https://shop.example'];
    const servers = [
      await startServerProcess(address.url, { flags }),
      await startServerProcess(address.url, { flags }),
    ];
    const etags = (): Promise<readonly (string | undefined)[]> =>
      Promise.all(servers.flatMap(({ url }) => paths.map(async (path) => (await getPage(url + path)).headers['etag'])));
    let age = Infinity;
    let allowed = 0;
    for (let attempt = 0; attempt < attempts && age > allowed; attempt += 1) {
      const asked = performance.now();
      const before = await etags();
      allowed = maxAge + moreRounds * (performance.now() - asked);
      await opened.ports.listings.put([aListing({ name: `Editor ${attempt}` })], aCall());
      const changed = performance.now();
      const after = await eventually(etags, (now) => now.every((etag, index) => etag !== before[index]));
      age = performance.now() - changed;
      const half = after.length / 2;
      expect(after.slice(0, half), 'the same on both').to.deep.equal(after.slice(half));
    }
    expect(age).to.be.at.most(allowed);
    await Promise.all(servers.map((server) => server.kill()));
    await opened.close();
    await address.remove();
  });
}
