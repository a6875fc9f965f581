import { expect } from 'chai';
import { addStatement, anAffiliate, aStatement } from '../../support/affiliates/builders.ts';
import { aCall } from '../../support/builders.ts';
import { MailedShop, publicUrl } from '../../support/mail/mailed-shop.ts';
import { freshShop } from '../../support/stripe/fresh-shop.ts';

describe('the mails of statements', () => {
  let at: MailedShop;
  const store = freshShop(MailedShop, (opened) => (at = opened));
  beforeEach(async () => {
    await store().affiliates.replace(null, anAffiliate(), aCall());
    await store().affiliates.replace(null, anAffiliate({ handle: 'bob', email: null, state: 'ended' }), aCall());
  });

  const productId = 'sketchpad';

  for (const [what, own] of [
    ['with Stripe', {}],
    ['without Stripe', { stripeApiKey: null }],
  ] as const) {
    it(`go to their affiliates once each, ${what}, and the log has no address`, async () => {
      await at.start(20, own);
      const first = aStatement({ productId });
      await addStatement(store(), first);
      await addStatement(store(), aStatement({ productId, currency: 'eur', total: -5, balance: -5 }));
      await addStatement(store(), aStatement({ productId, handle: 'bob' }));
      await at.settle();
      const [mail, ...others] = at.receiver.mails;
      expect(others).to.deep.equal([]);
      expect(mail?.to).to.deep.equal(['ada@example.com']);
      expect(mail?.parsed.subject).to.equal('Your statement of November 2026: US$2.70');
      expect(mail?.parsed.messageId).to.equal(`<statement.evt_${first.id}@${new URL(publicUrl).hostname}>`);
      expect(mail?.parsed.text).to.match(new RegExp(`^${publicUrl}/affiliates/links/[\\w-]{43}$`, 'm'));
      expect(at.errors).to.have.length(1);
      expect(at.errors[0]).to.include({ statementId: aStatement({ productId, handle: 'bob' }).id, kind: 'statement' });
      expect(JSON.stringify(at.logged)).to.not.include('@example.com');
    });
  }
});
