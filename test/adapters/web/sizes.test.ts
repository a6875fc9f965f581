import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { catalogOf } from '../../../bench/data/catalog.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { fileOf } from '../../../docs/generate/repository.ts';
import { aCall, aListing, noon } from '../../support/builders.ts';
import { TestService } from '../../support/http/test-service.ts';
import { getPage } from '../../support/web/page-client.ts';

const maxHtml = 40_000;
const maxScript = 6000;

describe('the size of a page', () => {
  it(`is at most ${maxHtml} bytes before compression, with 10,000 listings`, async () => {
    const store = openMemoryStore(retentionFor(defaultTtl));
    const listings = catalogOf(10_000, noon);
    await store.ports.listings.put(listings, aCall());
    const service = await TestService.start(store);
    for (const path of [
      '/',
      '/?sort=new&offset=4800',
      `/listings/${listings[0]?.slug}`,
      '/waitlist',
      '/docs',
      '/?q=x',
    ]) {
      const { status, bytes } = await getPage(service.url + path);
      expect([status, bytes.length <= maxHtml], `${path}: ${bytes.length} bytes`).to.deep.equal([200, true]);
    }
    await service.stop();
  });

  it('stays within that where every text is as long as it may be', async () => {
    const store = openMemoryStore(retentionFor(defaultTtl));
    const listings = Array.from({ length: 24 }, (_, index) =>
      aListing({
        id: `lst_${index}`,
        slug: `${index}-`.padEnd(128, 'x'),
        name: 'N'.repeat(200),
        blurb: 'b '.repeat(1000),
      }),
    );
    await store.ports.listings.put(listings, aCall());
    const service = await TestService.start(store);
    const { bytes } = await getPage(service.url);
    expect(bytes.length).to.be.at.most(maxHtml);
    await service.stop();
  });

  it(`includes at most ${maxScript} bytes of script`, async () => {
    const { length } = await readFile(fileOf('adapters/web/assets/pages.js'));
    expect(length).to.be.at.most(maxScript);
  });
});
