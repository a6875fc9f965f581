import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import { aCall, aOneTimePurchase, aSubscription, noon } from '../../../../support/builders.ts';
import { range } from '../../../../support/range.ts';
import { memory, stores } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, sharedConsole } from '../../../../support/web/console-client.ts';

const path = '/console/entitlements';

/** The ids of the entitlements on a page. */
function idsOn(text: string): readonly string[] {
  return [...text.matchAll(/<a class="row mono" href="\/console\/entitlements\/([^"]+)"/g)].map(([, id = '']) => id);
}

for (const store of stores) {
  describe(`the list of entitlements on ${store.name}`, () => {
    const client = sharedConsole(store);

    before(async () => {
      await client()
        .service.container.get(tokens.products)
        .add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      await client().service.grant(
        aSubscription({ id: 'ent_1', reference: 'sub_1' }),
        aSubscription({ id: 'ent_2', hold: { kind: 'suspended' } }),
        aSubscription({ id: 'ent_3', productId: 'prod_2', reference: 'sub_1' }),
        aOneTimePurchase({ id: 'ent_4' }),
      );
      await client().signIn();
    });

    for (const [query, ids] of [
      ['', ['ent_1', 'ent_2', 'ent_3', 'ent_4']],
      ['?product=&status=&reference=&endsBefore=', ['ent_1', 'ent_2', 'ent_3', 'ent_4']],
      ['?product=prod_1', ['ent_1', 'ent_2', 'ent_4']],
      ['?status=suspended', ['ent_2']],
      ['?product=prod_2&reference=sub_1', ['ent_3']],
      ['?endsBefore=2026-08-02', ['ent_1', 'ent_2', 'ent_3']],
      ['?endsBefore=2026-08-01', []],
      ['?product=prod_9', []],
    ] as const) {
      it(`has those of the filter ${query}`, async () => {
        const { status, text } = await client().get(path + query);
        expect([status, idsOn(text)]).to.deep.equal([200, ids]);
      });
    }
  });
}

describe('the list of entitlements', () => {
  const client = freshConsole(memory);

  it('leads from page to page, and keeps its filter', async () => {
    await client().service.grant(...range(120).map((number) => aSubscription({ id: `ent_${1000 + number}` })));
    await client().signIn();
    const seen: string[] = [];
    let next: string | undefined = `${path}?status=active`;
    while (next !== undefined) {
      const { text } = await client().get(next);
      seen.push(...idsOn(text));
      if (next.includes('after=')) expect(text).to.include(`href="${path}?status=active">First page</a`);
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.length).to.equal(120);
    expect(new Set(seen).size).to.equal(120);
  });

  it('shows the state and the next date of each', async () => {
    const cancellation = { at: new Date('2026-08-01T00:00:00Z'), requestedAt: noon };
    await client().service.grant(
      aSubscription({ id: 'ent_1', reference: 'sub_1' }),
      aSubscription({ id: 'ent_2', cancellation }),
      aSubscription({ id: 'ent_3', currentPeriodEnd: noon, graceUntil: new Date('2026-07-19T12:00:00Z') }),
      aSubscription({ id: 'ent_4', hold: { kind: 'revoked', at: noon } }),
      aOneTimePurchase({ id: 'ent_5' }),
    );
    await client().signIn();
    const text = (await client().get(path)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text)
      .to.include('ent_1 sub_1 prod_1 Pro , monthly Active Renews 1 Aug 2026 in 14 days')
      .and.include('ent_2 prod_1 Pro , monthly Active Ends 1 Aug Ends 1 Aug 2026 in 14 days')
      .and.include('ent_3 prod_1 Pro , monthly Past due Access until 19 Jul 2026 in 1 day')
      .and.include('ent_4 prod_1 Pro , monthly Revoked Ended 18 Jul 2026 now')
      .and.include('ent_5 prod_1 Pro Active Never one-time purchase');
  });

  it('says what it is for while it is empty, and what the filter has left out', async () => {
    await client().signIn();
    const empty = await client().get(path);
    expect(empty.text).to.include('<h2>No purchase yet</h2>').and.include('latchkey entitlement grant');
    const products = client().service.container.get(tokens.products);
    await products.add({ id: 'prod_1', name: 'Sketchpad', createdAt: noon }, aCall());
    const { text } = await client().get(`${path}?product=prod_1&status=suspended`);
    expect(text).to.include('<h2>No purchase has this state</h2>').and.include('Show all entitlements');
    expect(text.replaceAll(/<\/?bdi>/g, '').replaceAll(/\s+/g, ' ')).to.include('Nothing of Sketchpad is suspended.');
    expect((await client().get(`${path}?product=prod_1`)).text).to.include('No purchase matches this filter');
  });

  for (const [query, message] of [
    ['?reference=sub_1', 'Reference needs the product that it belongs to.'],
    ['?status=gone', 'State must be one of'],
    ['?endsBefore=soon', 'Ends before must be an instant'],
    ['?product=..', 'Product must be 1 to 128 characters'],
  ] as const) {
    it(`says what is wrong with the filter ${query}`, async () => {
      await client().signIn();
      const page = await client().get(path + query);
      expect(outcomeOf(page)).to.deep.equal([400, 'invalid_parameter']);
      expect(page.text).to.include(message);
    });
  }

  it('refuses a cursor of another list', async () => {
    await client().signIn();
    expect(outcomeOf(await client().get(`${path}?after=nonsense`))).to.deep.equal([400, 'invalid_parameter']);
  });
});
