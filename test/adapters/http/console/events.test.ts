import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSubscription, noon } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { hostile } from '../../../support/web/console-pages.ts';

describe("the console's page of events", () => {
  const client = freshConsole(memory);
  const list = '/console/events';

  beforeEach(async () => {
    await client().signIn();
  });

  const addProduct = (id: string) =>
    client().service.container.get(tokens.products).put({ id, name: 'Sketchpad', createdAt: noon }, aCall());
  const grant = (count: number) =>
    client().service.grant(...range(count).map((index) => aSubscription({ id: `ent_${index}`, sequence: 1 })));
  const grantOf = (productId: string, ...ids: readonly string[]) =>
    client().service.grant(...ids.map((id) => aSubscription({ id, productId, sequence: 1 })));

  it('says what to do while there is no product', async () => {
    const { status, text } = await client().get(list);
    expect(status).to.equal(200);
    expect(text)
      .to.include('<h1>Events</h1>')
      .and.include('Every change of an entitlement')
      .and.include('No event yet');
  });

  it('shows the events of every product, each with its product, and offers one', async () => {
    for (const id of ['prod_1', 'prod_2']) await addProduct(id);
    await grantOf('prod_2', 'ent_3');
    const { text } = await client().get(list);
    expect(text)
      .to.match(/<option value=""\s*selected\s*>All products<\/option>/)
      .and.not.include('>Clear</a>');
    expect(entitlementsOn(text)).to.deep.equal(['ent_3']);
    expect(text).to.match(/data-label="Product"\s*>\s*<span class="mono">prod_2</);
    const one = await client().get(`${list}?product=prod_2`);
    expect(one.text).to.include('>Clear</a>').and.not.include('data-label="Product"');
    expect(entitlementsOn((await client().get(`${list}?product=&entitlement=ent_3`)).text)).to.deep.equal(['ent_3']);
    expect(entitlementsOn((await client().get(`${list}?product=prod_1`)).text)).to.deep.equal([]);
  });

  it('shows a limited key the events of its products only', async () => {
    for (const id of ['prod_1', 'prod_2', 'prod_3']) await addProduct(id);
    await grantOf('prod_1', 'ent_1');
    await grantOf('prod_2', 'ent_2');
    const terms = { id: 'opk_2', scopes: ['admin:read'], products: ['prod_2', 'prod_3'] } as const;
    await client().service.addOperatorKey(operatorKeys.reader, terms);
    await client().signIn(operatorKeys.reader);
    expect(entitlementsOn((await client().get(list)).text)).to.deep.equal(['ent_2']);
    expect(entitlementsOn((await client().get(`${list}?entitlement=ent_1`)).text)).to.deep.equal([]);
  });

  it('shows the newest first, on pages', async () => {
    await addProduct('prod_1');
    await grant(51);
    const first = await client().get(list);
    const shown = entitlementsOn(first.text);
    expect([shown.length, shown[0], shown.at(-1)]).to.deep.equal([50, 'ent_50', 'ent_1']);
    expect(first.text).to.include('Granted').and.include('aria-current="page"');
    const next = /href="(\/console\/events\?[^"]*after=[^"]*)"/.exec(first.text)?.[1] ?? '';
    const second = await client().get(next.replaceAll('&amp;', '&'));
    expect(entitlementsOn(second.text)).to.deep.equal(['ent_0']);
    expect(second.text).to.include('First page').and.not.include('Next page');
  });

  it('filters by product, type and entitlement', async () => {
    await addProduct('prod_1');
    await addProduct('prod_2');
    await grant(3);
    const own = await client().get(`${list}?product=prod_1&type=&entitlement=ent_1`);
    expect(entitlementsOn(own.text)).to.deep.equal(['ent_1']);
    for (const query of ['product=prod_2', 'product=prod_1&type=license.revoked']) {
      expect((await client().get(`${list}?${query}`)).text).to.include('There is no such event.');
    }
  });

  it('shows the filter again with what is wrong, and escapes it', async () => {
    await addProduct('prod_1');
    const query = new URLSearchParams({ product: 'prod_1', type: 'x', entitlement: hostile }).toString();
    const wrong = await client().get(`${list}?${query}`);
    expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_parameter']);
    expect(wrong.text).to.include('id="type-error"').and.include('id="entitlement-error"').and.not.include('<script>');
    expect(outcomeOf(await client().get(`${list}?product=prod_9`))).to.deep.equal([404, 'product_not_found']);
    expect(outcomeOf(await client().get(`${list}?after=x`))).to.deep.equal([400, 'invalid_parameter']);
  });
});

/** The entitlements that a page links to, in its order. */
function entitlementsOn(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/href="\/console\/entitlements\/(ent_\d+)"/g)].map(([, id]) => id);
}
