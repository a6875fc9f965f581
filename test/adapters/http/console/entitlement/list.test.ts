import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import type { Subscription } from '../../../../../core/entitlement/entitlement.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, noon } from '../../../../support/builders.ts';
import { range } from '../../../../support/range.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, sharedConsole } from '../../../../support/web/console-client.ts';

const path = '/console/entitlements';

/** The ids of the entitlements on a page. */
function idsOn(text: string): readonly string[] {
  return [...text.matchAll(/<a class="row mono" href="\/console\/entitlements\/([^"]+)"/g)].map(([, id = '']) => id);
}

function ending(id: string, lastFour: string): Subscription {
  return aSubscription({ id, license: aLicense({ digest: `digest of ${id}`, lastFour }) });
}

describe('the list of entitlements', () => {
  const client = sharedConsole(memory);

  before(async () => {
    await client().service.container.get(tokens.products).add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await client().service.grant(
      aSubscription({ id: 'ent_1', reference: 'sub_1' }),
      aSubscription({ id: 'ent_2', hold: { kind: 'suspended' } }),
      aSubscription({
        id: 'ent_3',
        productId: 'prod_2',
        reference: 'sub_1',
        license: aLicense({ digest: 'x5sx', lastFour: 'X5SX' }),
      }),
      aOneTimePurchase({ id: 'ent_4' }),
    );
    await client().signIn();
  });

  for (const [query, ids] of [
    ['', ['ent_4', 'ent_3', 'ent_2', 'ent_1']],
    ['?product=&status=&reference=&endsBefore=&tier=&lastFour=', ['ent_4', 'ent_3', 'ent_2', 'ent_1']],
    ['?product=prod_1', ['ent_4', 'ent_2', 'ent_1']],
    ['?tier=pro', ['ent_4', 'ent_3', 'ent_2', 'ent_1']],
    ['?tier=team', []],
    ['?lastFour=x5sx', ['ent_3']],
    ['?status=ended', []],
    ['?status=suspended', ['ent_2']],
    ['?product=prod_2&reference=sub_1', ['ent_3']],
    ['?endsBefore=2026-08-02', ['ent_3', 'ent_2', 'ent_1']],
    ['?endsBefore=2026-08-01', []],
    ['?product=prod_9', []],
  ] as const) {
    it(`has those of the filter ${query}`, async () => {
      const { status, text } = await client().get(path + query);
      expect([status, idsOn(text)]).to.deep.equal([200, ids]);
    });
  }

  for (const [query, message] of [
    ['?reference=sub_1', 'Reference needs the product that it belongs to.'],
    ['?status=gone', 'State must be one of'],
    ['?lastFour=X5S', 'Key ends with must be the last four characters of a license key'],
    ['?tier=..', 'Tier must be 1 to 128 characters'],
    ['?endsBefore=soon', 'Ends before must be an instant'],
    ['?product=..', 'Product must be 1 to 128 characters'],
  ] as const) {
    it(`says what is wrong with the filter ${query}`, async () => {
      const page = await client().get(path + query);
      expect(outcomeOf(page)).to.deep.equal([400, 'invalid_parameter']);
      expect(page.text).to.include(message);
    });
  }

  it('refuses a cursor of another list', async () => {
    expect(outcomeOf(await client().get(`${path}?after=nonsense`))).to.deep.equal([400, 'invalid_parameter']);
  });
});

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
      aSubscription({ id: 'ent_1', reference: 'sub_1', license: aLicense({ lastFour: 'A234' }) }),
      aSubscription({ id: 'ent_2', cancellation }),
      aSubscription({ id: 'ent_3', currentPeriodEnd: noon, graceUntil: new Date('2026-07-19T12:00:00Z') }),
      aSubscription({
        id: 'ent_4',
        hold: { kind: 'revoked', at: noon },
        license: aLicense({ digest: 'short', lastFour: null }),
      }),
      aOneTimePurchase({ id: 'ent_5' }),
    );
    await client().signIn();
    const text = (await client().get(path)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text)
      .to.include('ent_1 sub_1 prod_1 Pro , monthly A234 Active Renews 1 Aug 2026 in 14 days 1 Jul 2026 2 weeks ago')
      .and.include('ent_2 prod_1 Pro , monthly None Active Ends 1 Aug Ends 1 Aug 2026 in 14 days')
      .and.include('ent_3 prod_1 Pro , monthly None Past due Access until 19 Jul 2026 in 1 day')
      .and.include('ent_4 prod_1 Pro , monthly Not shown Revoked Ended 18 Jul 2026 now')
      .and.include('ent_5 prod_1 Pro None Active Never one-time purchase');
  });

  it('counts all, or those of a product, and nothing that another filter leaves', async () => {
    await client().service.grant(...range(1002).map((index) => aSubscription({ id: `ent_${index}` })));
    await client().service.grant(...range(3).map((index) => aSubscription({ id: `x_${index}`, productId: 'prod_2' })));
    await client().signIn();
    const headingOf = async (query: string): Promise<string> => {
      const { text } = await client().get(path + query);
      return (/<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim();
    };
    expect(await headingOf('')).to.equal('Entitlements 1,000+');
    expect(await headingOf('?product=prod_2')).to.equal('Entitlements 3');
    expect(await headingOf('?product=prod_1')).to.equal('Entitlements 1,000+');
    for (const query of ['?status=active', '?product=prod_2&tier=pro', '?lastFour=X5SX', '?product=none']) {
      expect(await headingOf(query), query).to.equal('Entitlements');
    }
  });

  it('has its states as links that keep the filter, and a filter that keeps the state', async () => {
    await client().service.grant(aSubscription({ id: 'ent_1' }));
    await client().signIn();
    const { text } = await client().get(`${path}?status=past_due&tier=pro`);
    const flat = text.replaceAll(/\s+/g, ' ').replaceAll(' >', '>');
    const states = /<nav class="views" aria-label="State">(.*?)<\/nav>/.exec(flat)?.[1] ?? '';
    expect(
      [...states.matchAll(/<a href="([^"]*)"( aria-current="page")?>([^<]*)<\/a>/g)].map((each) => each.slice(1)),
    ).to.deep.equal([
      [`${path}?tier=pro`, undefined, 'All'],
      [`${path}?tier=pro&amp;status=active`, undefined, 'Active'],
      [`${path}?tier=pro&amp;status=trialing`, undefined, 'Trial'],
      [`${path}?tier=pro&amp;status=past_due`, ' aria-current="page"', 'Past due'],
      [`${path}?tier=pro&amp;status=suspended`, undefined, 'Suspended'],
      [`${path}?tier=pro&amp;status=ended`, undefined, 'Ended'],
    ]);
    expect(flat).to.include('<input type="hidden" name="status" value="past_due" />');
    expect(flat).to.include(`<a class="button quiet" href="${path}?status=past_due">Clear</a>`);
  });

  it('proposes the tiers that prices sell, those of the product that is asked for', async () => {
    const prices = client().service.container.get(tokens.priceMap);
    for (const [price, productId, tierId] of [
      ['price_1', 'prod_1', 'team'],
      ['price_2', 'prod_1', 'pro'],
      ['price_3', 'prod_2', 'solo'],
    ] as const) {
      await prices.put({ price, productId, tierId, tierName: tierId, deviceLimit: null, updates: null }, aCall());
    }
    await client().signIn();
    const tiersOn = async (query: string): Promise<readonly string[]> => {
      const list = /<datalist id="tiers">(.*?)<\/datalist>/s.exec((await client().get(path + query)).text)?.[1] ?? '';
      return [...list.matchAll(/value="([^"]*)"/g)].map(([, tier = '']) => tier);
    };
    expect(await tiersOn('')).to.deep.equal(['pro', 'solo', 'team']);
    expect(await tiersOn('?product=prod_2')).to.deep.equal(['solo']);
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

  it('is where the last four of several keys lead, and one leads to its entitlement', async () => {
    await client().service.grant(ending('ent_1', 'X5SX'), ending('ent_2', 'X5SX'), ending('ent_3', 'KD0T'));
    await client().signIn();
    const one = await client().submit('/console/find', { what: 'kd0t' });
    expect(outcomeOf(one)).to.deep.equal([303, `${path}/ent_3`]);
    const [status, list] = outcomeOf(await client().submit('/console/find', { what: ' x5sx' }));
    expect([status, list]).to.deep.equal([303, `${path}?lastFour=x5sx`]);
    expect(idsOn((await client().get(`${path}?lastFour=x5sx`)).text)).to.deep.equal(['ent_2', 'ent_1']);
  });
});
