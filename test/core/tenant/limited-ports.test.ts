import { expect } from 'chai';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import { aPromotion } from '../../support/affiliates/builders.ts';
import { aCall, aListing, later } from '../../support/builders.ts';
import { twoStores, type OpenedStore } from '../../support/stores/stores.ts';
import { listingOf, methods, resultIn, type Seen } from '../../support/tenant/port-tries.ts';
import {
  addMerchant,
  addOwners,
  contentOf,
  limitedCall,
  mine,
  nobody,
  ofAll,
  other,
  resultOf,
  type Names,
} from '../../support/tenant/two-merchants.ts';
import { anEndpoint } from '../../support/webhooks/builders.ts';

/** The methods that only the service calls. */
const ofService: readonly string[] = [
  'affiliates.replace',
  'listings.changesSince',
  'listings.load',
  'priceMap.put',
  'priceMap.remove',
  'sales.toLookAt',
  'stripeCases.put',
  'stripeCases.remove',
  'trials.prune',
];

/** The writes that are refused if they are about what another has. What else is asked about it is as unknown. */
const writes: readonly string[] = [
  'allAppKeys.add',
  'allEntitlements.add',
  'allEntitlements.replace',
  'allOperatorKeys.add',
  'deliveryStreams.add',
  'deliveryStreams.replace',
  'devices.replace',
  'licenseMoves.move',
  'listings.put',
  'listings.replace',
  'products.add',
  'products.put',
  'products.replace',
  'promotions.replace',
  'sales.replace',
  'statements.add',
  'statements.setPaid',
  'tiers.replace',
  'trials.add',
  'trials.replace',
  'webhookEndpoints.add',
  'webhookEndpoints.replace',
];

const refused = { refused: 'limited_key', message: 'limited_key' };

const isMine = (productId: string | null): boolean => productId === 'mine';
const isNotMine = (productId: string | null): boolean => productId !== 'mine';

for (const { name, open } of twoStores) {
  describe(`the ports of a limited caller, on the ${name} store`, () => {
    let full: OpenedStore;
    let alone: OpenedStore;

    before(async () => {
      [full, alone] = [await open(), await open()];
      for (const store of [full, alone]) await addMerchant(store, mine);
      await addMerchant(full, other);
      await addOwners(full);
      for (const store of [full, alone]) await store.settle();
    });

    after(async () => {
      await full.close();
      await alone.close();
    });

    /** The same thing is seen in both stores, which only one of them has. */
    const seenBy = (names: Names, from: StorePorts = full): Seen => ({
      names,
      from,
      call: limitedCall({ now: later(5) }),
    });

    for (const method of methods) {
      const title = method.join('.');
      it(`${title} meets nothing that another has`, async () => {
        const before = await contentOf(full, isNotMine);
        for (const names of [other, ofAll, nobody]) {
          const found = await resultIn(limitedPorts(full), method, seenBy(names));
          // A stream of the product to an endpoint for all products is no other's, and cannot be seen.
          const isRefused = writes.includes(title) && !(names === ofAll && title === 'deliveryStreams.replace');
          const isAlways = isRefused || ofService.includes(title);
          expect(found, names.slug).to.deep.equal(isAlways ? refused : await resultIn(alone, method, seenBy(names)));
        }
        expect(await contentOf(full, isNotMine)).to.deep.equal(before);
      });
    }

    it('listings.put and replace keep what ranks a listing, and give a new one the least of it', async () => {
      const { listings } = limitedPorts(full);
      const call = limitedCall({ now: later(5) });
      const rank = { featured: true, storefrontCount: 77, publishedAt: later(-9) };
      const least = { featured: false, storefrontCount: 0, publishedAt: call.now };
      const known = await listingOf(seenBy(mine));
      const { featured, storefrontCount, publishedAt } = known;
      await listings.put([{ ...known, ...rank, blurb: 'Put' }], call);
      const put = await listingOf(seenBy(mine));
      expect(put).to.deep.equal({ ...known, blurb: 'Put' });
      await listings.replace(put, { ...put, ...rank, blurb: 'Replaced' }, call);
      const replaced = await listingOf(seenBy(mine));
      expect(replaced).to.deep.include({ blurb: 'Replaced', featured, storefrontCount, publishedAt });
      const ranked = { ...replaced, ...rank };
      expect((await listings.replace(replaced, ranked, aCall())).kind).to.equal('replaced');
      expect(await listingOf(seenBy(mine))).to.deep.equal(ranked);
      expect((await listings.replace(ranked, known, aCall())).kind).to.equal('replaced');
      for (const [slug, add] of [
        ['ranked-1', (made: Listing) => listings.put([made], call)],
        ['ranked-2', (made: Listing) => listings.replace(null, made, call)],
      ] as const) {
        await add(aListing({ slug, id: slug, productId: 'mine', ...rank }));
        expect(await full.allListings.find(slug, aCall())).to.deep.include(least);
        await full.allListings.delete(slug, null, aCall());
      }
    });

    it('webhookEndpoints.add keeps what a limited caller adds to public addresses', async () => {
      const { webhookEndpoints } = limitedPorts(full);
      for (const [id, call, isPublicOnly] of [
        ['whk-limited', limitedCall(), true],
        ['whk-owners', aCall(), false],
      ] as const) {
        expect(await webhookEndpoints.add(anEndpoint({ id, productId: 'mine', isPublicOnly: false }), call)).to.equal(
          'added',
        );
        expect(await full.webhookEndpoints.find(id, aCall())).to.include({ isPublicOnly });
        await full.webhookEndpoints.remove(id, null, aCall());
      }
    });

    it('promotions.replace leaves what was agreed for the product that a listing had before', async () => {
      const next = aPromotion({ handle: other.handle, slug: other.slug, productId: 'mine' });
      const found = await resultOf(() => limitedPorts(full).promotions.replace(null, next, limitedCall()));
      expect(found).to.deep.equal({ refused: 'listing_not_promotable', message: 'listing_not_promotable' });
    });

    for (const method of methods) {
      const title = method.join('.');
      it(`${title} does to its own what any caller does where there is nothing else`, async () => {
        const before = await contentOf(full, isNotMine);
        const found = await resultIn(limitedPorts(full), method, seenBy(mine));
        const isRefused = ofService.includes(title);
        expect(found).to.deep.equal(isRefused ? refused : await resultIn(alone, method, seenBy(mine, alone)));
        expect(await contentOf(full, isNotMine)).to.deep.equal(before);
        expect(await contentOf(full, isMine)).to.deep.equal(await contentOf(alone, isMine));
      });
    }
  });
}
