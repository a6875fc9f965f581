import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import { anAffiliate, aPayment, aPromotion, aSale, inStatement } from '../../../support/affiliates/builders.ts';
import { aCall, aChangeRecord, aSubscription, noon } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn, hostile } from '../../../support/web/console-pages.ts';

describe("the console's sales of affiliates", () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    const { affiliates, allEntitlements, products, promotions } = portsIn(client().service.container);
    await products.put({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    for (const id of ['ent_1', 'ent_2']) {
      const entitlement = aSubscription({ id });
      await allEntitlements.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], aCall());
    }
    await affiliates.replace(null, anAffiliate(), aCall());
    await promotions.replace(null, aPromotion(), aCall());
    await client().signIn();
  });

  const bring = async (overrides: Partial<Sale> = {}): Promise<void> => {
    const sale = aSale({ entitlementId: 'ent_1', payments: [aPayment()], ...overrides });
    await portsIn(client().service.container).sales.replace(null, sale, null, aCall());
  };

  it('stand on the page of the entitlement and on that of the affiliate', async () => {
    await bring();
    const sold = (await client().get('/console/entitlements/ent_1')).text;
    expect(sold).to.include('Sold by <a href="/console/affiliates/ada">@ada</a>').and.include('US$2.70');
    expect((await client().get('/console/entitlements/ent_2')).text).to.include('Sold by no affiliate');
    const page = (await client().get('/console/affiliates/ada')).text;
    expect(page).to.include('href="/console/entitlements/ent_1"').and.include('US$2.70');
  });

  it('say why they are void, and no amount while no currency is known', async () => {
    await bring({ currency: '', payments: [], voided: { at: noon, by: 'operator:opk_1', reason: hostile } });
    const { text } = await client().get('/console/entitlements/ent_1');
    expect(text).to.include('Void').and.not.include(hostile);
    expect((await client().get('/console/affiliates/ada')).text)
      .to.include('Void')
      .and.not.include(hostile);
  });

  const sale = '/console/entitlements/ent_1/sale';
  const sold = '/console/entitlements/ent_1';
  const stored = async () => portsIn(client().service.container).sales.find('ent_1', aCall());
  const versionOf = async (path: string): Promise<string> => fieldIn((await client().get(path)).text, 'version');
  /** Opens the page of a change, and sends its form. */
  async function change(name: string, fields: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
    return outcomeOf(
      await client().submit(`${sale}/${name}`, { version: await versionOf(`${sale}/${name}`), ...fields }),
    );
  }

  it('are void with a reason, and restored, each time after a question', async () => {
    await bring();
    expect((await client().get(sold)).text)
      .to.include(`href="${sale}/void"`)
      .and.include(`href="${sale}/assign"`)
      .and.not.include(`href="${sale}/restore"`);
    const asked = await client().get(`${sale}/void`);
    expect(asked.text).to.include('Let this sale earn nothing?').and.include('US$2.70');
    expect(await change('void', { reason: ' ' })).to.deep.equal([400, 'invalid_body']);
    expect((await stored())?.voided).to.equal(null);
    const version = fieldIn(asked.text, 'version');
    for (const reason of [hostile, 'Again.']) {
      const answer = await client().submit(`${sale}/void`, { version, reason });
      expect(outcomeOf(answer), reason).to.deep.equal([303, `${sold}?done=sale-void`]);
    }
    const by = 'operator:opk_1';
    expect((await stored())?.voided).to.deep.equal({ at: client().service.now, by, reason: hostile });
    expect((await client().get(`${sold}?done=sale-void`)).text)
      .to.include('The sale is void.')
      .and.include(`href="${sale}/restore"`)
      .and.not.include(`href="${sale}/void"`);
    expect(outcomeOf(await client().submit(`${sale}/restore`, { version }))).to.deep.equal([409, 'changed_meanwhile']);
    expect((await client().get(`${sale}/restore`)).text)
      .to.include('Restore this sale?')
      .and.not.include(hostile);
    expect(await change('restore')).to.deep.equal([303, `${sold}?done=sale-restored`]);
    expect((await stored())?.voided).to.equal(null);
    const id = aSale({ entitlementId: 'ent_1' }).id;
    expect(changesIn(client())).to.deep.equal([
      { command: 'sale void', saleId: id, productId: 'prod_1', handle: 'ada', revision: 2 },
      { command: 'sale restore', saleId: id, productId: 'prod_1', handle: 'ada', revision: 3 },
    ]);
  });

  it('are assigned where no affiliate is known, and to another until a statement has them', async () => {
    const { affiliates, promotions, sales } = portsIn(client().service.container);
    for (const path of ['void', 'restore']) {
      expect(outcomeOf(await client().get(`${sale}/${path}`)), path).to.deep.equal([404, 'sale_not_found']);
    }
    expect((await client().get(sold)).text).to.include(`href="${sale}/assign"`);
    expect((await client().get('/console/entitlements/ent_9/sale/assign')).status).to.equal(404);
    const says = async (fields: Readonly<Record<string, string>>): Promise<string> => {
      const path = `${sale}/assign`;
      const { status, text } = await client().submit(path, { version: await versionOf(path), ...fields });
      expect(status).to.equal(400);
      return textIn(text);
    };
    expect(await says({ handle: 'x' })).to.include('Handle must be 3 to 30 characters');
    expect(await says({ handle: 'eve' })).to.include('Handle must be that of an affiliate.');
    expect(await says({ handle: 'ada', slug: 'other' })).to.include('Listing must be one that the affiliate has');
    expect(await stored()).to.equal(null);
    const version = await versionOf(`${sale}/assign`);
    for (const again of ['first', 'again']) {
      const answer = await client().submit(`${sale}/assign`, { version, handle: ' @Ada', slug: '' });
      expect(outcomeOf(answer), again).to.deep.equal([303, `${sold}?done=sale-assigned`]);
    }
    expect(await stored()).to.deep.include({ handle: 'ada', slug: 'sketchpad', by: 'operator', revision: 1 });
    await affiliates.replace(null, anAffiliate({ handle: 'bob' }), aCall());
    await promotions.replace(null, aPromotion({ handle: 'bob' }), aCall());
    const stale = await client().submit(`${sale}/assign`, { version, handle: 'bob' });
    expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
    expect(await change('assign', { handle: 'bob', slug: 'sketchpad' })).to.deep.include(303);
    const seen = await stored();
    if (seen === null) throw new Error('nothing is sold');
    const stated = { ...seen, ...inStatement(270, noon), revision: seen.revision + 1 };
    await sales.replace(seen, stated, null, aCall());
    expect((await client().get(sold)).text).to.not.include(`href="${sale}/assign"`);
    expect(await says({ handle: 'ada' })).to.include('Handle cannot be another one: a statement has a line of');
    expect(await stored()).to.deep.equal(stated);
  });

  it('are changed by merchants who have the product, and by nobody without the scope', async () => {
    const { products, promotions } = portsIn(client().service.container);
    await products.put({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
    await promotions.replace(null, aPromotion({ slug: 'other', productId: 'prod_2' }), aCall());
    await bring();
    const scopes = ['admin:read', 'admin:affiliates'] as const;
    await client().service.addOperatorKey('svc_op_live_of-prod-2', { id: 'opk_2', scopes, products: ['prod_2'] });
    await client().signIn('svc_op_live_of-prod-2');
    for (const name of ['void', 'restore', 'assign']) {
      expect(outcomeOf(await client().get(`${sale}/${name}`)), name).to.deep.equal([404, 'entitlement_not_found']);
      expect((await client().submit(`${sale}/${name}`, { handle: 'ada', reason: 'x' })).status).to.equal(404);
    }
    await client().service.addOperatorKey('svc_op_live_of-prod-1', { id: 'opk_3', scopes, products: ['prod_1'] });
    await client().signIn('svc_op_live_of-prod-1');
    expect(await change('void', { reason: 'Fraud.' })).to.deep.include(303);
    expect((await stored())?.voided?.by).to.equal('operator:opk_3');
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_4', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    expect((await client().get(sold)).text).to.not.include('Sold by');
  });

  it('are not mentioned on what was never promoted', async () => {
    const { allEntitlements, products } = portsIn(client().service.container);
    await products.put({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
    const entitlement = aSubscription({ id: 'ent_3', productId: 'prod_2' });
    await allEntitlements.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], aCall());
    expect((await client().get('/console/entitlements/ent_3')).text).to.not.include('Sold by');
  });
});
