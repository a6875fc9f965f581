import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import { addStatement, anAffiliate, aPromotion, aSale, aStatement } from '../../support/affiliates/builders.ts';
import { addPromoted } from '../../support/affiliates/promoted-site.ts';
import { aCall, aOneTimeGrant, later, noon } from '../../support/builders.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { fitsItsWidth, structure } from '../pages/in-page.js';
import { screens } from '../pages/site.ts';
import { signedIn, startShop, type Shop } from './shop.ts';

/** No part of a text hides another: each follows what ends the block that it could stand in. */
const hostile: readonly (readonly [what: string, text: string])[] = [
  [
    'right-to-left text, the end of a block and a script',
    `עורך שקט</script></title></textarea></select><script>alert(1)</script><img src=x onerror=alert(1)><!--`,
  ],
  [
    'an attribute, entities and a link',
    `" onmouseover="alert(1)" autofocus onfocus='alert(1)' &lt;b&gt; &amp; <a href="javascript:alert(1)">x</a>`,
  ],
  ['a long word', 'W'.repeat(200)],
];

/** A statement of the affiliate with the text. */
const statement = aStatement({ handle: 'hostile', productId: 'hostile' });

/** Elements and attributes that the console has nowhere, as `structure` writes them. */
const foreign = /^(?:script|img|b) | on\w+| autofocus/;

const paths = [
  '/console',
  '/console/entitlements',
  '/console/entitlements?product=hostile',
  '/console/entitlements/ent_hostile',
  '/console/entitlements/ent_hostile/change-tier',
  '/console/entitlements/ent_hostile/revoke',
  '/console/entitlements/ent_hostile/sale/restore',
  '/console/events?product=hostile',
  '/console/listings',
  '/console/listings/hostile',
  '/console/listings/hostile/delete',
  '/console/waitlist',
  '/console/affiliates',
  '/console/affiliates/hostile',
  '/console/affiliates/hostile/edit',
  '/console/affiliates/hostile/end',
  '/console/affiliates/hostile/promotions/hostile/approve',
  '/console/affiliates/hostile/promotions/hostile/change',
  '/console/statements',
  `/console/statements/${statement.id}`,
  `/console/statements/${statement.id}/paid`,
  `/console/statements/${statement.id}/unpaid`,
  '/console/products',
  '/console/products/hostile',
  '/console/products/hostile/rename',
  '/console/products/hostile/mail',
  '/console/operators',
  '/console/operators/opk_hostile/revoke',
];

describe('a hostile text in every member that the console shows', () => {
  const browser = borrowChromium();

  for (const [what, text] of hostile) {
    it(`is shown, and does nothing: ${what}`, async () => {
      await visitWith(text);
    });
  }

  /** Visits the pages: none has an element or an attribute of the text, nothing runs, nothing lies beside the screen. */
  async function visitWith(text: string): Promise<void> {
    await using shop = await startShop();
    await addEverywhere(shop, text);
    const { page, complaints } = await signedIn(browser(), shop, { javaScriptEnabled: true, viewport: screens.phone });
    page.on('dialog', (dialog) => {
      complaints.push(`asks ${dialog.message()}`);
      void dialog.dismiss();
    });
    for (const path of paths) {
      await page.goto(path);
      if (path === '/console/entitlements/ent_hostile')
        expect(await page.locator('main').textContent()).to.include(text.slice(0, 100));
      expect(await page.evaluate(fitsItsWidth), path).to.equal(true);
      const elements = (await page.evaluate(structure)).filter((element) => foreign.test(element));
      expect(elements, path).to.deep.equal([]);
      const links = await page.locator('a').evaluateAll((all) => all.map((link) => String(link)));
      expect(
        links.filter((href) => !/^https?:/.test(href)),
        path,
      ).to.deep.equal([]);
    }
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  }
});

/** Adds a product, a purchase, a listing, a sign-up, an affiliate with a statement and an operator key, each with the text in all of its members. */
async function addEverywhere({ administration, service }: Shop, text: string): Promise<void> {
  const call = aCall({ now: later(-1) });
  await administration.putProduct('hostile', { ...plainFacts, name: text, mailSubject: text, mailText: text }, call);
  const grant = aOneTimeGrant({ productId: 'hostile', tierName: text, reference: text });
  await administration.grantEntitlement({ grant, id: 'ent_hostile', licenseKey: null }, call);
  const listing = { slug: 'hostile', name: text, blurb: text, category: text, compensationLabel: text };
  const terms = { commissionPercent: 10, compensationType: 'commission', storefrontCount: 1 } as const;
  await administration.importListings([{ ...listing, ...terms }], call);
  await administration.issueOperatorKey(
    { id: 'opk_hostile', name: text, products: null, scopes: ['admin:read'], expiresAt: null },
    call,
  );
  const { affiliates, promotions, sales, statements } = portsIn(service.container);
  await addPromoted(
    { affiliates, promotions },
    {
      affiliates: [anAffiliate({ handle: 'hostile', name: text, about: text, payTo: text })],
      promotions: [aPromotion({ handle: 'hostile', slug: 'hostile', state: 'asked', terms: [] })],
    },
  );
  const paid = { at: noon, method: text.slice(0, 100), reference: text.slice(0, 100) };
  await addStatement({ sales, statements }, { ...statement, paid, revision: 2 });
  const sold = { entitlementId: 'ent_hostile', productId: 'hostile', handle: 'hostile' };
  const voided = { at: noon, by: 'operator:opk_hostile', reason: text } as const;
  await sales.replace(null, aSale({ ...sold, voided }), null, call);
  const signUp = { email: 'eve@example.com', name: text, handle: text, role: null, at: noon };
  await service.container.get(tokens.waitlist).join(signUp, call);
}
