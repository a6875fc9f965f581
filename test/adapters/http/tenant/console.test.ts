import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { operatorScopes } from '../../../../core/key/operator/operator-key.ts';
import { aPayment, aSale } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';
import {
  addMerchant,
  addOwners,
  contentOf,
  mine,
  nobody,
  ofAll,
  other,
} from '../../../support/tenant/two-merchants.ts';
import { textIn } from '../../../support/web/buyers.ts';
import { ConsoleClient, outcomeOf } from '../../../support/web/console-client.ts';
import { consolePages } from '../../../support/web/console-operations.ts';
import { fieldIn } from '../../../support/web/console-pages.ts';

const limitedKey = 'svc_op_live_limited-to-mine';
const otherKey = 'svc_op_live_limited-to-other';

const scopes = operatorScopes.filter((scope) => scope !== 'admin:waitlist');

const isNotMine = (productId: string | null): boolean => productId !== 'mine';

type Field = 'entitlement' | 'slug' | 'webhook' | 'productId' | 'appKey' | 'operatorKey' | 'handle' | 'statement';

const fieldOf = (path: string, parameter = ''): Field => {
  if (parameter === 'handle' || parameter === 'slug') return parameter;
  if (path.startsWith('/console/entitlements')) return 'entitlement';
  if (path.startsWith('/console/listings')) return 'slug';
  if (path.startsWith('/console/webhooks')) return 'webhook';
  if (path.startsWith('/console/products')) return 'productId';
  if (path.startsWith('/console/statements')) return 'statement';
  return path.startsWith('/console/app-keys') ? 'appKey' : 'operatorKey';
};

/** Whether a form asks for the products of a key. */
const needsProducts = (text: string): boolean =>
  / required/.test(/<input[^>]*id="products"[^>]*>/.exec(text)?.[0] ?? '');

/** The counts of affiliates, statements and sales on the overview and on *Close a month*. */
const counted = async (client: ConsoleClient): Promise<string> => {
  const [overview, page] = await Promise.all(['', '/statements/close'].map((path) => client.get(`/console${path}`)));
  const texts = textIn((overview?.text ?? '') + (page?.text ?? ''));
  return [...texts.matchAll(/\d+ (?:affiliate|statement|sale)s? (?:has|have|to pay|waits?)\b/g)].join(', ');
};

const failing = async (client: ConsoleClient): Promise<boolean> =>
  (await client.get('/console')).text.includes('failing or disabled');

describe('the console for a limited key', () => {
  const service = freshService(memory, { adminPort: 0 });
  let merchant: ConsoleClient;
  let owner: ConsoleClient;

  beforeEach(async () => {
    const ports = portsIn(service().container);
    await addMerchant(ports, mine);
    await addMerchant(ports, other);
    await addOwners(ports);
    await service().addOperatorKey(operatorKeys.full, { id: 'opk-owner' });
    await service().addOperatorKey(limitedKey, { id: 'opk-limited', products: ['mine'], scopes });
    await service().addOperatorKey(otherKey, { id: 'opk-other-2', products: ['other'], scopes });
    [merchant, owner] = [new ConsoleClient(service()), new ConsoleClient(service())];
    await owner.signIn(operatorKeys.full);
    await merchant.signIn(limitedKey);
  });

  it('shows nothing of another in any page, after the owner has looked at it', async () => {
    const names =
      /ent-other|ended-other|key-other|opk-all|opk-both|slug-other|slug-all|ada-other|ada-all|whk-other|whk-all|tier-other|tier-all|The other/;
    const foreign = new RegExp(`${names.source}|${other.statement}`);
    expect((await owner.get('/console/statements')).text).to.match(foreign);
    const pages = consolePages.filter(({ method, path }) => method === 'GET' && !/[:*]/.test(path));
    expect(pages.length).to.be.greaterThan(10);
    const refused: unknown[] = [];
    for (const { path } of pages) {
      await owner.get(path);
      const page = await merchant.get(path);
      expect(foreign.exec(page.text)?.[0], path).to.equal(undefined);
      if (page.status < 400) expect(/waitlist|every product/i.exec(page.text)?.[0], path).to.equal(undefined);
      if (page.status >= 400) refused.push([path, page.status, page.headers['error-code']]);
    }
    expect(refused).to.have.deep.members([
      ['/console/stripe', 403, 'limited_key'],
      ['/console/products/add', 403, 'limited_key'],
      ['/console/affiliates/add', 403, 'limited_key'],
      ['/console/waitlist', 403, 'insufficient_scope'],
      ['/console/waitlist/erase', 403, 'insufficient_scope'],
      ['/console/waitlist/invite', 403, 'limited_key'],
      ['/console/waitlist/waitlist.csv', 403, 'insufficient_scope'],
    ]);
    const changesAtStripe = ['', '/suspend', '/cancel', '/revoke'];
    const ofSale = changesAtStripe.map((change) => `/console/entitlements/${mine.sold}${change}`);
    const ofStatement = ['', '/paid', '/unpaid', '/lines.csv'].map(
      (end) => `/console/statements/${mine.statement}${end}`,
    );
    const own = [`/console/entitlements/${mine.entitlement}`, `/console/webhooks/${mine.webhook}`];
    for (const path of [...own, ...ofSale, ...ofStatement]) {
      await owner.get(path);
      const { status, text } = await merchant.get(path);
      expect([status, foreign.exec(text)?.[0]], path).to.deep.equal([200, undefined]);
    }
  });

  it('shows the lists of its products, and counts what they have', async () => {
    for (const [path, heading, own] of [
      ['/console/entitlements', 'Entitlements', mine.entitlement],
      ['/console/listings', 'Listings', mine.slug],
      ['/console/events', 'Events', mine.entitlement],
      ['/console/statements', 'Statements', mine.statement],
    ] as const) {
      const { status, text } = await merchant.get(path);
      expect([status, text.includes(own)], path).to.deep.equal([200, true]);
      const total = (await owner.get(path)).text;
      const numberIn = (page: string): number =>
        Number(new RegExp(`<h1>${heading} <span class="num">(\\d+)</span>`).exec(page)?.[1] ?? 0);
      if (heading === 'Entitlements' || heading === 'Listings')
        expect(numberIn(text), path).to.be.greaterThan(0).and.lessThan(numberIn(total));
    }
  });

  it('answers about what another has as about what nobody has', async () => {
    const pages = consolePages.filter(({ path }) => path.includes(':'));
    const before = await contentOf(portsIn(service().container), isNotMine);
    for (const { method, path } of pages) {
      const ask = async (names: typeof mine): Promise<unknown> => {
        const target = path.replaceAll(/:(\w+)/g, (_, parameter: string) => names[fieldOf(path, parameter)]);
        const page = method === 'GET' ? await merchant.get(target) : await merchant.submit(target);
        return [
          page.status,
          page.headers['error-code'],
          page.headers['location']?.replaceAll(names[fieldOf(path)], '~'),
        ];
      };
      const unknown = await ask(nobody);
      for (const names of [other, ofAll]) expect(await ask(names), `${method} ${path}`).to.deep.equal(unknown);
    }
    expect(await contentOf(portsIn(service().container), isNotMine)).to.deep.equal(before);
  });

  it('closes and pays what affiliates are owed for its products, and counts nothing of another', async () => {
    const ports = portsIn(service().container);
    const paidAt = later(-60 * day);
    for (const { productId, ended } of [mine, other]) {
      const sale = aSale({
        entitlementId: ended,
        productId,
        handle: `bob-${productId}`,
        payments: [aPayment({ paidAt })],
      });
      await ports.sales.replace(null, sale, null, aCall());
    }
    const unseen = aSale({ entitlementId: other.sold, productId: 'other', handle: 'cyd', confirmedAt: paidAt });
    const waiting = { ...unseen, attributedAt: paidAt, payments: [aPayment({ paidAt })] };
    await ports.sales.replace(null, waiting, null, aCall());
    expect(await counted(owner)).to.equal('2 affiliates have, 2 statements to pay, 2 affiliates have, 1 sale waits');
    expect(await counted(merchant)).to.equal('1 affiliate has, 1 statement to pay, 1 affiliate has');
    const before = await contentOf(ports, isNotMine);
    for (const [product, done] of [
      ['other', 'nothing'],
      ['', 'closed'],
    ] as const) {
      const closed = await merchant.submit('/console/statements/close', { month: '2026-06', product });
      expect(outcomeOf(closed)).to.deep.equal([303, `/console/statements?done=${done}`]);
    }
    expect((await merchant.get('/console/statements')).text).to.include('@bob-mine');
    const page = `/console/statements/${mine.statement}`;
    const version = fieldIn((await merchant.get(`${page}/paid`)).text, 'version');
    const paid = await merchant.submit(`${page}/paid`, { version, method: 'sepa', reference: '7', at: '' });
    expect(outcomeOf(paid)).to.deep.equal([303, `${page}?done=paid`]);
    expect(await contentOf(ports, isNotMine)).to.deep.equal(before);
  });

  it('has no waitlist, no new products, and no endpoint for all of them', async () => {
    const { text } = await merchant.get('/console/products');
    expect([text.includes('/console/waitlist'), text.includes('Add product')]).to.deep.equal([false, false]);
    expect(outcomeOf(await merchant.get('/console/waitlist'))).to.deep.equal([403, 'insufficient_scope']);
    expect(outcomeOf(await merchant.get('/console/products/add'))).to.deep.equal([403, 'limited_key']);
    expect(outcomeOf(await merchant.submit('/console/products/add', { id: 'new', name: 'New' }))).to.deep.equal([
      403,
      'limited_key',
    ]);
    expect((await merchant.get('/console/webhooks/add')).text).to.not.include('All products');
    expect((await owner.get('/console/webhooks/add')).text).to.include('All products');
    const url = 'https://hooks.example/';
    expect(outcomeOf(await merchant.submit('/console/webhooks/add', { id: 'whk-new', url }))).to.deep.equal([
      403,
      'limited_key',
    ]);
  });

  it('offers an address of the waitlist to those who may read it', async () => {
    const readerKey = 'svc_op_live_reader';
    await service().addOperatorKey(readerKey, { id: 'opk-reader', scopes: ['admin:read'] });
    const reader = new ConsoleClient(service());
    await reader.signIn(readerKey);
    const what = 'nobody@example.com';
    for (const [client, isOffered] of [
      [owner, true],
      [reader, false],
      [merchant, false],
    ] as const) {
      expect((await client.get('/console')).text.includes('an e-mail address on the waitlist')).to.equal(isOffered);
      const list = await client.get('/console/entitlements');
      expect(list.text.includes('entitlement, trial, reference or e-mail"')).to.equal(isOffered);
      expect(list.text.includes('entitlement, trial or reference"')).to.equal(!isOffered);
      const found = await client.submit('/console/find', { what });
      expect(found.text.includes('entitlement, trial, reference or e-mail<')).to.equal(isOffered);
      expect(found.text.includes('neither the waitlist nor a reference has it')).to.equal(client !== merchant);
      if (client === merchant) expect(found.text).to.not.match(/waitlist/i);
    }
  });

  it('keeps what was read for one from another', async () => {
    const ports = portsIn(service().container);
    const endpoint = await ports.webhookEndpoints.find(other.webhook, aCall());
    if (endpoint === null) throw new Error('there is no endpoint');
    const failed = { ...endpoint, state: 'disabled', reason: 'gone', revision: endpoint.revision + 1 } as const;
    await ports.webhookEndpoints.replace(failed, aCall());
    const second = new ConsoleClient(service());
    await second.signIn(otherKey);
    for (const client of [owner, merchant, second, merchant, owner]) {
      expect(await failing(client)).to.equal(client !== merchant);
    }
    const whole = (await owner.get('/console')).text;
    expect([whole.includes('ent-other'), whole.includes('ent-mine')]).to.deep.equal([true, true]);
    const own = (await merchant.get('/console')).text;
    expect([own.includes('ent-other'), own.includes('ent-mine')]).to.deep.equal([false, true]);
    expect((await second.get('/console')).text).to.not.include('ent-mine');
    const refused = await merchant.get('/console/no-such-page');
    expect(refused.text).to.not.include('failing or disabled');
  });

  it('adds and changes listings of its products, without what ranks them', async () => {
    const page = await merchant.get('/console/listings/add');
    expect([/name="storefrontCount"/.test(page.text), /name="featured"/.test(page.text)]).to.deep.equal([false, false]);
    expect([page.text.includes('value="mine"'), page.text.includes('>None<')]).to.deep.equal([true, false]);
    expect((await owner.get('/console/listings/add')).text).to.include('>None<');
    const fields = {
      slug: 'mine-too',
      name: 'Mine',
      category: 'Tools',
      blurb: '',
      compensationType: 'commission',
      commissionPercent: '10',
      compensationLabel: '10%',
      productId: 'mine',
      featured: 'true',
      storefrontCount: '99',
      step: 'save',
    };
    expect(outcomeOf(await merchant.submit('/console/listings/add', fields))).to.deep.equal([
      303,
      '/console/listings/mine-too?done=added',
    ]);
    const { allListings } = portsIn(service().container);
    expect(await allListings.find('mine-too', aCall())).to.include({
      featured: false,
      storefrontCount: 0,
      productId: 'mine',
    });
    const taken = await merchant.submit('/console/listings/add', { ...fields, slug: other.slug });
    expect([taken.status, taken.text.includes('Slug is that of another listing.')]).to.deep.equal([400, true]);
    const foreign = await merchant.submit('/console/listings/add', { ...fields, slug: 'n1', productId: 'other' });
    expect([foreign.status, foreign.text.includes('Product must be that of a product that exists.')]).to.deep.equal([
      400,
      true,
    ]);
    const version = fieldIn((await merchant.get(`/console/listings/${mine.slug}`)).text, 'version');
    const changed = await merchant.submit(`/console/listings/${mine.slug}`, { ...fields, slug: mine.slug, version });
    expect(outcomeOf(changed)).to.deep.equal([303, `/console/listings/${mine.slug}?done=saved`]);
    expect(await allListings.find(mine.slug, aCall())).to.include({ name: 'Mine', featured: true });
  });

  it('issues keys that are limited to some of its products', async () => {
    const forms = await Promise.all([merchant, owner].map((client) => client.get('/console/operators/issue')));
    expect(
      forms.map(({ text }) => [
        needsProducts(text),
        text.includes('Empty: every product'),
        text.includes('admin:waitlist'),
      ]),
    ).to.deep.equal([
      [true, false, false],
      [false, true, true],
    ]);
    const terms = { name: 'Support', scopes: 'admin:read' };
    const issued = await merchant.submit('/console/operators/issue', { id: 'opk-new', products: 'mine', ...terms });
    expect(issued.text).to.include('The operator key is ready');
    for (const products of ['', 'other', 'mine other']) {
      const refused = await merchant.submit('/console/operators/issue', {
        id: 'opk-newer',
        name: 'Support',
        scopes: 'admin:read',
        products,
      });
      expect([refused.status, /Products must be [^<]*\./.exec(refused.text) !== null], products).to.deep.equal([
        400,
        true,
      ]);
    }
    expect((await owner.get('/console/operators')).text).to.match(/opk-new[\s\S]*mine/);
  });
});
