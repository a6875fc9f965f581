import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import { compareCodePoints } from '../../../../core/code-points.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import {
  listEntitlements,
  type EntitlementFilter,
} from '../../../../core/entitlement/administration/list-entitlements.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import {
  aCall,
  aLicense,
  aOneTimePurchase,
  aSubscription,
  day,
  granted,
  later,
  noon,
} from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const everything: EntitlementFilter = { productId: null, reference: null, status: null, endsBefore: null };

describe('lists of entitlements', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  it('filter by the clock of the call, page by page', async () => {
    const many = range(450).map((index) =>
      aSubscription({ id: `ent_${1000 + index}`, currentPeriodEnd: later(index % 3 === 0 ? 5 : day) }),
    );
    await store().allEntitlements.add(granted([...many, aOneTimePurchase()]), aCall());
    const ended = many.filter((_, index) => index % 3 === 0).map(({ id }) => id);
    for (const filter of [{ status: 'past_due' }, { endsBefore: later(6) }] as const) {
      expect(await walked({ ...everything, ...filter }, 40)).to.deep.equal(ended);
    }
    expect(await walked({ ...everything, productId: 'prod_1', status: 'past_due' }, 40, 0)).to.deep.equal([]);
  });

  it('filter by the tier, by the end of the key, and by what has ended, in either order', async () => {
    const many = range(450).map((index) =>
      aSubscription({
        id: `ent_${1000 + index}`,
        createdAt: later(-(index % 4)),
        productId: index % 2 === 0 ? 'prod_1' : 'prod_2',
        tierId: index % 9 === 0 ? 'team' : 'pro',
        license: aLicense({ digest: `digest ${index}`, lastFour: index % 50 === 0 ? 'X5SX' : null }),
        ...(index % 5 === 0 && { hold: { kind: 'revoked', at: noon } }),
      }),
    );
    await store().allEntitlements.add(granted(many), aCall());
    const newest = many.toSorted(
      (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareCodePoints(b.id, a.id),
    );
    const filters: readonly (readonly [Partial<EntitlementFilter>, (one: Subscription) => boolean])[] = [
      [{}, () => true],
      [{ productId: 'prod_2' }, ({ productId }) => productId === 'prod_2'],
      [{ tier: 'team' }, ({ tierId }) => tierId === 'team'],
      [{ tier: 'none' }, () => false],
      [{ status: 'ended' }, ({ hold: { kind } }) => kind === 'revoked'],
      [{ status: 'active' }, ({ hold: { kind } }) => kind === 'none'],
      [{ lastFour: 'x5sx' }, ({ license }) => license?.lastFour === 'X5SX'],
      [{ lastFour: 'X5SY' }, () => false],
      [{ lastFour: 'X5SX', tier: 'team' }, ({ license, tierId }) => license?.lastFour === 'X5SX' && tierId === 'team'],
      [
        { productId: 'prod_1', status: 'ended', tier: 'pro' },
        ({ productId, hold: { kind }, tierId }) => productId === 'prod_1' && kind === 'revoked' && tierId === 'pro',
      ],
      [{ productId: 'prod_1', reference: 'none', lastFour: 'X5SX' }, () => false],
    ];
    for (const [filter, isIn] of filters) {
      for (const [order, all] of [
        ['id', many],
        ['newest', newest],
      ] as const) {
        const wanted = { ...everything, ...filter, order };
        const expected = all.filter(isIn).map(({ id }) => id);
        expect(await walked(wanted, 40), JSON.stringify(wanted)).to.deep.equal(expected);
        const every = administration().everyEntitlement(wanted, () => aCall({ now: later(5) }));
        expect((await Array.fromAsync(every)).map(({ id }) => id)).to.deep.equal(expected);
      }
    }
  });

  it('keep a cursor to its order and its filter', async () => {
    await add(['a', 'b', 'c']);
    const filters = [{}, { order: 'newest' }, { tier: 'pro' }, { lastFour: 'A234' }, { order: 'newest', tier: 'pro' }];
    const wanted = filters.map((filter) => ({ ...everything, ...filter }) as EntitlementFilter);
    for (const filter of wanted.slice(0, 3)) {
      const { next } = await administration().listEntitlements(filter, { after: null, limit: 1 }, aCall());
      for (const other of wanted) {
        const mixed = administration().listEntitlements(other, { after: next, limit: 1 }, aCall());
        if (other === filter) expect((await mixed).items).to.have.length(1);
        else expect((await refusalOf(mixed)).code, JSON.stringify([filter, other])).to.equal('invalid_parameter');
      }
    }
  });

  it('find the entitlement of a reference, which needs its product', async () => {
    const one = aSubscription({ reference: 'sub_1' });
    await store().allEntitlements.add(granted([one, aSubscription({ id: 'ent_2' })]), aCall());
    const filter = { ...everything, productId: 'prod_1', reference: 'sub_1' };
    expect(await walked(filter, 5)).to.deep.equal(['ent_1']);
    const without = administration().listEntitlements(
      { ...filter, productId: null },
      { after: null, limit: 5 },
      aCall(),
    );
    const message = 'reference needs the product that it belongs to.';
    expect(await refusalOf(without)).to.deep.equal({ code: 'invalid_parameter', details: { message } });
  });

  it('refuse the cursor of another instant for the end of the period', async () => {
    await add(['A', 'b']);
    const first = await pageOfOne(later(100 * day), null);
    const second = await pageOfOne(later(100 * day), first.next);
    expect([...first.items, ...second.items].map(({ id }) => id)).to.deep.equal(['A', 'b']);
    expect((await refusalOf(pageOfOne(later(101 * day), first.next))).code).to.equal('invalid_parameter');
  });

  it('refuse the cursor of another filter', async () => {
    await add(['a', 'b', 'c']);
    const { next } = await administration().listEntitlements(everything, { after: null, limit: 1 }, aCall());
    for (const filter of [{ productId: 'prod_1' }, { status: 'active' }, { endsBefore: later(0) }] as const) {
      const mixed = administration().listEntitlements({ ...everything, ...filter }, { after: next, limit: 1 }, aCall());
      expect((await refusalOf(mixed)).code).to.equal('invalid_parameter');
    }
  });

  async function add(ids: readonly string[]): Promise<void> {
    await store().allEntitlements.add(granted(ids.map((id) => aSubscription({ id }))), aCall());
  }

  function pageOfOne(endsBefore: Date, after: string | null): ReturnType<Administration['listEntitlements']> {
    return administration().listEntitlements({ ...everything, endsBefore }, { after, limit: 1 }, aCall());
  }

  /** The ids of every page. */
  async function walked(filter: EntitlementFilter, limit: number, milliseconds = 5): Promise<readonly string[]> {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const call = aCall({ now: later(milliseconds) });
      const page = await administration().listEntitlements(filter, { after, limit }, call);
      expect(page.items.length, 'items of a page').to.be.at.most(limit);
      ids.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    return ids;
  }
});

describe('a page of entitlements', () => {
  it('looks at two thousand at most, and continues where it ended', async () => {
    const all = range(5000).map((index) => aSubscription({ id: `ent_${10_000 + index}` }));
    let read = 0;
    const port: Pick<AllEntitlements, 'page'> = {
      page: async ({ after, limit }) => {
        const found = all.filter(({ id }) => after === null || id > after).slice(0, limit);
        read += found.length;
        return found;
      },
    };
    const list = listEntitlements(port as AllEntitlements);
    const filter = { ...everything, status: 'revoked' } as const;
    const first = await list(filter, { after: null, limit: 10 }, aCall());
    expect([first.items, first.next === null, read < 2100]).to.deep.equal([[], false, true]);
    const second = await list(filter, { after: first.next, limit: 10 }, aCall());
    const third = await list(filter, { after: second.next, limit: 10 }, aCall());
    expect([second.next === null, third.next, third.items]).to.deep.equal([false, null, []]);
  });

  it('is the last one if it ends with the list', async () => {
    const all = range(200).map((index) => aSubscription({ id: `ent_${1000 + index}` }));
    const port: Pick<AllEntitlements, 'page'> = { page: async ({ limit }) => all.slice(0, limit) };
    for (const filter of [everything, { ...everything, status: 'active' }] as const) {
      const page = await listEntitlements(port as AllEntitlements)(filter, { after: null, limit: 200 }, aCall());
      expect([page.items.length, page.next]).to.deep.equal([200, null]);
    }
  });
});
