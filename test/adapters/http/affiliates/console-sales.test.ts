import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import { anAffiliate, aPayment, aPromotion, aSale } from '../../../support/affiliates/builders.ts';
import { aCall, aChangeRecord, aSubscription, noon } from '../../../support/builders.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole } from '../../../support/web/console-client.ts';
import { hostile } from '../../../support/web/console-pages.ts';

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
    expect((await client().get('/console/entitlements/ent_2')).text).not.to.include('Sold by');
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
});
