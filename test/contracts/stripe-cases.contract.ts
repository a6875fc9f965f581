import { expect } from 'chai';
import { caseKinds, type StripeCase } from '../../core/billing/stripe-cases.port.ts';
import { sections } from '../../core/copy/archive.port.ts';
import { aCall, later } from '../support/builders.ts';
import { inCodePointOrder } from '../support/code-points.ts';
import { failing, InjectedFault, moments } from '../support/failing.ts';
import { range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';
import { aStripeCase } from '../support/stripe/stripe-cases.ts';
import { thrownBy } from '../support/thrown.ts';

export function stripeCasesContract(open: OpenStore): void {
  describe('StripeCases', () => {
    const store = freshStore(open);
    const put = async (...cases: readonly StripeCase[]): Promise<void> => {
      for (const each of cases) await store().stripeCases.put(each, aCall());
    };

    it('finds the cases of one sale as they were put, by every process', async () => {
      const charge = { at: later(1), amount: 900, currency: 'usd' };
      const full = aStripeCase({ kind: 'refused_by_stripe', detail: '“Größe” 🎉', change: 'revocation', charge });
      const ofUnknownAmount = aStripeCase({ kind: 'revoked_here', charge: { ...charge, amount: null } });
      await put(ofUnknownAmount, full, aStripeCase({ id: 'sub_10' }), aStripeCase({ id: 'sub_0' }));
      const found = await beside(store(), ({ stripeCases }) => stripeCases.find('sub_1', aCall()));
      expect(found).to.deep.equal([full, ofUnknownAmount]);
      expect(await store().stripeCases.find('sub_', aCall())).to.deep.equal([]);
    });

    it('lists page by page, the oldest first, then by id and kind', async () => {
      const byId = inCodePointOrder.map((id) => aStripeCase({ id }));
      const byKind = caseKinds.toSorted().map((kind) => aStripeCase({ id: '', kind }));
      const old = aStripeCase({ id: 'sub_9', since: later(-1) });
      await put(...byId.toReversed(), ...byKind.toReversed(), old);
      const all = [old, ...byKind, ...byId];
      expect(await store().stripeCases.page(null, all.length + 1, aCall())).to.deep.equal(all);
      for (const [index, each] of all.entries()) {
        expect(await store().stripeCases.page(each, 2, aCall())).to.deep.equal(all.slice(index + 1, index + 3));
      }
    });

    it('counts each kind that there is', async () => {
      expect([...(await store().stripeCases.count(aCall()))]).to.deep.equal([]);
      await put(aStripeCase(), aStripeCase({ id: 'sub_2' }), aStripeCase({ kind: 'revoked_here' }));
      const counted = Object.fromEntries(await store().stripeCases.count(aCall()));
      expect(counted).to.deep.equal({ not_sent: 2, revoked_here: 1 });
    });

    it('keeps since when a case is there, and replaces the rest', async () => {
      const charge = { at: later(1), amount: 900, currency: 'usd' };
      await put(aStripeCase({ detail: 'timeout', charge }));
      await put(aStripeCase({ since: later(1), detail: '503', change: 'resumption' }));
      const [found] = await store().stripeCases.find('sub_1', aCall());
      expect(found).to.deep.equal(aStripeCase({ detail: '503', change: 'resumption' }));
    });

    it('removes the kinds of one sale, and no other', async () => {
      const kept = [aStripeCase({ kind: 'revoked_here' }), aStripeCase({ id: 'sub_2' })];
      await put(aStripeCase(), aStripeCase({ kind: 'other_product' }), ...kept);
      await store().stripeCases.remove('sub_1', [], aCall());
      await store().stripeCases.remove('sub_1', ['not_sent', 'other_product', 'other_kind'], aCall());
      expect(await store().stripeCases.page(null, 10, aCall())).to.deep.equal(kept);
    });

    it('has one case for twenty that put one at once', async () => {
      await Promise.all(range(20).map((index) => put(aStripeCase({ detail: `Rival ${index}` }))));
      expect(await store().stripeCases.page(null, 10, aCall())).to.have.length(1);
    });

    for (const when of moments) {
      it(`puts and removes once if the write fails ${when} it takes effect and is retried`, async () => {
        for (const method of ['put', 'remove'] as const) {
          const cases = failing(store().stripeCases, { method, nth: 1, when });
          const write = (): Promise<void> =>
            method === 'put' ? cases.put(aStripeCase(), aCall()) : cases.remove('sub_1', ['not_sent'], aCall());
          expect(await thrownBy(write())).to.be.instanceOf(InjectedFault);
          await write();
          expect(await store().stripeCases.find('sub_1', aCall())).to.have.length(method === 'put' ? 1 : 0);
        }
      });
    }

    it('are not copied', async () => {
      const { archive } = store();
      await put(aStripeCase());
      const pages = await Promise.all(sections.map(async (section) => archive?.page(section, '', aCall()) ?? []));
      expect(pages.flat()).to.deep.equal([]);
    });
  });
}
