import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { openAffiliateLink } from '../../../core/affiliate/affiliate-links.ts';
import type { AffiliateInvitation } from '../../../core/affiliate/manage-affiliates.ts';
import type { LoadMail } from '../../../core/mail/mail.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { anAffiliate, aPromotion } from '../../support/affiliates/builders.ts';
import { aCall, aListing, aSignUp, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { mailTakenBy } from '../../support/mail/mail-taken-by.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).code;

const using = (ports: StorePorts, loadMail: LoadMail = async () => null) =>
  administrationOf(ports, nodePlatform, { loadMail, baseUrl: () => 'https://latchkey.example' });

describe('the affiliates', () => {
  const store = freshStore(memory.open);
  const a = () => using(store());
  const add = (invitation: Partial<AffiliateInvitation>, at = 0) =>
    a().addAffiliate({ email: 'ada@example.com', handle: null, name: null, ...invitation }, aCall({ now: later(at) }));
  const find = (handle: string) => store().affiliates.find(handle, aCall());

  describe('who are invited', () => {
    it('get what was given, and a link', async () => {
      const { link, ...answer } = await add({ email: 'Ada@Example.com', handle: 'ada-l', name: 'Ada L.' });
      const affiliate = anAffiliate({ handle: 'ada-l', name: 'Ada L.', email: 'Ada@Example.com' });
      expect(answer).to.deep.equal({ affiliate, outcome: 'added', mailed: false });
      expect(await find('ada-l')).to.deep.equal(affiliate);
      const open = openAffiliateLink(store().buyerLinks, store().affiliates, nodePlatform.digest);
      expect((await open(link.url.split('/').at(-1) ?? '', aCall())).affiliate).to.deep.equal(affiliate);
    });

    it('get what is left out from the waitlist, folded', async () => {
      await store().waitlist.join(aSignUp({ email: 'ada@example.com', name: 'Ada L.', handle: '@Ada_Love' }), aCall());
      expect((await add({ email: 'ADA@example.com' })).affiliate).to.deep.include({
        handle: 'ada-love',
        name: 'Ada L.',
      });
      await store().waitlist.join(aSignUp({ email: 'bob@example.com', name: null, handle: 'Bob' }), aCall());
      expect((await add({ email: 'bob@example.com' })).affiliate).to.include({ handle: 'bob', name: 'bob' });
      await store().waitlist.join(aSignUp({ email: 'eve@example.com', name: 'Eve', handle: 'x' }), aCall());
      const given = await add({ email: 'eve@example.com', handle: 'eve-1' });
      expect(given.affiliate).to.include({ handle: 'eve-1', name: 'Eve' });
    });

    it('get no name of the waitlist that shows another text than it has', async () => {
      const entry = aSignUp({ email: 'eve@example.com', name: 'moc.live\u202e', handle: 'eve' });
      await store().waitlist.join(entry, aCall());
      expect((await add({ email: 'eve@example.com' })).affiliate.name).to.equal('eve');
    });

    it('are refused where no handle fits', async () => {
      await store().waitlist.join(aSignUp({ email: 'eve@example.com', handle: 'x' }), aCall());
      for (const email of ['eve@example.com', 'nobody@example.com']) {
        const { code, details } = await refusalOf(add({ email, name: 'Eve' }));
        expect(code).to.equal('invalid_body');
        expect(details.message).to.match(/^handle must be 3 to 30 characters/);
      }
      expect(await codeOf(add({ email: 'a@b@c.example', handle: 'ada' }))).to.equal('invalid_email');
    });

    it('are the same ones again, with another link', async () => {
      const first = await add({ handle: 'ada', name: 'Ada' });
      const again = await add({ email: 'ADA@example.com', name: 'Other' }, 5);
      expect(again).to.deep.include({ affiliate: first.affiliate, outcome: 'unchanged' });
      expect(again.link.url).to.not.equal(first.link.url);
      expect((await add({ handle: 'ada' })).outcome).to.equal('unchanged');
    });

    it('get no handle of another, and no second one', async () => {
      await add({ handle: 'ada' });
      expect(await codeOf(add({ handle: 'other' }))).to.equal('affiliate_exists');
      expect(await codeOf(add({ email: 'b@example.com', handle: 'ada' }))).to.equal('handle_taken');
      await a().endAffiliate('ada', aCall());
      expect(await codeOf(add({ handle: 'ada' }))).to.equal('affiliate_ended');
      await a().eraseAffiliate('ada', aCall());
      expect(await codeOf(add({ handle: 'ada' }))).to.equal('handle_taken');
      expect((await add({ handle: 'ada-2' })).outcome).to.equal('added');
    });

    it('are one for each handle and address, however many are invited at once', async () => {
      const outcomes = await Promise.all([
        ...range(10).map(() => add({ handle: 'ada' }).then(({ outcome }) => outcome)),
        ...range(10).map((n) => codeOf(add({ email: `${n}@example.com`, handle: 'ada' }))),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(1);
      expect(await store().affiliates.page(null, 9, aCall())).to.have.length(1);
    });

    it('are mailed the link if there is mail, and are there if it fails', async () => {
      for (const outcome of ['sent', 'failed'] as const) {
        const addresses: string[] = [];
        const loadMail = mailTakenBy(async ({ to }) => {
          addresses.push(to);
          return outcome === 'sent' ? { outcome } : { outcome, code: 'smtp_450' };
        });
        const invitation = { email: `${outcome}@example.com`, handle: outcome, name: 'Ada' };
        const { mailed } = await using(store(), loadMail).addAffiliate(invitation, aCall());
        expect([mailed, addresses]).to.deep.equal([outcome === 'sent', [invitation.email]]);
        expect(await find(outcome)).to.not.equal(null);
      }
    });
  });

  describe('who are there', () => {
    beforeEach(async () => {
      await store().affiliates.replace(null, anAffiliate(), aCall());
      await store().affiliates.replace(null, anAffiliate({ handle: 'bob' }), aCall());
    });

    it('get other facts, and keep what is not named', async () => {
      const facts = { name: 'Ada L.', about: 'I draw.', url: 'https://ada.example/', payTo: 'IBAN' };
      const { affiliate, changed } = await a().setAffiliate('ada', facts, aCall());
      expect([affiliate, changed]).to.deep.equal([anAffiliate({ ...facts, revision: 2 }), true]);
      expect(await a().setAffiliate('ada', facts, aCall())).to.deep.equal({ affiliate, changed: false });
      expect(
        (await a().setAffiliate('ada', { email: 'ADA@example.com', payTo: null }, aCall())).affiliate,
      ).to.deep.include({ email: 'ADA@example.com', payTo: null, name: 'Ada L.', revision: 3 });
      expect(await codeOf(a().setAffiliate('ada', { email: 'BOB@example.com' }, aCall()))).to.equal('affiliate_exists');
      expect(await codeOf(a().setAffiliate('ada', { email: 'a@b@c' }, aCall()))).to.equal('invalid_email');
      expect(await codeOf(a().setAffiliate('nobody', facts, aCall()))).to.equal('affiliate_not_found');
    });

    it('end with their promotions and links, and are erased', async () => {
      await store().listings.put([aListing({ slug: 'sketchpad', productId: 'prod_1' })], aCall());
      for (const slug of ['sketchpad', 'gone']) await store().promotions.replace(null, aPromotion({ slug }), aCall());
      await store().promotions.replace(null, aPromotion({ handle: 'bob' }), aCall());
      await a().createAffiliateLink('ada', null, aCall());
      const ended = await a().endAffiliate('ada', aCall({ now: later(9), by: 'operator:opk_1' }));
      expect(ended).to.deep.equal({ affiliate: anAffiliate({ state: 'ended', revision: 2 }), changed: true });
      const promotions = await store().promotions.ofAffiliate('ada', aCall());
      expect(promotions.map(({ state }) => state)).to.deep.equal(['ended', 'ended']);
      expect(promotions[0]?.terms.at(-1)).to.include({ by: 'operator:opk_1', commissionPercent: null });
      expect((await store().allListings.find('sketchpad', aCall()))?.storefronts).to.equal(1);
      expect((await a().endAffiliate('ada', aCall())).changed).to.equal(false);
      expect(await a().endAffiliateLinks('ada', aCall())).to.equal(0);
      const erased = { ...ended.affiliate, name: 'ada', email: null, revision: 3 };
      expect(await a().eraseAffiliate('ada', aCall())).to.deep.equal({ affiliate: erased, changed: true });
      expect((await a().eraseAffiliate('ada', aCall())).changed).to.equal(false);
      expect(await codeOf(a().setAffiliate('ada', { name: 'x' }, aCall()))).to.equal('affiliate_ended');
      expect(await codeOf(a().endAffiliate('nobody', aCall()))).to.equal('affiliate_not_found');
    });

    for (const when of moments) {
      for (const [port, nth] of [
        ['affiliates', 1],
        ['promotions', 1],
        ['promotions', 2],
        ['buyerLinks', 1],
      ] as const) {
        it(`end by a repeat if write ${nth} of ${port} fails ${when} it takes effect`, async () => {
          for (const slug of ['one', 'two']) await store().promotions.replace(null, aPromotion({ slug }), aCall());
          await a().createAffiliateLink('ada', null, aCall());
          const method = (port === 'buyerLinks' ? 'removeAll' : 'replace') as never;
          const faulty = using({ ...store(), [port]: failing(store()[port], { method, nth, when }) });
          expect(await thrownBy(faulty.endAffiliate('ada', aCall()))).to.be.instanceOf(InjectedFault);
          await a().endAffiliate('ada', aCall());
          expect((await find('ada'))?.state).to.equal('ended');
          const promotions = await store().promotions.ofAffiliate('ada', aCall());
          expect(promotions.map(({ state, terms }) => [state, terms.length])).to.deep.equal([
            ['ended', 2],
            ['ended', 2],
          ]);
          expect(await store().buyerLinks.removeAll('affiliate/ada', aCall())).to.equal(0);
        });
      }
    }

    it('are listed page by page', async () => {
      const first = await a().listAffiliates({ after: null, limit: 1 }, aCall());
      const second = await a().listAffiliates({ after: first.next, limit: 1 }, aCall());
      expect([...first.items, ...second.items]).to.deep.equal([anAffiliate(), anAffiliate({ handle: 'bob' })]);
      expect(second.next).to.equal(null);
      expect(await Array.fromAsync(a().everyAffiliate(() => aCall()))).to.have.length(2);
      expect(await a().showAffiliate('bob', aCall())).to.deep.equal(anAffiliate({ handle: 'bob' }));
      expect(await a().findAffiliateByAddress('BOB@example.com', aCall({ now: noon }))).to.include({ handle: 'bob' });
    });
  });
});
