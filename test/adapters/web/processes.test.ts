import { expect } from 'chai';
import { openStore } from '../../../app/stores/open-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { aCall, aListing } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { startServerProcess } from '../../support/processes/server-process.ts';
import { durableStores } from '../../support/stores/stores.ts';
import { getPage } from '../../support/web/page-client.ts';

const paths = ['/', '/listings/quiet-editor', '/?q=editor'];

/** What the service promises, in milliseconds. */
const maxAge = 1000;

/** Other programs may keep the machine busy. */
const attempts = 10;

for (const store of durableStores) {
  it(`pages on ${store.name} have another ETag within a second of a changed listing, on every process`, async function () {
    this.timeout(300_000);
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
    for (let attempt = 0; attempt < attempts && age > maxAge; attempt += 1) {
      const before = await etags();
      await opened.ports.listings.put([aListing({ name: `Editor ${attempt}` })], aCall());
      const changed = performance.now();
      const after = await eventually(etags, (now) => now.every((etag, index) => etag !== before[index]));
      age = performance.now() - changed;
      const half = after.length / 2;
      expect(after.slice(0, half), 'the same on both').to.deep.equal(after.slice(half));
    }
    expect(age).to.be.at.most(maxAge);
    await Promise.all(servers.map((server) => server.kill()));
    await opened.close();
    await address.remove();
  });
}
