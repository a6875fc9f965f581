import { expect } from 'chai';
import { maxLinks, type BuyerLink } from '../../core/buyer/buyer-link.ts';
import { prunedLinks } from '../../core/buyer/buyer-links.port.ts';
import { aCall, hour, later, noon } from '../support/builders.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { inGroups, range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { thrownBy } from '../support/thrown.ts';

function aLink(overrides: Partial<BuyerLink> = {}): BuyerLink {
  return {
    digest: 'digest',
    subject: 'ent_1',
    appKeyId: 'key_1',
    returnUrl: 'https://shop.example/account',
    isForLostKeys: false,
    createdAt: noon,
    expiresAt: later(hour),
    ...overrides,
  };
}

/** The promises of every store about the links of buyers. */
export function buyerLinksContract(open: OpenStore): void {
  describe('the links of buyers', () => {
    const store = freshStore(open);
    const allFound = (digests: readonly string[]): Promise<readonly (BuyerLink | null)[]> =>
      beside(store(), ({ buyerLinks }) => Promise.all(digests.map((digest) => buyerLinks.find(digest, aCall()))));
    const found = async (digest: string): Promise<BuyerLink | null> => (await allFound([digest]))[0] ?? null;
    const add = (overrides: Partial<BuyerLink>): Promise<void> => store().buyerLinks.add(aLink(overrides), aCall());

    const prune = (at: Date): Promise<number> => store().buyerLinks.prune(at, aCall());

    it('are found by every process as they were added, and under no other digest', async () => {
      const plain = aLink({
        digest: 'other',
        appKeyId: null,
        returnUrl: null,
        isForLostKeys: true,
        createdAt: later(1),
      });
      await add({});
      await store().buyerLinks.add(plain, aCall());
      expect(await allFound(['digest', 'other'])).to.deep.equal([aLink(), plain]);
      expect(await allFound(['', 'DIGEST', 'ent_1'])).to.deep.equal([null, null, null]);
    });

    it('end as the oldest of more than there may be, those of other entitlements not', async () => {
      await add({ digest: 'other', subject: 'ent_2', createdAt: later(-1) });
      for (const number of range(maxLinks)) await add({ digest: `link ${number}`, createdAt: later(number) });
      expect(await found('link 0')).to.not.equal(null);
      await add({ digest: 'newest', createdAt: later(maxLinks) });
      const kept = await allFound(['link 0', 'link 1', 'newest', 'other']);
      expect(kept.map((link) => link !== null)).to.deep.equal([false, true, true, true]);
    });

    for (const isForLostKeys of [true, false]) {
      const [those, others] = isForLostKeys ? ['those of lost keys', 'others'] : ['others', 'those of lost keys'];
      it(`of which ${those} are too many end none of ${others}`, async () => {
        await add({ digest: 'older', isForLostKeys: !isForLostKeys, createdAt: later(-1) });
        for (const number of range(maxLinks + 1)) {
          await add({ digest: `link ${number}`, isForLostKeys, createdAt: later(number) });
        }
        const kept = await allFound(['older', 'link 0', 'link 1']);
        expect(kept.map((link) => link !== null)).to.deep.equal([true, false, true]);
      });
    }

    it('are never more than there may be after thirty were added at once', async () => {
      await Promise.all(range(30).map((number) => add({ digest: `link ${number}`, createdAt: later(number) })));
      const kept = await allFound(range(30).map((number) => `link ${number}`));
      expect(kept.map((link) => link !== null)).to.deep.equal(range(30).map((number) => number >= 30 - maxLinks));
    });

    it('are all removed of one entitlement, and of no other', async () => {
      for (const digest of ['one', 'two']) await add({ digest });
      await add({ digest: 'other', subject: 'ent_2' });
      expect(await store().buyerLinks.removeAll('ent_1', aCall())).to.equal(2);
      expect(await store().buyerLinks.removeAll('ent_1', aCall())).to.equal(0);
      const kept = await allFound(['one', 'two', 'other']);
      expect(kept.map((link) => link?.digest)).to.deep.equal([undefined, undefined, 'other']);
    });

    it('are removed once they have ended, at most so many at once', async () => {
      await inGroups(range(prunedLinks + 1), (number) => add({ digest: `${number}`, subject: `ent_${number}` }));
      await add({ digest: 'young', expiresAt: later(hour + 1) });
      expect(await prune(later(hour - 1))).to.equal(0);
      expect(await prune(later(hour))).to.equal(prunedLinks);
      expect(await prune(later(hour))).to.equal(1);
      expect([await prune(later(hour)), (await found('young'))?.digest]).to.deep.equal([0, 'young']);
    });

    for (const when of moments) {
      it(`are one if the addition fails ${when} it takes effect and is retried`, async () => {
        const links = failing(store().buyerLinks, { method: 'add', nth: 1, when });
        expect(await thrownBy(links.add(aLink(), aCall()))).to.be.instanceOf(InjectedFault);
        await links.add(aLink(), aCall());
        expect(await found('digest')).to.deep.equal(aLink());
        expect(await store().buyerLinks.removeAll('ent_1', aCall())).to.equal(1);
      });
    }
  });
}
