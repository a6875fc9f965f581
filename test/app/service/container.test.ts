import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { aCall, aLicense, aListing, aSubscription } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import type { Reply } from '../../support/http/http-client.ts';
import { json } from '../../support/http/requests.ts';
import { freshService } from '../../support/http/service-hooks.ts';
import { stores } from '../../support/stores/stores.ts';

const found = (reply: Reply): boolean => reply.status === 200;
const license = 'a-license-key-of-a-buyer';

for (const store of stores) {
  describe(`the container on ${store.name}`, () => {
    const service = freshService(store);

    it('answers one request of each operation', async () => {
      await service().grant(aSubscription({ license: aLicense({ digest: licenseDigest(license, digest) }) }));
      await service()
        .container.get(tokens.listings)
        .put([aListing({ slug: 'a-tool' })], aCall());
      const waitlist = { method: 'POST', headers: [json], body: '{"email":"ada@example.com"}' } as const;
      const replies = [
        await eventually(() => service().send('/api/marketplace/listings/a-tool'), found),
        await service().send('/api/marketplace/listings'),
        await service().send('/api/waitlist', waitlist),
        await service().verify({ licenseKey: license }),
        await service().read('ent_1'),
        await service().change('ent_1/cancel', 'key-00000001'),
        await service().change('ent_1/resume', 'key-00000002'),
        await service().send('/.well-known/oauth-protected-resource'),
        await service().send('/livez'),
        await service().send('/readyz'),
      ];
      expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200));
    });

    it('resolves every token', async () => {
      for (const token of Object.values(tokens)) {
        expect(service().container.get<unknown>(token), String(token)).to.be.an.instanceOf(Object);
      }
    });
  });
}
