import { expect } from 'chai';
import type { Archive, Entry } from '../../../core/copy/archive.port.ts';
import { compareStores, type Comparison } from '../../../core/copy/compare-stores.ts';
import {
  aCall,
  anAppKey,
  anOperatorKey,
  aOneTimePurchase,
  aSignUp,
  aSubscription,
  aTrial,
  later,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { withRecords } from '../../support/stores/archived.ts';
import { freshArchive, insertAll, oneOfEach, productEntry, withMethods } from '../../support/stores/archives.ts';

describe('compareStores', () => {
  const from = freshArchive();
  const to = freshArchive();

  it('finds no difference between two empty stores', async () => {
    expect(await compared()).to.deep.equal({ entries: 0, differences: 0, first: [] });
  });

  it('finds no difference between stores with the same entries', async () => {
    const entries = [...oneOfEach, withRecords(1, 3), productEntry('prod_2')];
    await fill(entries, entries);
    expect(await compared()).to.deep.equal({ entries: 19, differences: 0, first: [] });
  });

  it('names what is missing, different and surplus, by section and id', async () => {
    await fill([...oneOfEach, productEntry('b'), productEntry('c')], [productEntry('a'), productEntry('b', 'Two')]);
    expect(await compared()).to.deep.equal({
      entries: 19,
      differences: 20,
      first: [
        { section: 'products', kind: 'surplus', id: 'a' },
        { section: 'products', kind: 'different', id: 'b' },
        { section: 'products', kind: 'missing', id: 'c' },
        { section: 'products', kind: 'missing', id: 'prod_1' },
        { section: 'prices', kind: 'missing', id: 'price_1' },
        { section: 'appKeys', kind: 'missing', id: anAppKey().digest },
        { section: 'operatorKeys', kind: 'missing', id: anOperatorKey().digest },
        { section: 'entitlements', kind: 'missing', id: 'ent_1' },
        { section: 'trials', kind: 'missing', id: aTrial().id },
        { section: 'listings', kind: 'missing', id: 'quiet-editor' },
      ],
    });
  });

  it('names no address of the waitlist', async () => {
    await fill([{ section: 'signUps', id: 'bob@example.com', value: aSignUp({ email: 'bob@example.com' }) }], []);
    const first = [{ section: 'signUps', kind: 'missing', id: null }];
    expect(await compared()).to.deep.equal({ entries: 1, differences: 1, first });
  });

  it('moves all events of both stores first', async () => {
    const moves: string[] = [];
    const [one, other] = [from(), to()].map((archive, index) =>
      withMethods(archive, { moveEvents: async () => moves.push(`store ${index}`) % 3 === 0 }),
    );
    await compareStores(one ?? from(), other ?? to())(() => aCall());
    expect(moves).to.deep.equal(['store 0', 'store 0', 'store 0', 'store 1', 'store 1', 'store 1']);
  });

  it('finds entries of the second store before, between and after those of the first', async () => {
    await fill(['b', 'd'].map(named), ['0', 'A', 'b', 'c', 'd', 'e', 'f'].map(named));
    const first = ['0', 'A', 'c', 'e', 'f'].map((id) => ({ section: 'products', kind: 'surplus', id }));
    expect(await compared()).to.deep.equal({ entries: 2, differences: 5, first });
  });

  it('counts every difference and names the first ten', async () => {
    const entries = range(11).map((number) => named(`prod_${10 + number}`));
    await fill(entries, []);
    const first = entries.slice(0, 10).map(({ id }) => ({ section: 'products', kind: 'missing', id }));
    expect(await compared()).to.deep.equal({ entries: 11, differences: 11, first });
  });

  it('calls back after each entry of the first store', async () => {
    await fill(['b', 'c', 'd'].map(named), ['a', 'b', 'd', 'e'].map(named));
    let entries = 0;
    await compareStores(from(), to())(
      () => aCall(),
      () => (entries += 1),
    );
    expect(entries).to.equal(3);
  });

  const pairs: readonly (readonly [string, Entry, Entry])[] = [
    ['an instant', key({ expiresAt: later(1) }), key({ expiresAt: later(2) })],
    ['an instant that only the first has', key({ expiresAt: later(1) }), key({ expiresAt: null })],
    ['an instant that only the second has', key({ expiresAt: null }), key({ expiresAt: later(1) })],
    ['the length of a list', key({ scopes: ['read:entitlements'] }), key({})],
    ['the number of records', withRecords(0, 2), withRecords(0, 1)],
    ['the kind of an entitlement', entitlement(aSubscription()), entitlement(aOneTimePurchase({ id: 'ent_1' }))],
    [
      'the interval count of an entitlement',
      entitlement(aSubscription()),
      entitlement(aSubscription({ billingIntervalCount: 3 })),
    ],
  ];
  for (const [what, first, second] of pairs) {
    it(`finds a difference in ${what}`, async () => {
      await fill([first], [second]);
      const { section, id } = first;
      const difference = { section, kind: 'different', id };
      expect(await compared()).to.deep.equal({ entries: 1, differences: 1, first: [difference] });
    });
  }

  it('does not distinguish orders of members', async () => {
    await fill(oneOfEach, oneOfEach);
    const same = { entries: 17, differences: 0, first: [] };
    expect(await comparedWith(from(), rewritten(to(), turned))).to.deep.equal(same);
  });

  it('finds a member that only one of the stores has', async () => {
    await fill([named('a')], [named('a')]);
    const differences = { entries: 1, differences: 1, first: [{ section: 'products', kind: 'different', id: 'a' }] };
    expect(await comparedWith(from(), rewritten(to(), extended))).to.deep.equal(differences);
    expect(await comparedWith(rewritten(from(), extended), to())).to.deep.equal(differences);
  });

  it('finds a text where the other store has an object without members', async () => {
    await fill([productEntry('a', '')], [productEntry('a', '')]);
    const different = { differences: 1 };
    expect(await comparedWith(from(), rewritten(to(), emptied))).to.include(different);
    expect(await comparedWith(rewritten(from(), emptied), to())).to.include(different);
  });

  async function fill(first: readonly Entry[], second: readonly Entry[]): Promise<void> {
    await insertAll(from(), first);
    await insertAll(to(), second);
  }

  function compared(): Promise<Comparison> {
    return comparedWith(from(), to());
  }
});

function comparedWith(first: Archive, second: Archive): Promise<Comparison> {
  return compareStores(first, second)(() => aCall());
}

/** The archive as it would be if each value was written otherwise. */
function rewritten(archive: Archive, rewrite: (value: object) => object): Archive {
  const page: Archive['page'] = async (...where) => {
    const entries = await archive.page(...where);
    return entries.map((entry) => ({ ...entry, value: rewrite(entry.value) }) as Entry);
  };
  return withMethods(archive, { page });
}

/** The same value, its members and theirs in the opposite order. */
function turned<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(turned) as T;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, turned(member)]),
  ) as T;
}

function named(id: string): Entry {
  return productEntry(id);
}

function key(overrides: Parameters<typeof anAppKey>[0]): Entry {
  return { section: 'appKeys', id: anAppKey().digest, value: anAppKey(overrides) };
}

function entitlement(value: ReturnType<typeof aSubscription> | ReturnType<typeof aOneTimePurchase>): Entry {
  return { section: 'entitlements', id: 'ent_1', value: { entitlement: value, records: [], history: [] } };
}

function emptied(value: object): object {
  return { ...value, name: {} };
}

function extended(value: object): object {
  return { ...value, more: 'than that' };
}
