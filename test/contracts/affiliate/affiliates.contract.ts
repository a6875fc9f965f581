import { expect } from 'chai';
import { erasedAffiliate } from '../../../core/affiliate/affiliate.ts';
import { anAffiliate } from '../../support/affiliates/builders.ts';
import { aCall, later } from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

/** The contract of `Affiliates`. */
export function affiliatesContract(open: OpenStore): void {
  describe('Affiliates', () => {
    const store = freshStore(open);

    it('stores each member of an affiliate, for every process', async () => {
      for (const affiliate of [
        anAffiliate(),
        anAffiliate({
          handle: 'bob-1',
          name: '“Bob” 🎉',
          email: 'Bob.Größe@Example.com',
          about: 'Two\nlines',
          url: 'https://bob.example/',
          payTo: 'IBAN DE00',
          createdAt: later(3),
        }),
        anAffiliate({ handle: 'gone', email: null, state: 'ended' }),
      ]) {
        expect(await store().affiliates.replace(null, affiliate, aCall())).to.deep.equal({ kind: 'replaced' });
        const found = await beside(store(), ({ affiliates }) => affiliates.find(affiliate.handle, aCall()));
        expect(found).to.deep.equal(affiliate);
      }
      expect(await store().affiliates.find('nobody', aCall())).to.equal(null);
    });

    it('finds the one of an address in any spelling, until it has another', async () => {
      const first = anAffiliate({ email: 'Ada@Example.com' });
      await store().affiliates.replace(null, first, aCall());
      expect(await store().affiliates.findByAddress('ADA@example.com', aCall())).to.deep.equal(first);
      const moved = { ...first, email: 'new@example.com', revision: 2 };
      await store().affiliates.replace(first, moved, aCall());
      expect(await store().affiliates.findByAddress('ada@example.com', aCall())).to.equal(null);
      expect(await store().affiliates.findByAddress('New@example.com', aCall())).to.deep.equal(moved);
    });

    it('replaces what was seen, and nothing else', async () => {
      const first = anAffiliate();
      const second = anAffiliate({ name: 'Ada L.', revision: 2 });
      expect((await store().affiliates.replace(first, second, aCall())).kind).to.equal('stale');
      expect(await store().affiliates.find('ada', aCall())).to.equal(null);
      await store().affiliates.replace(null, first, aCall());
      expect((await store().affiliates.replace(null, first, aCall())).kind).to.equal('stale');
      expect((await store().affiliates.replace(first, second, aCall())).kind).to.equal('replaced');
      const late = anAffiliate({ name: 'Late', revision: 2 });
      expect((await store().affiliates.replace(first, late, aCall())).kind).to.equal('stale');
      expect(await store().affiliates.find('ada', aCall())).to.deep.equal(second);
    });

    it('gives an address to one, and again once that one is erased', async () => {
      const [ada, bob] = [anAffiliate(), anAffiliate({ handle: 'bob' })];
      const second = anAffiliate({ handle: 'second', email: 'ADA@example.com' });
      for (const one of [ada, bob]) await store().affiliates.replace(null, one, aCall());
      expect((await store().affiliates.replace(null, second, aCall())).kind).to.equal('stale');
      expect(await store().affiliates.find('second', aCall())).to.equal(null);
      const taking = { ...bob, email: 'Ada@example.com', revision: 2 };
      expect((await store().affiliates.replace(bob, taking, aCall())).kind).to.equal('stale');
      expect(await store().affiliates.find('bob', aCall())).to.deep.equal(bob);
      for (const one of [ada, bob]) {
        expect((await store().affiliates.replace(one, erasedAffiliate(one), aCall())).kind).to.equal('replaced');
      }
      expect((await store().affiliates.replace(null, second, aCall())).kind).to.equal('replaced');
      expect(await store().affiliates.findByAddress('ada@example.com', aCall())).to.deep.equal(second);
    });

    for (const [what, made] of [
      ['one handle', (n: number) => anAffiliate({ email: `${n}@example.com` })],
      ['one address', (n: number) => anAffiliate({ handle: `ada-${n}`, email: 'ada@example.com' })],
    ] as const) {
      it(`gives one of twenty ${what} that they take at once`, async () => {
        const outcomes = await beside(store(), (other) =>
          Promise.all(range(20).map((n) => (n % 2 === 0 ? store() : other).affiliates.replace(null, made(n), aCall()))),
        );
        const winners = range(20).filter((n) => outcomes[n]?.kind === 'replaced');
        expect(winners).to.have.length(1);
        expect(await store().affiliates.page(null, 99, aCall())).to.deep.equal(winners.map(made));
      });
    }

    for (const when of moments) {
      it(`stores an affiliate once if the write fails ${when} it takes effect and is retried`, async () => {
        const affiliates = failing(store().affiliates, { method: 'replace', nth: 1, when });
        expect(await thrownBy(affiliates.replace(null, anAffiliate(), aCall()))).to.be.instanceOf(InjectedFault);
        const { kind } = await affiliates.replace(null, anAffiliate(), aCall());
        expect(kind).to.equal(when === 'before' ? 'replaced' : 'stale');
        expect(await affiliates.find('ada', aCall())).to.deep.equal(anAffiliate());
      });
    }

    it('lists by handle, page by page', async () => {
      const all = ['0-a', '00', 'a-b', 'a0', 'ab', 'b'].map((handle) => anAffiliate({ handle }));
      for (const one of all.toReversed()) await store().affiliates.replace(null, one, aCall());
      expect(await store().affiliates.page(null, 4, aCall())).to.deep.equal(all.slice(0, 4));
      expect(await store().affiliates.page('a0', 4, aCall())).to.deep.equal(all.slice(4));
      expect(await store().affiliates.page('b', 4, aCall())).to.deep.equal([]);
    });
  });
}
