import { expect } from 'chai';
import { nodePlatform } from '../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../core/administration/administration.ts';
import type { Page, PageRequest } from '../../core/paging/page.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import {
  aCall,
  aListing,
  anAppKey,
  anOperatorKey,
  aSignUp,
  aSubscription,
  granted,
  later,
  noon,
} from '../support/builders.ts';
import { range } from '../support/range.ts';
import { beside, freshStore, type OpenStore } from '../support/stores/stores.ts';

/** A list, and how its items are added and changed. Items are in the order of their names; two keys share an instant. */
interface List {
  readonly name: string;
  readonly add: (ports: StorePorts, name: string, index: number) => Promise<unknown>;
  readonly change: (ports: StorePorts, name: string) => Promise<unknown>;
  readonly page: (administration: Administration, page: PageRequest) => Promise<Page<object>>;
  readonly nameOf: (item: object) => string;
}

const id = (item: object): string => (item as { readonly id: string }).id;
const at = (index: number): Date => later(Math.floor(index / 2));

const lists: readonly List[] = [
  {
    name: 'products',
    add: ({ products }, name) => products.add({ id: name, name, createdAt: noon }, aCall()),
    change: ({ products }, name) => products.put({ id: name, name: 'Renamed', createdAt: noon }, aCall()),
    page: ({ listProducts }, page) => listProducts(page, aCall()),
    nameOf: id,
  },
  {
    name: 'entitlements',
    add: ({ allEntitlements }, name) => allEntitlements.add(granted([aSubscription({ id: name })]), aCall()),
    change: (ports, name) =>
      administrationOf(ports, nodePlatform).runEntitlementCommand(name, { kind: 'suspend' }, aCall()),
    page: ({ listEntitlements }, page) =>
      listEntitlements({ productId: null, reference: null, status: null, endsBefore: null }, page, aCall()),
    nameOf: id,
  },
  {
    name: 'app keys',
    add: ({ allAppKeys }, name, index) =>
      allAppKeys.add(anAppKey({ id: name, digest: crypto.randomUUID(), createdAt: at(index) }), aCall()),
    change: ({ allAppKeys }, name) => allAppKeys.end(name, { revokedAt: noon }, aCall()),
    page: ({ listAppKeys }, page) => listAppKeys('prod_1', page, aCall()),
    nameOf: id,
  },
  {
    name: 'operator keys',
    add: ({ allOperatorKeys }, name, index) =>
      allOperatorKeys.add(anOperatorKey({ id: name, digest: crypto.randomUUID(), createdAt: at(index) }), aCall()),
    change: ({ allOperatorKeys }, name) => allOperatorKeys.end(name, { expiresAt: noon }, aCall()),
    page: ({ listOperatorKeys }, page) => listOperatorKeys(page, aCall()),
    nameOf: id,
  },
  {
    name: 'listings',
    add: ({ listings }, name) => listings.put([aListing({ id: name, slug: name })], aCall()),
    change: ({ listings }, name) => listings.setState(name, 'paused', aCall()),
    page: ({ listListings }, page) => listListings({ state: null, search: null, category: null }, page, aCall()),
    nameOf: id,
  },
  {
    name: 'entries of the waitlist',
    add: ({ waitlist }, name) => waitlist.join(aSignUp({ email: `${name}@example.com` }), aCall()),
    change: async () => {},
    page: ({ listWaitlist }, page) => listWaitlist(null, page, aCall()),
    nameOf: (item) => (item as { readonly email: string }).email.split('@')[0] ?? '',
  },
];

const existing = range(14).map((index) => `n${100 + 2 * index}`);

export function walksContract(open: OpenStore): void {
  describe('a walk over a list', () => {
    const store = freshStore(open);
    beforeEach(() => store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall()));

    for (const list of lists) {
      it(`has the ${list.name} that exist throughout exactly once, while another process adds and changes`, async () => {
        for (const [index, name] of existing.entries()) await list.add(store(), name, index);
        await beside(store(), async (other) => {
          const seen: string[] = [];
          let after: string | null = null;
          do {
            const page: Page<object> = await list.page(administrationOf(store(), nodePlatform), { after, limit: 4 });
            seen.push(...page.items.map(list.nameOf));
            // Right before the position of the walk, right behind it, and at the end.
            for (const index of [seen.length - 1, seen.length, 2 * existing.length + seen.length])
              await list.add(other, `n${101 + 2 * index}`, index);
            for (const name of seen.slice(-2)) if (existing.includes(name)) await list.change(other, name);
            after = page.next;
          } while (after !== null && seen.length < 200);
          expect(seen.filter((name) => existing.includes(name))).to.deep.equal(existing);
          expect(new Set(seen).size).to.equal(seen.length);
        });
      });
    }
  });
}
