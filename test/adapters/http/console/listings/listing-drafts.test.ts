import { expect } from 'chai';
import { tokens } from '../../../../../app/service/tokens.ts';
import type { Listing, ListingState } from '../../../../../core/catalog/listing.ts';
import type { OperatorKey } from '../../../../../core/key/operator/operator-key.ts';
import { aCall, aListing, noon } from '../../../../support/builders.ts';
import { AdminClient } from '../../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../../support/http/fixtures.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../../support/web/console-client.ts';
import { changesIn, changesOn, fieldIn } from '../../../../support/web/console-pages.ts';
import type { ReceivedPage } from '../../../../support/web/page-client.ts';

const list = '/console/listings';
const fields = {
  productId: 'own',
  name: 'Renamed',
  category: 'Writing',
  compensationType: 'commission',
  commissionPercent: '30',
  compensationLabel: '30 % of every sale',
  storefrontCount: '99',
  featured: 'true',
};
const scopePage = [403, 'insufficient_scope'];

type Key = Pick<OperatorKey, 'products' | 'scopes'>;
const drafter: Key = { products: ['own', 'second'], scopes: ['admin:read', 'admin:entitlements'] };
const may = ['add', 'review', 'draft', 'live', 'paused', 'publish', 'pause', 'delete', 'import'] as const;

/** Who may what on the console. What is not named is refused with 403 `insufficient_scope`. */
const keys: Readonly<Record<string, Key & { readonly may: readonly (typeof may)[number][] }>> = {
  'limited, with admin:entitlements': { ...drafter, may: ['add', 'review', 'draft'] },
  'limited, with all but admin:catalog': {
    products: ['own'],
    scopes: ['admin:read', 'admin:entitlements', 'admin:access'],
    may: ['add', 'review', 'draft'],
  },
  'limited, with admin:catalog, too': {
    products: ['own'],
    scopes: ['admin:read', 'admin:entitlements', 'admin:catalog'],
    may,
  },
  'limited, with admin:catalog': { products: ['own'], scopes: ['admin:read', 'admin:catalog'], may },
  'limited, with admin:read alone': { products: ['own'], scopes: ['admin:read'], may: [] },
  'limited, with admin:access': { products: ['own'], scopes: ['admin:read', 'admin:access'], may: [] },
  'unlimited, with admin:entitlements': { ...drafter, products: null, may: [] },
  'unlimited, with admin:catalog': { products: null, scopes: ['admin:read', 'admin:catalog'], may },
};

/** A listing of the product `own`. */
function own(state: ListingState): Listing {
  return aListing({ id: `lst_${state}`, slug: `own-${state}`, state, productId: 'own' });
}

describe('drafts of listings by those who may not publish', () => {
  const client = freshConsole(memory);
  const listings = () => client().service.container.get(tokens.listings);
  const find = (slug: string) => client().service.container.get(tokens.allListings).find(slug, aCall());
  const stored = [
    ...(['draft', 'live', 'paused'] as const).map(own),
    aListing({ id: 'lst_other', slug: 'other-draft', state: 'draft', productId: 'other' }),
    aListing({ id: 'lst_none', slug: 'none-draft', state: 'draft' }),
  ];
  const content = () => Promise.all(stored.map(({ slug }) => find(slug)));

  beforeEach(async () => {
    for (const id of ['own', 'second', 'other']) {
      await client().service.container.get(tokens.products).add({ id, name: id, createdAt: noon }, aCall());
    }
    await listings().put(stored, aCall());
  });

  const signIn = async ({ products, scopes }: Key): Promise<void> => {
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', products, scopes });
    await client().signIn(operatorKeys.reader);
  };
  const versionOf = async (path: string): Promise<string> => fieldIn((await client().get(path)).text, 'version');
  const save = async (slug: string, more: Readonly<Record<string, string>> = {}): Promise<ReceivedPage> =>
    client().submit(`${list}/${slug}`, {
      ...fields,
      version: await versionOf(`${list}/${slug}`),
      step: 'save',
      ...more,
    });
  const decide = async (path: string): Promise<ReceivedPage> =>
    client().submit(path, { version: await versionOf(path) });

  const tries: Readonly<Record<(typeof may)[number], () => Promise<ReceivedPage>>> = {
    add: () => client().submit(`${list}/add`, { ...fields, slug: 'new', step: 'save' }),
    review: () => client().submit(`${list}/add`, { ...fields, slug: 'new-2', step: 'review' }),
    draft: () => save('own-draft'),
    live: () => save('own-live'),
    paused: () => save('own-paused'),
    publish: () => decide(`${list}/own-draft/publish`),
    pause: () => decide(`${list}/own-live/pause`),
    delete: () => decide(`${list}/own-paused/delete`),
    import: () => client().submit(`${list}/import`, { step: 'check', csv: 'slug' }),
  };

  for (const [name, key] of Object.entries(keys)) {
    it(`are allowed by the key and the state, and show no other button: a key that is ${name}`, async () => {
      await signIn(key);
      const shown = await client().get(list);
      const offered = [...new Set(changesOn(shown.text))].toSorted();
      const buttons = [`${list}/add`, `${list}/import`].filter((path) =>
        key.may.includes(path.slice(`${list}/`.length) as 'add'),
      );
      expect(offered).to.deep.equal(buttons);
      for (const state of ['draft', 'live', 'paused'] as const) {
        const changes = changesOn((await client().get(`${list}/own-${state}`)).text);
        const decisions = [state === 'live' ? 'pause' : 'publish', 'delete'] as const;
        const expected = [
          ...decisions.filter((each) => key.may.includes(each)).map((each) => `${list}/own-${state}/${each}`),
          ...(key.may.includes(state) ? [`${list}/own-${state}`] : []),
        ];
        expect(changes, state).to.deep.equal(expected);
      }
      for (const what of may) {
        const page = await tries[what]();
        if (key.may.includes(what)) expect(page.status, what).to.be.lessThan(400);
        else expect(outcomeOf(page), what).to.deep.equal(scopePage);
      }
    });
  }

  it('are drafts, with nothing that ranks them, and change in nothing but what was typed', async () => {
    await signIn(drafter);
    const added = await tries.add();
    expect(outcomeOf(added)).to.deep.equal([303, `${list}/new?done=added`]);
    const drafted = { name: 'Renamed', state: 'draft', productId: 'own' };
    expect(await find('new')).to.include({ ...drafted, storefrontCount: 0, featured: false });
    expect(outcomeOf(await save('own-draft'))).to.deep.equal([303, `${list}/own-draft?done=saved`]);
    const { id, publishedAt, storefrontCount, featured } = own('draft');
    expect(await find('own-draft')).to.include({ ...drafted, id, storefrontCount, featured });
    expect((await find('own-draft'))?.publishedAt).to.deep.equal(publishedAt);
    expect(outcomeOf(await save('own-draft', { productId: 'second', state: 'live' }))[0]).to.equal(303);
    expect(await find('own-draft')).to.include({ state: 'draft', productId: 'second' });
    expect(changesIn(client()).map(({ command, slug }) => [command, slug])).to.deep.equal([
      ['listing put', 'new'],
      ['listing put', 'own-draft'],
      ['listing put', 'own-draft'],
    ]);
  });

  it('are not those of another product, nor of none, and take no slug of one', async () => {
    await signIn(drafter);
    for (const slug of ['other-draft', 'none-draft']) {
      expect(outcomeOf(await save(slug)), slug).to.deep.equal([404, 'listing_not_found']);
      const taken = await client().submit(`${list}/add`, { ...fields, slug, step: 'save' });
      expect(taken.text, slug).to.include('Slug is that of another listing.');
    }
    for (const productId of ['other', '']) {
      for (const path of [`${list}/add`, `${list}/own-draft`]) {
        const version = await versionOf(`${list}/own-draft`);
        const page = await client().submit(path, { ...fields, slug: 'new', productId, version, step: 'save' });
        expect(page.status, `${path} ${productId}`).to.be.within(400, 403);
      }
    }
    expect(await content()).to.deep.equal(stored);
    expect(await find('new')).to.equal(null);
  });

  for (const state of ['live', 'paused'] as const) {
    it(`end with the publication, whatever was open (${state})`, async () => {
      await signIn(drafter);
      const version = await versionOf(`${list}/own-draft`);
      const published = { ...own('draft'), state };
      await listings().put([published], aCall());
      for (const step of ['preview', 'edit', 'review', 'save']) {
        const page = await client().submit(`${list}/own-draft`, { ...fields, version, step });
        expect(outcomeOf(page), step).to.deep.equal([409, 'changed_meanwhile']);
        expect(page.text).to.include('It changed while you were looking');
        const forged = await client().submit(`${list}/own-draft`, { ...fields, step });
        expect(outcomeOf(forged), step).to.deep.equal(scopePage);
      }
      expect(await find('own-draft')).to.deep.equal(published);
      expect(changesIn(client())).to.deep.equal([]);
    });
  }

  it('say who publishes them', async () => {
    await signIn(drafter);
    const says = /An operator with <span class="mono">admin:catalog<\/span> publishes it\./;
    for (const path of ['add', 'own-draft']) expect((await client().get(`${list}/${path}`)).text).to.match(says);
    expect((await tries.review()).text).to.include('until an operator with admin:catalog publishes it');
    expect((await client().get(`${list}/own-live`)).text)
      .to.include('It was published')
      .and.not.match(says);
    await client().signIn();
    for (const path of ['add', 'own-draft']) expect((await client().get(`${list}/${path}`)).text).to.not.match(says);
  });

  it('have no other door', async () => {
    await signIn(drafter);
    const admin = new AdminClient(client().service);
    const { id: _id, slug: _slug, publishedAt: _at, ...body } = own('draft');
    for (const [method, path, sent] of [
      ['PUT', 'new', body],
      ['PUT', 'own-draft', { ...body, name: 'Renamed' }],
      ['POST', 'own-draft/publish', undefined],
      ['POST', 'own-live/pause', undefined],
      ['DELETE', 'own-draft', undefined],
    ] as const) {
      const reply = await admin.send(method, `/admin/listings/${path}`, { key: operatorKeys.reader, body: sent });
      expect([reply.status, reply.headers['error-code']], path).to.deep.equal(scopePage);
    }
    expect(await content()).to.deep.equal(stored);
  });
});
