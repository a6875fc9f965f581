import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { anAffiliate, aPromotion, aVersion, thirty } from '../../../support/affiliates/builders.ts';
import { addPromoted, aPromotable } from '../../../support/affiliates/promoted-site.ts';
import { aCall, aSignUp, day, later, noon } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { ConsoleClient, freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn, hostile, secretIn } from '../../../support/web/console-pages.ts';

const list = '/console/affiliates';
const ada = `${list}/ada`;
const merchantKey = 'svc_op_live_of-a-merchant-of-one-product';

describe("the console's affiliates", () => {
  const client = freshConsole(memory);
  const ports = () => portsIn(client().service.container);
  const says = async (path: string): Promise<string> => textIn((await client().get(path)).text);
  /** The handles in the list. */
  const shown = async (query: string): Promise<readonly string[]> =>
    [...(await client().get(`${list}?${query}`)).text.matchAll(/sub mono">@(\w+)</g)].map(([, handle = '']) => handle);
  const stored = (handle = 'ada'): Promise<readonly Promotion[]> => ports().promotions.ofAffiliate(handle, aCall());
  /** Opens the page of a change, and sends its form. */
  async function change(path: string, fields: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
    const { text } = await client().get(path);
    return outcomeOf(await client().submit(path, { version: fieldIn(text, 'version'), ...fields }));
  }

  beforeEach(async () => {
    await ports().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
    await ports().listings.put(
      [aPromotable(), aPromotable({ slug: 'heatwave', name: hostile, affiliates: 'ask', productId: 'prod_2' })],
      aCall(),
    );
    await client().signIn();
  });

  describe('in a list', () => {
    beforeEach(() =>
      addPromoted(ports(), {
        affiliates: [
          anAffiliate({ name: hostile }),
          anAffiliate({ handle: 'bob', state: 'ended' }),
          anAffiliate({ handle: 'add' }),
        ],
        promotions: [aPromotion(), aPromotion({ slug: 'heatwave', productId: 'prod_2', state: 'asked', terms: [] })],
      }),
    );

    it('have their state, and what waits for an approval', async () => {
      const { text } = await client().get(list);
      expect(text).to.include('&lt;script&gt;').and.include(`href="${list}/@add"`).and.not.include('<script');
      expect(textIn(text))
        .to.match(/@ada\s+1 product\s+1 to approve\s+Active/)
        .and.match(/@bob\s+none\s+Ended/);
    });

    it('are filtered by state and by handle', async () => {
      expect(await shown('state=asks')).to.deep.equal(['ada']);
      expect(await shown('state=active')).to.deep.equal(['ada', 'add']);
      expect(await shown('state=ended')).to.deep.equal(['bob']);
      expect(await shown('state=other')).to.deep.equal(['ada', 'add', 'bob']);
      expect(await shown('handle=%40ADA')).to.deep.equal(['ada']);
      expect(await shown('handle=ada&state=ended')).to.deep.equal([]);
      expect(await shown('handle=bob&state=asks')).to.deep.equal([]);
      for (const handle of ['nobody', '<b>']) {
        expect(await says(`${list}?handle=${encodeURIComponent(handle)}`)).to.include(
          'No affiliate matches all of it.',
        );
      }
    });

    it('stand on pages', async () => {
      const more = range(60).map((index) => anAffiliate({ handle: `x${String(index).padStart(2, '0')}` }));
      await addPromoted(ports(), { affiliates: more, promotions: [] });
      const { text } = await client().get(list);
      const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? [];
      expect(text).to.include('@x46<').and.not.include('@x47<');
      expect((await client().get(next.replaceAll('&amp;', '&'))).text)
        .to.include('@x47<')
        .and.include('@x59<');
    });
  });

  it('say what they are for while there is none', async () => {
    expect(await says(list))
      .to.include('No affiliate yet')
      .and.include('latchkey affiliate add');
  });

  it('are invited, and get a link that is shown once', async () => {
    const add = `${list}/add`;
    const { text } = await client().submit(add, { email: 'ada@example.com', handle: 'ada', name: 'Ada' });
    expect(text).to.include('The link is ready');
    expect(secretIn(text)).to.match(/\/affiliates\/links\/[\w-]{43}$/);
    expect(await ports().affiliates.find('ada', aCall())).to.deep.equal(
      anAffiliate({ createdAt: client().service.now }),
    );
    const again = await client().submit(add, { email: 'ADA@example.com', handle: '', name: '' });
    expect(secretIn(again.text)).to.not.equal(secretIn(text));
    for (const [fields, field] of [
      [{ email: 'bob@example.com', handle: 'ada' }, 'handle'],
      [{ email: 'ada@example.com', handle: 'ada-2' }, 'handle'],
      [{ email: 'bob@example.com', handle: '' }, 'handle'],
      [{ email: 'bob@example.com', handle: 'No' }, 'handle'],
      [{ email: 'bob', handle: 'bob' }, 'email'],
    ] as const) {
      const wrong = await client().submit(add, fields);
      expect(outcomeOf(wrong), JSON.stringify(fields)).to.deep.equal([400, 'invalid_body']);
      expect(wrong.text).to.include(`id="${field}-error"`);
    }
    expect(JSON.stringify(client().service.logged)).to.not.include('example.com');
  });

  it('are invited from the waitlist, whose list then leads to them', async () => {
    const entries = [
      aSignUp({ email: 'ada@example.com', handle: ' @Ada_L ', name: 'Ada', role: 'creator' }),
      aSignUp({ email: 'bo@example.com', handle: null, name: null, role: 'both' }),
      aSignUp({ email: 'cy@example.com', role: 'brand' }),
    ];
    for (const entry of entries) await ports().waitlist.join(entry, aCall());
    const { text } = await client().get('/console/waitlist');
    expect([...text.matchAll(/aria-label="Invite (\S+) as an affiliate"/g)].map(([, email]) => email)).to.deep.equal([
      'ada@example.com',
      'bo@example.com',
    ]);
    expect([fieldIn(text, 'handle'), fieldIn(text, 'name')]).to.deep.equal(['ada-l', 'Ada']);
    const asked = await client().submit(`${list}/add`, { step: 'ask', email: 'ada@example.com', handle: 'ada-l' });
    expect([asked.status, fieldIn(asked.text, 'handle')]).to.deep.equal([200, 'ada-l']);
    expect(await ports().affiliates.page(null, 9, aCall())).to.deep.equal([]);
    await client().submit(`${list}/add`, { email: 'ada@example.com' });
    expect(await ports().affiliates.find('ada-l', aCall())).to.deep.include({ name: 'Ada', email: 'ada@example.com' });
    const after = await client().get('/console/waitlist');
    expect(after.text).to.include(`href="${list}/ada-l">@ada-l</a>`).and.not.include('Invite ada@example.com as an');
    const without = 'svc_op_live_without-the-waitlist';
    await client().service.addOperatorKey(without, { id: 'opk_9', scopes: ['admin:affiliates'] });
    const other = new ConsoleClient(client().service);
    await other.signIn(without);
    expect(outcomeOf(await other.submit(`${list}/add`, { email: 'bo@example.com', handle: 'bob' }))).to.deep.equal([
      400,
      'invalid_body',
    ]);
  });

  describe('one of them', () => {
    beforeEach(() =>
      addPromoted(ports(), {
        affiliates: [anAffiliate({ about: hostile, url: 'https://ada.example/', payTo: hostile })],
        promotions: [
          aPromotion({
            codes: ['ada20'],
            terms: [aVersion({ from: later(-9 * day), commissionPercent: 2550 }), aVersion({ commissionFor: 12 })],
          }),
          aPromotion({ slug: 'heatwave', productId: 'prod_2', state: 'asked', terms: [] }),
          aPromotion({ slug: 'gone', state: 'ended', terms: [aVersion()] }),
        ],
      }),
    );

    it('has what was agreed, what is asked, and what the listing offers for it', async () => {
      const { text } = await client().get(ada);
      expect(text).to.include(`href="${client().service.url}/@ada"`).and.not.include('<script');
      expect(textIn(text))
        .to.match(
          /30% for 12 months\s+Since 17 July 2026; 25.5% as long as they pay before, hold 30 days\s+ADA20\s+Live/,
        )
        .and.match(/30% for 12 months\s+Those of the listing, hold 30 days\s+–\s+To approve/)
        .and.match(/gone\s+Its listing is gone/);
      const order = ['To approve', 'Live', 'Ended'].map((state) => textIn(text).indexOf(state));
      expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
    });

    it('is approved with the terms of the listing, if they are those that were shown', async () => {
      const approve = `${ada}/promotions/heatwave/approve`;
      const { text } = await client().get(approve);
      expect(textIn(text)).to.include('Approve this promotion?').and.include('30% for 12 months, hold 30 days');
      const version = fieldIn(text, 'version');
      const other = aPromotable({ slug: 'heatwave', productId: 'prod_2', holdDays: 7 });
      await ports().listings.put([other], aCall());
      expect(outcomeOf(await client().submit(approve, { version }))).to.deep.equal([409, 'changed_meanwhile']);
      expect(await change(approve)).to.deep.equal([303, `${ada}?done=approve`]);
      const heatwave = (await stored()).find(({ slug }) => slug === 'heatwave');
      expect(heatwave?.terms.at(-1)).to.deep.include({ ...thirty, commissionFor: 12, holdDays: 7 });
      expect(changesIn(client()).at(-1)).to.deep.include({
        command: 'promotion approve',
        handle: 'ada',
        slug: 'heatwave',
      });
    });

    it('is refused, or ends', async () => {
      expect(await change(`${ada}/promotions/heatwave/refuse`)).to.deep.equal([303, `${ada}?done=refuse`]);
      expect(await says(`${ada}/promotions/sketchpad/end`)).to.include('End this promotion?');
      expect(await change(`${ada}/promotions/sketchpad/end`)).to.deep.equal([303, `${ada}?done=refuse`]);
      expect((await stored()).map(({ state }) => state)).to.deep.equal(['ended', 'ended', 'ended']);
      expect(outcomeOf(await client().get(`${ada}/promotions/nothing/end`))).to.deep.equal([
        404,
        'promotion_not_found',
      ]);
    });

    it('gets other terms, which the page shows beside those of the listing', async () => {
      const path = `${ada}/promotions/sketchpad/change`;
      const { text } = await client().get(path);
      expect(textIn(text))
        .to.include('Change the terms of @ada?')
        .and.match(/Agreed\s+30% for 12 months, hold 30 days/)
        .and.match(/The listing offers\s+30% for 12 months, hold 30 days/);
      expect(['commissionPercent', 'commissionFor', 'holdDays'].map((name) => fieldIn(text, name))).to.deep.equal([
        '30',
        '12',
        '30',
      ]);
      const terms = { commissionPercent: '12.5', commissionFor: 'lifetime', holdDays: '0', codes: 'New-1 ada20' };
      expect(await change(path, terms)).to.deep.equal([303, `${ada}?done=terms`]);
      const sketchpad = (await stored()).find(({ slug }) => slug === 'sketchpad');
      expect(sketchpad?.codes).to.deep.equal(['ada20', 'new-1']);
      expect(sketchpad?.terms.at(-1)).to.deep.include({
        commissionPercent: 1250,
        commissionFor: 'lifetime',
        holdDays: 0,
      });
      expect(await change(path, { ...terms, commissionPercent: '12.555' })).to.deep.equal([400, 'invalid_body']);
      const stale = fieldIn(text, 'version');
      expect(outcomeOf(await client().submit(path, { version: stale }))).to.deep.equal([409, 'changed_meanwhile']);
    });

    it('promotes another listing, with terms of its own or those of the listing', async () => {
      await ports().listings.put([aPromotable({ slug: 'plain', affiliates: 'none', saleUrl: null })], aCall());
      const add = `${ada}/promotions/add`;
      expect(outcomeOf(await client().submit(add, { slug: 'plain', codes: 'PLAIN' }))).to.deep.equal([
        303,
        `${ada}?done=terms`,
      ]);
      expect((await stored()).find(({ slug }) => slug === 'plain')).to.deep.include({
        state: 'live',
        codes: ['plain'],
      });
      for (const [fields, field] of [
        [{ slug: 'nothing' }, 'slug'],
        [{ slug: '' }, 'slug'],
        [{ slug: 'plain', codes: 'ADA20' }, 'codes'],
        [{ slug: 'plain', codes: 'a_b' }, 'codes'],
      ] as const) {
        const wrong = await client().submit(add, fields);
        expect(outcomeOf(wrong), JSON.stringify(fields)).to.deep.equal([400, 'invalid_body']);
        expect(wrong.text).to.include(`id="${field}-error"`);
      }
    });

    it('is changed, all but the handle', async () => {
      const edit = `${ada}/edit`;
      expect(fieldIn((await client().get(edit)).text, 'email')).to.equal('ada@example.com');
      const facts = { name: 'Ada L', email: 'ada@ada.example', about: 'I draw\r\nmaps.', url: '', payTo: 'IBAN' };
      expect(await change(edit, facts)).to.deep.equal([303, `${ada}?done=edited`]);
      const changed = { ...facts, about: 'I draw\nmaps.', url: null, revision: 2 };
      expect(await ports().affiliates.find('ada', aCall())).to.deep.equal(anAffiliate(changed));
      expect(await change(edit, { ...facts, url: 'http://x.example' })).to.deep.equal([400, 'invalid_body']);
      expect(JSON.stringify(client().service.logged)).to.not.match(/ada\.example|IBAN|maps/);
    });

    it('gets a link, and loses all of them', async () => {
      const { text } = await client().submit(`${ada}/link`, { expires: '7d' });
      const link = secretIn(text) ?? '';
      expect(textIn(text)).to.include('The link for the affiliate is ready').and.include('in 7 days');
      const open = async (): Promise<number> => (await fetch(link)).status;
      expect(await open()).to.equal(200);
      expect(await change(`${ada}/end-links`)).to.deep.equal([303, `${ada}?done=end-links`]);
      expect(await open()).to.equal(404);
      expect(outcomeOf(await client().submit(`${ada}/link`, { expires: '91d' }))).to.deep.equal([400, 'invalid_body']);
    });

    it('ends, and is erased', async () => {
      expect(await says(`${ada}/end`)).to.include('End this affiliate?');
      expect(await change(`${ada}/end`)).to.deep.equal([303, `${ada}?done=end`]);
      expect((await stored()).filter(({ state }) => state !== 'ended')).to.deep.equal([]);
      const ended = await client().get(ada);
      expect(ended.text)
        .to.include(`href="${ada}/erase"`)
        .and.not.include('Add a promotion')
        .and.not.include('Approve');
      expect(await change(`${ada}/erase`)).to.deep.equal([303, `${ada}?done=erase`]);
      expect(textIn((await client().get(ada)).text))
        .to.include('Erased')
        .and.not.include('ada@example.com');
      expect(outcomeOf(await client().get(`${list}/nobody`))).to.deep.equal([404, 'affiliate_not_found']);
    });

    it('is counted on the overview while it asks', async () => {
      expect(await says('/console')).to.include('1 affiliate asks to promote a product');
      expect((await client().get('/console')).text).to.include(`href="${list}?state=asks"`);
    });

    it('shows a merchant the promotions of the own products alone, and changes nothing else', async () => {
      await client().service.addOperatorKey(merchantKey, { id: 'opk_m', products: ['prod_1'] });
      const merchant = new ConsoleClient(client().service);
      await merchant.signIn(merchantKey);
      const { text } = await merchant.get(ada);
      expect(text)
        .to.include('promotions/sketchpad/change')
        .and.not.include('heatwave')
        .and.not.include(`${ada}/end"`)
        .and.not.include(`${ada}/edit`);
      expect((await merchant.get(list)).text)
        .to.include('@ada<')
        .and.not.include(`href="${list}/add"`);
      expect((await merchant.get('/console')).text).to.not.include('to promote a product');
      for (const path of [`${ada}/end`, `${ada}/erase`, `${ada}/edit`, `${ada}/link`, `${list}/add`]) {
        expect(outcomeOf(await merchant.get(path)), path).to.deep.equal([403, 'limited_key']);
        expect(outcomeOf(await merchant.submit(path)), path).to.deep.equal([403, 'limited_key']);
      }
      expect(outcomeOf(await merchant.get(`${ada}/promotions/heatwave/approve`))).to.deep.equal([
        404,
        'promotion_not_found',
      ]);
    });
  });

  it('are seen by keys with the scope alone', async () => {
    await client().service.addOperatorKey(operatorKeys.reader, {
      id: 'opk_2',
      scopes: ['admin:read', 'admin:waitlist'],
    });
    const reader = new ConsoleClient(client().service);
    await reader.signIn(operatorKeys.reader);
    expect(outcomeOf(await reader.get(list))).to.deep.equal([403, 'insufficient_scope']);
    expect((await reader.get('/console')).text).to.not.include(list);
    await ports().waitlist.join(aSignUp(), aCall());
    expect((await reader.get('/console/waitlist')).text).to.not.include('as an affiliate');
  });
});
