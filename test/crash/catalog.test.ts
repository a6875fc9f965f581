import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { PageMeta } from '../../core/catalog/listing-page.ts';
import { shownStorefronts, type Listing } from '../../core/catalog/listing.ts';
import { queryListings } from '../../core/catalog/query-listings.ts';
import { aCall, aListing, withoutHiddenMembers } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startNode } from '../support/processes/node-process.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { anyCatalogChange, change, queryOf } from '../support/stores/catalogs.ts';
import { openAt, type OpenedStore } from '../support/stores/stores.ts';
import { listingsIn } from '../support/stores/whole-lists.ts';

interface Page {
  readonly data: readonly Listing[];
  readonly meta: PageMeta;
  readonly categories: readonly string[];
}

const writer = fileURLToPath(new URL('../support/stores/write-listings.ts', import.meta.url));

/**
 * The time in which a change is visible on every process, in milliseconds, as the service promises it, and so many of the
 * slowest requests of this run that a slow machine is allowed.
 */
const visibleWithin = 1000;
const moreRequests = 10;

describe('a catalog that several processes share', () => {
  let folder: string;
  let file: string;
  let store: OpenedStore;
  let servers: readonly ServerProcess[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    file = join(folder, 'latchkey.db');
    store = await openAt(`sqlite:${file}`);
    servers = await Promise.all(range(2).map(() => startServerProcess(`sqlite:${file}`)));
  });

  after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('shows one revision in every page while it changes every few milliseconds', async () => {
    const history = new History();
    await store.listings.put(history.all(), aCall());
    const lengths = (): Promise<readonly number[]> =>
      Promise.all(servers.map(async (_, server) => (await page(server, 'limit=48')).data.length));
    await eventually(lengths, (each) => each.every((length) => length === 48));
    let oldest = 0;
    let slowest = 0;
    const until = performance.now() + rounds(1000, 10_000);
    const readers = servers.map(async (_, server) => {
      while (performance.now() < until) {
        const asked = performance.now();
        const { data, meta } = await page(server, 'limit=48');
        slowest = Math.max(slowest, performance.now() - asked);
        const revision = history.revisionOf(data);
        expect(meta).to.deep.equal({ total: data.length, offset: 0, limit: 48, hasMore: false });
        oldest = Math.max(oldest, asked - (history.madeAt(revision + 1) ?? asked));
        await pause(5);
      }
    });
    const write = async (): Promise<void> => {
      while (performance.now() < until) {
        await history.change((listing) => store.listings.put([listing], aCall()));
        await pause(5);
      }
    };
    await Promise.all([...readers, write()]);
    expect(oldest).to.be.below(visibleWithin + moreRequests * slowest);
    // The other tests have the pages of the catalog for themselves.
    for (const { slug } of history.all()) await store.listings.setState(slug, 'paused', aCall());
  });

  it('matches the oracle on every server after each change, made by either of two processes', async () => {
    const changes = fc.sample(anyCatalogChange, rounds(6, 12));
    const other = await openAt(`sqlite:${file}`);
    for (const [number, next] of changes.entries()) {
      await change((number % 2 === 0 ? store : other).listings, next);
      await expectOracleEverywhere();
    }
    await other.close();
  });

  it('misses no change of a writer that is killed at a random moment', async () => {
    for (const seed of range(rounds(2, 8))) {
      const child = startNode([writer, `sqlite:${file}`, String(seed * 1000)]);
      await once(child.stdout, 'data');
      await pause(Math.random() * 60);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expectOracleEverywhere();
    }
  });

  async function expectOracleEverywhere(): Promise<void> {
    const listings = await listingsIn(store);
    for (const query of ['limit=48', 'q=a&sort=new&limit=48', 'category=data&sort=reward&minCommission=20']) {
      const oracle = shownAs(queryListings(listings, queryOf(Object.fromEntries(new URLSearchParams(query)))));
      for (const server of servers.keys()) {
        const answer = await eventually(
          () => page(server, query),
          (found) => JSON.stringify(found) === JSON.stringify(oracle),
        );
        expect(answer).to.deep.equal(oracle);
      }
    }
  }

  async function page(server: number, query: string): Promise<Page> {
    const response = await fetch(`${servers[server]?.url ?? ''}/api/marketplace/listings?${query}`);
    const { data, meta, categories } = (await response.json()) as Page;
    return { data, meta, categories };
  }
});

function shownAs({ listings, meta, categories }: ReturnType<typeof queryListings>): Page {
  const data = listings.map(
    ({ state: _state, publishedAt: _at, upfrontCents: _cents, productId: _product, ...shown }) => ({
      ...(withoutHiddenMembers(shown) as Listing),
      storefrontCount: shownStorefronts(shown),
    }),
  );
  return { data, meta, categories };
}

/** 48 listings that change in turn; the name of each is the number of its latest change. */
class History {
  readonly #versions = range(48).map(() => 0);
  readonly #times: number[] = [0];

  all(): readonly Listing[] {
    return this.#versions.map((version, number) => listingOf(number, version));
  }

  /** Makes the next change. */
  async change(write: (listing: Listing) => Promise<unknown>): Promise<void> {
    const revision = this.#times.length;
    await write(listingOf(revision % 48, revision));
    this.#times.push(performance.now());
  }

  /** Returns when a revision was durable, or undefined if it does not exist yet. */
  madeAt(revision: number): number | undefined {
    return this.#times[revision];
  }

  /** Returns the revision that a page shows; fails if the page mixes two. */
  revisionOf(data: readonly Listing[]): number {
    const shown = new Map(data.map(({ slug, name }) => [slug, Number(name)]));
    const revision = Math.max(...shown.values());
    const expected = range(48).map((number) => Math.max(0, revision - ((revision - number + 48) % 48)));
    const wanted = new Map(expected.map((version, number) => [listingOf(number, 0).slug, version]));
    expect(Object.fromEntries(shown)).to.deep.equal(Object.fromEntries(wanted));
    return revision;
  }
}

function listingOf(number: number, version: number): Listing {
  return aListing({ id: `lst_${number}`, slug: `n-${number}`, name: String(version), storefrontCount: version });
}
