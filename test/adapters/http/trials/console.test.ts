import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import type { Trial } from '../../../../core/trial/trial.ts';
import { aCall, aProduct, aSubscription, aTrial, day, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { ConsoleClient, freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn } from '../../../support/web/console-pages.ts';

const product = '/console/products/prod_1';
const { id } = aTrial();
const page = `/console/trials/${id}`;
const numbered = (number: number): string => `trial_${String(number).padStart(22, '0')}`;
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe("the console's pages of trials", () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    await client()
      .service.container.get(tokens.products)
      .add(aProduct({ id: 'prod_1', name: 'Sketchpad' }), aCall());
    await client().signIn();
  });

  const add = (overrides: Partial<Trial> = {}): Promise<void> =>
    client().service.container.get(tokens.trials).add(aTrial(overrides), aCall());
  const stored = () => client().service.container.get(tokens.trials).find(id, aCall());
  const version = async (path: string): Promise<string> => fieldIn((await client().get(path)).text, 'version');

  it('show the newest ten on the page of the product, which leads to all', async () => {
    expect((await client().get(product)).text).not.to.include('id="trials"');
    for (const number of range(10)) await add({ id: numbered(number), startedAt: later(number) });
    expect((await client().get(product)).text)
      .to.include(numbered(0))
      .and.not.include('All trials');
    await add({ startedAt: later(day), endsAt: later(-day) });
    const { text } = await client().get(product);
    expect(text).to.include(`href="${product}/trials">All trials<`).and.not.include(numbered(0));
    const [first = '', second = ''] = text.slice(text.indexOf('Trials, the newest first')).split('<tr').slice(2);
    expect(textOf(first))
      .to.match(/ Ended pro .*Extend/)
      .and.not.include('End now');
    expect(first).to.include(`href="${page}/extend"`);
    expect(textOf(second)).to.match(/ Running pro .*Extend.*End now/);
    const list = await client().get(`${product}/trials`);
    expect(list.text).to.include(numbered(0)).and.include(numbered(9)).and.include(page);
  });

  it('show all in parts, or that there is none yet', async () => {
    const path = `${product}/trials`;
    expect((await client().get(path)).text).to.include('No app has started a trial yet.');
    for (const number of range(defaultPageSize + 1)) await add({ id: numbered(number), startedAt: later(number) });
    const { text } = await client().get(path);
    expect(text).to.include(numbered(defaultPageSize)).and.not.include(numbered(0));
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1] ?? '';
    expect(next.startsWith(`${path}?after=`)).to.equal(true);
    const second = (await client().get(next)).text;
    expect(second).to.include(numbered(0)).and.include('First page').and.not.include(numbered(defaultPageSize));
  });

  it('lead from the entitlement that a trial became to the first, and from that to the entitlement', async () => {
    await client().service.grant(aSubscription({ id: 'ent_1' }));
    const entitlement = '/console/entitlements/ent_1';
    expect((await client().get(entitlement)).text).not.to.include('Came from a trial');
    await add({ id: numbered(1), startedAt: later(day), converted: { at: later(3 * day), entitlementId: 'ent_1' } });
    await add({ converted: { at: later(2 * day), entitlementId: 'ent_1' } });
    await add({ id: numbered(2), converted: { at: later(day), entitlementId: 'ent_2' } });
    expect((await client().get(entitlement)).text).to.include(
      `Came from a <a href="${page}">trial</a> that started on 18 July 2026.`,
    );
    const shown = await client().get(page);
    expect(textOf(shown.text))
      .to.include('Entitlement ent_1')
      .and.match(/Trial of Sketchpad Bought /);
    expect(shown.text).to.include(`href="${entitlement}"`);
  });

  it('are found by the id, which an app shows', async () => {
    await add();
    expect(outcomeOf(await client().submit('/console/find', { what: ` ${id}\n` }))).to.deep.equal([303, page]);
    expect((await client().get(page)).text).to.include('entitlement, trial, reference or e-mail"');
    const unknown = await client().submit('/console/find', { what: numbered(1) });
    expect(unknown.text).to.include('Nothing found').and.not.include(numbered(1));
    const gone = await client().get(`/console/trials/${numbered(1)}`);
    expect(outcomeOf(gone)).to.deep.equal([404, 'trial_not_found']);
  });

  it('extend a trial once, also after its end, unless it ends at another time than was shown', async () => {
    await add({ endsAt: later(-day) });
    const path = `${page}/extend`;
    const asked = await client().get(path);
    expect(asked.text).to.include('Extend this trial?').and.include('value="2026-07-25T12:00"');
    const form = { version: fieldIn(asked.text, 'version'), endsAt: '2026-07-25T12:00' };
    for (const _ of [1, 2])
      expect(outcomeOf(await client().submit(path, form))).to.deep.equal([303, `${page}?done=extended`]);
    expect(await stored()).to.deep.equal(aTrial({ endsAt: later(7 * day), revision: 2 }));
    const late = await client().submit(path, { ...form, endsAt: '2026-07-26T12:00' });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    expect(late.text).to.match(/2026-07-17T12.*2026-07-25T12/s);
    expect(changesIn(client())).to.deep.equal([
      { command: 'trial extend', trialId: id, productId: 'prod_1', endsAt: '2026-07-25T12:00:00.000Z' },
    ]);
    expect((await client().get(`${page}?done=extended`)).text).to.include('The trial was extended.');
  });

  it('refuse an end more than 90 days away, or none, at the field', async () => {
    await add();
    const path = `${page}/extend`;
    for (const [endsAt, problem] of [
      ['2026-10-16T12:00:01', 'must be at most 90 days from now'],
      ['soon', 'must be an instant'],
      ['', 'is missing'],
    ] as const) {
      const wrong = await client().submit(path, { version: await version(path), endsAt });
      expect(outcomeOf(wrong), endsAt).to.deep.equal([400, 'invalid_body']);
      expect(wrong.text).to.include(`id="endsAt-error">New end, in UTC ${problem}`);
    }
    expect(await stored()).to.deep.equal(aTrial());
    expect((await client().submit(path, { version: await version(path), endsAt: '2026-10-16T12:00' })).status).to.equal(
      303,
    );
  });

  it('propose a week more, but no end that is more than 90 days away', async () => {
    await add({ endsAt: later(86 * day) });
    expect((await client().get(`${page}/extend`)).text).to.include('value="2026-10-16T12:00"');
  });

  it('end a trial once, after a question', async () => {
    await add({ converted: { at: later(1), entitlementId: 'ent_1' } });
    const path = `${page}/end`;
    const asked = await client().get(path);
    expect(asked.text).to.include('End this trial now?').and.include('Without a network it goes on');
    for (const _ of [1, 2]) {
      const ended = await client().submit(path, { version: fieldIn(asked.text, 'version') });
      expect(outcomeOf(ended)).to.deep.equal([303, `${page}?done=end`]);
      client().service.now = later(1000);
    }
    expect(changesIn(client()).map(({ command, endsAt }) => [command, endsAt])).to.deep.equal([
      ['trial end', '2026-07-18T12:00:00.000Z'],
    ]);
    expect((await client().get(`${page}?done=end`)).text)
      .to.include('The trial was ended.')
      .and.not.include('/end"');
  });

  it('let those who may only read see trials, without a link that changes one', async () => {
    await add();
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    const reader = new ConsoleClient(client().service);
    await reader.signIn(operatorKeys.reader);
    for (const path of [product, `${product}/trials`, page]) {
      expect((await reader.get(path)).text, path)
        .to.include(id)
        .and.not.match(/\/(extend|end)"/);
    }
    expect((await reader.get(`${page}/end`)).status).to.equal(403);
  });
});
