import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import type { TierTerms } from '../../../../core/tier/tier.ts';
import { aCall, day } from '../../../support/builders.ts';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { ConsoleClient, freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { changesIn, fieldIn, hostile } from '../../../support/web/console-pages.ts';

const product = '/console/products/prod_1';
const add = `${product}/tiers/add`;
const change = `${product}/tiers/pro/change`;
const remove = `${product}/tiers/pro/delete`;
const lines = 'sso=true\r\nprojects=20\r\n\r\ntheme="7"\r\n';
const none: TierTerms = { deviceLimit: null, trial: null, features: {} };
const terms: TierTerms = { deviceLimit: 3, trial: null, features: { projects: 20, sso: true, theme: '7' } };

describe("the console's pages of tiers", () => {
  const client = freshConsole(memory);

  beforeEach(async () => {
    await client().signIn();
    await client().submit('/console/products/add', { id: 'prod_1', name: 'Sketchpad' });
  });

  const declare = (form: Readonly<Record<string, string>> = {}) =>
    client().submit(add, { id: 'pro', deviceLimit: '3', features: lines, ...form });
  const version = async (path: string): Promise<string> => fieldIn((await client().get(path)).text, 'version');
  const stored = async (id = 'pro'): Promise<TierTerms | null> =>
    (await client().service.container.get(tokens.tiers).find('prod_1', id, aCall()))?.terms ?? null;
  const changes = () => changesIn(client()).slice(1);

  it('declare a tier once, with one feature on each line, and show it on the page of the product', async () => {
    expect((await client().get(product)).text)
      .to.include('No tier says what it allows')
      .and.include(`href="${add}"`);
    for (const _ of [1, 2]) expect(outcomeOf(await declare())).to.deep.equal([303, `${product}?done=tier-declared`]);
    expect(await stored()).to.deep.equal(terms);
    expect(changes()).to.deep.equal([{ command: 'tier put', productId: 'prod_1', tierId: 'pro', revision: 1 }]);
    const { text } = await client().get(`${product}?done=tier-declared`);
    for (const part of ['The tier was declared.', 'sso', ': true', ': 20', `href="${change}"`, `href="${remove}"`])
      expect(text, part).to.include(part);
  });

  it('refuse the id of another tier, and what no tier can allow, at the field', async () => {
    await declare();
    const taken = await declare({ features: '' });
    expect(outcomeOf(taken)).to.deep.equal([400, 'invalid_body']);
    expect(taken.text).to.include('id="id-error">Tier id is that of another tier.');
    const fifty = Array.from({ length: 51 }, (_, n) => `f${n}=true`).join('\n');
    for (const features of ['sso', 'Sso=true', 'sso=null', 'sso=1.5', 'a=b\nsso', fifty, `x=${'y'.repeat(101)}`]) {
      const wrong = await declare({ id: 'team', features });
      expect(outcomeOf(wrong), features).to.deep.equal([400, 'invalid_body']);
      expect(wrong.text).to.include('id="features-error">Features must have one feature on each line');
    }
    const wrong = await declare({ id: '..', deviceLimit: '0', features: hostile });
    for (const field of ['id', 'deviceLimit', 'features']) expect(wrong.text).to.include(`id="${field}-error"`);
    expect(wrong.text).not.to.include('<script>alert');
    expect([await stored(), await stored('team')]).to.deep.equal([terms, null]);
  });

  it('change the whole of a tier, unless it is no longer what was shown', async () => {
    await declare();
    const page = await client().get(change);
    expect(page.text).to.include('projects=20\nsso=true\ntheme=&quot;7&quot;').and.include('value="3"');
    const seen = fieldIn(page.text, 'version');
    const form = { version: seen, deviceLimit: '', trial: '7d', features: 'sso=false' };
    for (const _ of [1, 2])
      expect(outcomeOf(await client().submit(change, form))).to.deep.equal([303, `${product}?done=tier-changed`]);
    expect(await stored()).to.deep.equal({ ...none, features: { sso: false }, trial: 7 * day });
    const late = await client().submit(change, { ...form, features: 'sso=true' });
    expect(outcomeOf(late)).to.deep.equal([409, 'changed_meanwhile']);
    expect(late.text).to.match(/You saw.*projects=20.*sso=false/s);
    const emptied = { version: await version(change), deviceLimit: '', trial: '', features: ' \r\n' };
    expect((await client().submit(change, emptied)).status).to.equal(303);
    expect(await stored()).to.deep.equal(none);
    expect(changes().map(({ revision }) => revision)).to.deep.equal([1, 2, 3]);
    expect((await client().get(`${product}/tiers/none/change`)).status).to.equal(404);
  });

  it('read back each value that they show, whatever it reads like', async () => {
    const features = {
      a: 'true',
      b: '7',
      c: ' x ',
      d: '"q"',
      e: '[1]',
      f: '',
      g: 'a=b',
      h: 'null',
      i: -3,
      j: '\\',
      k: true,
    };
    const admin = new AdminClient(client().service);
    await admin.put('/admin/products/prod_1/tiers/pro', { features });
    const { text } = await client().get(change);
    const area = /<textarea id="features"[^>]*>\n?([^<]*)</.exec(text)?.[1] ?? '';
    const typed = area.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
    const form = { version: fieldIn(text, 'version'), deviceLimit: '5', features: typed };
    expect((await client().submit(change, form)).status).to.equal(303);
    expect(await stored()).to.deep.equal({ deviceLimit: 5, trial: null, features });
  });

  it('delete a tier once, and say what follows', async () => {
    await declare();
    const { text } = await client().get(remove);
    expect(text).to.include('Delete this tier?').and.include('with what they have of their own');
    const seen = fieldIn(text, 'version');
    for (const _ of [1, 2])
      expect(outcomeOf(await client().submit(remove, { version: seen }))).to.deep.equal([
        303,
        `${product}?done=tier-deleted`,
      ]);
    expect(await stored()).to.equal(null);
    await declare({ features: '' });
    expect(outcomeOf(await client().submit(remove, { version: seen }))).to.deep.equal([409, 'changed_meanwhile']);
    expect(changes().map(({ command }) => command)).to.deep.equal(['tier put', 'tier delete', 'tier put']);
  });

  it('let those who may only read see the tiers, without a link that changes one', async () => {
    await declare();
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    const reader = new ConsoleClient(client().service);
    await reader.signIn(operatorKeys.reader);
    const { text } = await reader.get(product);
    expect(text).to.include('projects').and.not.include('/tiers/');
  });

  it('have a tier whose id is a word of the console', async () => {
    await declare({ id: 'add' });
    const path = `${product}/tiers/add/change`;
    expect((await client().get(product)).text).to.include(`href="${path}"`);
    expect((await client().get(path)).status).to.equal(200);
  });

  it('propose declared tiers beside those of prices in the filter of entitlements, of one product or of all', async () => {
    await declare();
    await client().submit('/console/products/add', { id: 'prod_2', name: 'Another' });
    const admin = new AdminClient(client().service);
    await admin.put('/admin/products/prod_2/tiers/team', {});
    for (const tierId of ['solo', 'pro'])
      await admin.put(`/admin/stripe/prices/price_${tierId}`, { productId: 'prod_1', tierId, tierName: 'Any' });
    const proposed = async (query: string): Promise<readonly unknown[]> => {
      const { text } = await client().get(`/console/entitlements${query}`);
      const list = /<datalist id="tiers">(.*?)<\/datalist>/s.exec(text)?.[1] ?? '';
      return [...list.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
    };
    expect(await proposed('')).to.deep.equal(['pro', 'solo', 'team']);
    expect(await proposed('?product=prod_1')).to.deep.equal(['pro', 'solo']);
    expect(await proposed('?product=prod_2')).to.deep.equal(['team']);
  });

  it('say of whom a limit of devices is', async () => {
    await declare();
    const admin = new AdminClient(client().service);
    const path = '/admin/entitlements/ent_1';
    await admin.put(path, { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' });
    const page = async (): Promise<string> => (await client().get('/console/entitlements/ent_1')).text;
    expect(await page())
      .to.include('The limit is that of its tier.')
      .and.include('its tier');
    await admin.post(`${path}/allow`, { deviceLimit: 5, features: { sso: false } });
    expect(await page())
      .to.include('The limit is its own.')
      .and.include('its own');
  });
});

describe('a tier that is not declared, on the console', () => {
  const client = freshConsole(memory);
  const warning = 'The product has declared tiers, but not this one';
  const grant = { productId: 'prod_1', tierId: 'prou', tierName: 'Pro', billingInterval: 'month' };

  beforeEach(async () => {
    await client().signIn();
    await client().submit('/console/products/add', { id: 'prod_1', name: 'Sketchpad' });
  });

  const granted = async (id: string, tierId: string): Promise<boolean> => {
    const page = await client().submit('/console/entitlements/grant', { ...grant, id, tierId });
    expect(page.status).to.equal(200);
    return page.text.includes(warning);
  };
  const changed = async (id: string, tierId: string): Promise<boolean> => {
    const path = `/console/entitlements/${id}`;
    const version = fieldIn((await client().get(`${path}/change-tier`)).text, 'version');
    const answer = await client().submit(`${path}/change-tier`, { version, tierId, tierName: 'Any' });
    expect(answer.status).to.equal(303);
    const { text } = await client().get(answer.headers['location'] ?? '');
    expect(text).to.include('The tier was changed.');
    return text.includes(warning);
  };

  it('is granted and changed to with a warning, in the answer and in the log', async () => {
    expect([await granted('ent_1', 'prou'), await changed('ent_1', 'team')]).to.deep.equal([false, false]);
    await client().submit('/console/products/prod_1/tiers/add', { id: 'pro' });
    expect([await granted('ent_2', 'pro'), await granted('ent_3', 'prou')]).to.deep.equal([false, true]);
    expect(await granted('ent_3', 'prou'), 'sent twice').to.equal(true);
    expect([await changed('ent_2', 'tema'), await changed('ent_3', 'pro')]).to.deep.equal([true, false]);
    const shown = dataOf(await new AdminClient(client().service).get('/admin/entitlements/ent_2'));
    expect(shown).to.include({ tierId: 'tema' });
    const warned = changesIn(client()).filter((line) => line['warning'] === 'tier_not_declared');
    expect(warned.map((line) => [line['command'], line['entitlementId']])).to.deep.equal([
      ['entitlement grant', 'ent_3'],
      ['entitlement change-tier', 'ent_2'],
    ]);
  });
});
