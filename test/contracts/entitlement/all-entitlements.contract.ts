import { expect } from 'chai';
import { compareCodePoints } from '../../../core/code-points.ts';
import type { NewestPart } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Entitlement, Subscription } from '../../../core/entitlement/entitlement.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  aOneTimePurchase,
  aRecord,
  aSubscription,
  changed,
  granted,
  later,
} from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';
import { tally } from '../../support/tally.ts';
import { thrownBy } from '../../support/thrown.ts';

const licensed = aSubscription({ id: 'a', license: aLicense({ digest: 'first' }) });
const other = aSubscription({ id: 'b', productId: 'prod_2', license: aLicense({ digest: 'second' }) });

export function allEntitlementsContract(open: OpenStore): void {
  describe('AllEntitlements', () => {
    const store = freshStore(open);

    it('finds an entitlement of any product by its id, and by its license, revoked or not', async () => {
      const revoked = { ...other, license: aLicense({ digest: 'second', revokedAt: later(0) }) };
      await add(store(), licensed, revoked);
      const { allEntitlements } = store();
      expect(await allEntitlements.find('b', aCall())).to.deep.equal(revoked);
      expect(await allEntitlements.findByLicense('first', aCall())).to.deep.equal(licensed);
      expect(await allEntitlements.findByLicense('second', aCall())).to.deep.equal(revoked);
    });

    it('finds nothing for an unknown id or digest', async () => {
      await add(store(), aSubscription());
      const { allEntitlements } = store();
      expect(await allEntitlements.find('ent_2', aCall())).to.equal(null);
      expect(await allEntitlements.findByLicense('first', aCall())).to.equal(null);
    });

    describe('list', () => {
      const ids = inCodePointOrder.toReversed();

      it('is by id in code-point order', async () => {
        await add(store(), ...ids.map((id) => aOneTimePurchase({ id })));
        expect((await entitlementsIn(store())).map(({ id }) => id)).to.deep.equal(inCodePointOrder);
      });

      it('has the entitlements of one product only, if one is given', async () => {
        await add(store(), ...ids.map((id) => aOneTimePurchase({ id })), other);
        const named = [];
        for (const product of ['prod_1', 'prod_2', 'prod_3']) {
          named.push((await pageOf(product)).map(({ id }) => id));
        }
        expect(named).to.deep.equal([inCodePointOrder, ['b'], []]);
      });

      it('returns every entitlement whole and once, over several pages', async () => {
        const many = range(450).map((index) => aSubscription({ id: `ent_${1000 + index}`, version: index }));
        await add(store(), ...many);
        expect(await entitlementsIn(store())).to.deep.equal(many);
        expect(await pageOf('prod_1')).to.deep.equal(many);
      });

      it('continues after any id, whether it exists or not', async () => {
        await add(store(), ...range(9).map((index) => aSubscription({ id: `ent_${index}` })));
        for (const product of [null, 'prod_1']) {
          expect((await pageOf(product, 'ent_3', 2)).map(({ id }) => id)).to.deep.equal(['ent_4', 'ent_5']);
          expect((await pageOf(product, 'ent_35', 1)).map(({ id }) => id)).to.deep.equal(['ent_4']);
          expect(await pageOf(product, 'ent_8', 2)).to.deep.equal([]);
        }
      });

      it('has the one entitlement of a product that has a reference', async () => {
        const first = aSubscription({ id: 'x', reference: 'sub 1' });
        const second = aSubscription({ id: 'y', reference: 'sub_2' });
        const elsewhere = aOneTimePurchase({ id: 'z', productId: 'prod_2', reference: 'sub 1' });
        await add(store(), first, second, elsewhere, aSubscription());
        const found = [];
        for (const [productId, reference, after] of [
          ['prod_1', 'sub 1', null],
          ['prod_2', 'sub 1', null],
          ['prod_1', 'SUB 1', null],
          ['prod_1', 'sub 1', 'x'],
        ] as const) {
          found.push(await store().allEntitlements.page({ productId, reference, after, limit: 9 }, aCall()));
        }
        expect(found).to.deep.equal([[first], [elsewhere], [], []]);
      });
    });

    describe('the newest', () => {
      it('come first, and of one instant those with the last id, over parts of any size', async () => {
        const many = range(20).map((index) =>
          aged(`ent_${String(index).padStart(2, '0')}`, Math.floor(index / 10) * 5),
        );
        const elsewhere = range(5).map((index) => aged(`x_${index}`, 7, { productId: 'prod_2' }));
        await add(store(), ...many, ...elsewhere, ...inCodePointOrder.map((id) => aged(id, 99)));
        const all = [...many, ...elsewhere, ...inCodePointOrder.map((id) => aged(id, 99))];
        const sorted = all.toSorted(
          (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareCodePoints(b.id, a.id),
        );
        for (const productId of [null, 'prod_1', 'prod_2', 'prod_3']) {
          const expected = sorted.filter((each) => productId === null || each.productId === productId);
          for (const limit of [1, 7, 100]) {
            const seen: Entitlement[] = [];
            for (;;) {
              const part = { order: 'newest', productId, after: seen.at(-1) ?? null, limit } as const;
              const found = await store().allEntitlements.page(part, aCall());
              seen.push(...found);
              if (found.length < limit) break;
            }
            expect(seen).to.deep.equal(expected);
          }
        }
      });

      it('miss none that was there, and show none twice, while others are added and changed between two parts', async () => {
        await add(store(), ...range(20).map((index) => aged(`ent_${10 + index}`, 0)));
        const seen: string[] = [];
        let after: Entitlement | null = null;
        for (let round = 0; round < 10; round += 1) {
          const found: readonly Entitlement[] = await store().allEntitlements.page(
            { order: 'newest', productId: null, after, limit: 3 },
            aCall(),
          );
          seen.push(...found.map(({ id }) => id));
          const [first] = found;
          if (first === undefined) break;
          const next = changed(first as Subscription);
          await store().allEntitlements.replace(first, next, aChangeRecord(next), aCall());
          await add(store(), aged(`ent_${90 - round}`, 0), aged(`new_${round}`, -5));
          after = found.at(-1) ?? null;
        }
        const there = range(20).map((index) => `ent_${29 - index}`);
        expect(seen.filter((id) => there.includes(id))).to.deep.equal(there);
        expect(new Set(seen).size).to.equal(seen.length);
      });

      it('are found by the end of their keys, in either order, as their licenses change', async () => {
        const first = aged('a', 9, ending('X5SX', 'one'));
        await add(
          store(),
          first,
          aged('b', 1, ending('x5sx', 'two')),
          aged('c', 5, { ...ending('X5SX', 'three'), productId: 'prod_2' }),
          aged('d', 5, ending('X5SY', 'four')),
          aged('e', 5, { license: null }),
        );
        const byId = async (
          lastFour: readonly string[],
          productId: string | null = null,
          after: string | null = null,
        ) =>
          (await store().allEntitlements.page({ productId, reference: null, lastFour, after, limit: 9 }, aCall())).map(
            ({ id }) => id,
          );
        const both = ['x5sx', 'X5SX'];
        expect(await newest(store(), { lastFour: both })).to.deep.equal(['b', 'c', 'a']);
        expect(await newest(store(), { lastFour: both, productId: 'prod_1' })).to.deep.equal(['b', 'a']);
        expect(await newest(store(), { lastFour: both, limit: 1 })).to.deep.equal(['b']);
        expect(await newest(store(), { lastFour: both, after: { id: 'b', createdAt: later(-1) } })).to.deep.equal([
          'c',
          'a',
        ]);
        expect([await byId(both), await byId(both, 'prod_2'), await byId(both, null, 'a')]).to.deep.equal([
          ['a', 'b', 'c'],
          ['c'],
          ['b', 'c'],
        ]);
        const next = changed({ ...first, ...ending('NEW1', 'five') });
        await store().allEntitlements.replace(first, next, aChangeRecord(next), aCall());
        expect([await byId(['X5SX']), await byId(['NEW1']), await byId(['none'])]).to.deep.equal([['c'], ['a'], []]);
      });
    });

    describe('add', () => {
      it('refuses a reference that another entitlement of the product has, one of twenty at once too', async () => {
        const rivals = range(20).map((index) => aSubscription({ id: `rival_${index}`, reference: 'sub_1' }));
        const outcomes = await Promise.all(
          rivals.map((rival) => store().allEntitlements.add(granted([rival]), aCall())),
        );
        expect(tally(outcomes.flat())).to.deep.equal({ added: 1, 'reference taken': 19 });
        const others = [aSubscription({ reference: 'sub_1', productId: 'prod_2' }), aSubscription({ id: 'none' })];
        const added = await store().allEntitlements.add(granted(others), aCall());
        expect(tally(added)).to.deep.equal({ added: 2 });
      });

      it('returns the outcomes in order, and one refusal does not undo the others', async () => {
        await add(store(), licensed);
        const thief = aSubscription({ id: 'thief', license: aLicense({ digest: 'first' }) });
        const again = { ...licensed, tierName: 'Another', license: null };
        const last = aOneTimePurchase({ id: 'last' });
        const batch = [other, thief, again, last, { ...last, tierName: 'Twice' }];
        expect(await store().allEntitlements.add(granted(batch), aCall())).to.deep.equal([
          { kind: 'added' },
          { kind: 'license taken' },
          { kind: 'id taken' },
          { kind: 'added' },
          { kind: 'id taken' },
        ]);
        expect(await entitlementsIn(store())).to.deep.equal([licensed, other, last]);
      });

      it('adds one of two entitlements that share a license', async () => {
        const twin = aSubscription({ id: 'c', license: aLicense({ digest: 'first' }) });
        const outcomes = await store().allEntitlements.add(granted([licensed, twin]), aCall());
        expect(outcomes).to.deep.equal([{ kind: 'added' }, { kind: 'license taken' }]);
      });

      it('refuses an existing id before an existing license', async () => {
        await add(store(), licensed);
        expect(await store().allEntitlements.add(granted([licensed]), aCall())).to.deep.equal([{ kind: 'id taken' }]);
      });

      it('accepts an empty list', async () => {
        expect(await store().allEntitlements.add(granted([]), aCall())).to.deep.equal([]);
      });
    });

    describe('replace', () => {
      it('stores every member that a command can change', async () => {
        await add(store(), licensed);
        const next = aSubscription({
          id: 'a',
          standing: 'past_due',
          hold: { kind: 'suspended', causes: ['operator', 'payment'] },
          currentPeriodStart: later(1),
          currentPeriodEnd: later(2),
          graceUntil: later(3),
          cancellation: { at: later(2), requestedAt: later(1) },
          license: aLicense({ digest: 'third', lastFour: null, createdAt: later(4), revokedAt: later(5) }),
          updatedAt: later(6),
          version: 2,
          revision: 2,
          sequence: 1,
        });
        expect(await store().allEntitlements.replace(licensed, next, aChangeRecord(next), aCall())).to.deep.equal({
          kind: 'replaced',
        });
        expect(await store().allEntitlements.find('a', aCall())).to.deep.equal(next);
      });

      it('is stale and changes nothing if the revision has moved, or the entitlement is missing', async () => {
        await add(store(), licensed);
        const next = { ...changed(licensed), license: aLicense({ digest: 'third' }) };
        const outdated = { ...licensed, revision: 0 };
        expect(await store().allEntitlements.replace(outdated, next, aChangeRecord(next), aCall())).to.deep.equal({
          kind: 'stale',
        });
        expect(
          await store().allEntitlements.replace(other, changed(other), aChangeRecord(changed(other)), aCall()),
        ).to.deep.equal({ kind: 'stale' });
        expect(await entitlementsIn(store())).to.deep.equal([licensed]);
        expect(await store().allEntitlements.findByLicense('third', aCall())).to.equal(null);
      });

      it("refuses another entitlement's license, a revoked one too, and changes nothing", async () => {
        const revoked = { ...other, license: aLicense({ digest: 'second', revokedAt: later(0) }) };
        await add(store(), licensed, revoked);
        const next = { ...changed(licensed), license: aLicense({ digest: 'second' }) };
        expect(await store().allEntitlements.replace(licensed, next, aChangeRecord(next), aCall())).to.deep.equal({
          kind: 'license taken',
        });
        expect(await store().allEntitlements.find('a', aCall())).to.deep.equal(licensed);
        expect(await store().allEntitlements.findByLicense('second', aCall())).to.deep.equal(revoked);
      });

      it('is stale before it is a taken license, so that the next attempt decides', async () => {
        await add(store(), licensed, other);
        const next = { ...changed(licensed), license: aLicense({ digest: 'second' }) };
        const outdated = { ...licensed, revision: 0 };
        expect(await store().allEntitlements.replace(outdated, next, aChangeRecord(next), aCall())).to.deep.equal({
          kind: 'stale',
        });
      });

      it('frees a replaced license, for any entitlement', async () => {
        await add(store(), licensed, other);
        const rotated = { ...changed(licensed), license: aLicense({ digest: 'third' }) };
        await store().allEntitlements.replace(licensed, rotated, aChangeRecord(rotated), aCall());
        expect(await store().allEntitlements.findByLicense('first', aCall())).to.equal(null);
        expect(await store().allEntitlements.findByLicense('third', aCall())).to.deep.equal(rotated);
        const heir = { ...changed(other), license: aLicense({ digest: 'first' }) };
        expect(await store().allEntitlements.replace(other, heir, aChangeRecord(heir), aCall())).to.deep.equal({
          kind: 'replaced',
        });
        expect(await store().allEntitlements.findByLicense('first', aCall())).to.deep.equal(heir);
      });

      it('keeps the records of the entitlement', async () => {
        const seen = aSubscription();
        await add(store(), seen);
        await store().entitlements.replace(seen, changed(seen), aRecord(seen), aChangeRecord(changed(seen)), aCall());
        const again = changed(changed(seen));
        expect(
          await store().allEntitlements.replace(changed(seen), again, aChangeRecord(again), aCall()),
        ).to.deep.equal({
          kind: 'replaced',
        });
        expect(await store().idempotencyRecords.find('prod_1', 'key-00000001', aCall())).to.deep.equal(aRecord(seen));
      });
    });

    describe('findExisting', () => {
      it('returns the ids and the digests that entitlements have, revoked ones included', async () => {
        const revoked = { ...other, license: aLicense({ digest: 'second', revokedAt: later(0) }) };
        await add(
          store(),
          licensed,
          { ...revoked, reference: 'b' },
          aOneTimePurchase({ id: 'first', reference: 'x/y' }),
        );
        const claims = {
          ids: ['a', 'b', 'c', 'first', 'second'],
          digests: ['second', 'third', 'a', 'first'],
          references: ['prod_1/b', 'prod_2/b', 'prod_1/first', 'prod_1/x/y'],
        };
        expect(await store().allEntitlements.findExisting(claims, aCall())).to.deep.equal({
          ids: new Set(['a', 'b', 'first']),
          digests: new Set(['first', 'second']),
          references: new Set(['prod_2/b', 'prod_1/x/y']),
        });
      });

      it('returns nothing for no keys', async () => {
        await add(store(), licensed);
        const nothing = await store().allEntitlements.findExisting({ ids: [], digests: [], references: [] }, aCall());
        expect(nothing).to.deep.equal({ ids: new Set(), digests: new Set(), references: new Set() });
      });

      it('handles more keys than one query', async () => {
        const many = range(1200).map((index) =>
          aSubscription({
            id: `ent_${index}`,
            license: aLicense({ digest: digestOf(index) }),
            reference: `sub_${index}`,
          }),
        );
        await add(store(), ...many);
        const claims = {
          ids: range(2500).map((index) => `ent_${index + 1000}`),
          digests: range(2500).map((index) => digestOf(index + 1100)),
          references: range(2500).map((index) => `prod_1/sub_${index + 1150}`),
        };
        expect(await store().allEntitlements.findExisting(claims, aCall())).to.deep.equal({
          ids: new Set(range(200).map((index) => `ent_${index + 1000}`)),
          digests: new Set(range(100).map((index) => digestOf(index + 1100))),
          references: new Set(range(50).map((index) => `prod_1/sub_${index + 1150}`)),
        });
      });
    });

    describe('in a race', () => {
      it('adds one of twenty entitlements with one id', async () => {
        const rivals = range(20).map((version) => aSubscription({ version }));
        const outcomes = await Promise.all(
          rivals.map((rival) => store().allEntitlements.add(granted([rival]), aCall())),
        );
        expect(tally(outcomes.flat())).to.deep.equal({ added: 1, 'id taken': 19 });
        const winner = rivals[outcomes.findIndex(([outcome]) => outcome?.kind === 'added')];
        expect(await entitlementsIn(store())).to.deep.equal([winner]);
      });

      it('adds one of twenty entitlements with one license', async () => {
        const rivals = range(20).map((index) => aSubscription({ id: `ent_${index}`, license: aLicense() }));
        const outcomes = await Promise.all(
          rivals.map((rival) => store().allEntitlements.add(granted([rival]), aCall())),
        );
        expect(tally(outcomes.flat())).to.deep.equal({ added: 1, 'license taken': 19 });
      });

      it('lets one of twenty that saw one state win, commands and requests alike', async () => {
        const seen = aSubscription();
        await add(store(), seen);
        const outcomes = await Promise.all(
          range(20).map((index) =>
            index % 2 === 0
              ? store().allEntitlements.replace(seen, changed(seen), aChangeRecord(changed(seen)), aCall())
              : store().entitlements.replace(
                  seen,
                  changed(seen),
                  aRecord(seen, { key: `key-${index}` }),
                  aChangeRecord(changed(seen)),
                  aCall(),
                ),
          ),
        );
        const { changed: byCommand = 0, replaced: byRequest = 0, stale } = tally(outcomes);
        expect([byCommand + byRequest, stale]).to.deep.equal([1, 19]);
        expect(await store().allEntitlements.find('ent_1', aCall())).to.deep.equal(changed(seen));
      });
    });

    for (const when of moments) {
      it(`adds once if an addition fails ${when} it takes effect and is retried`, async () => {
        const allEntitlements = failing(store().allEntitlements, { method: 'add', nth: 1, when });
        expect(await thrownBy(allEntitlements.add(granted([licensed]), aCall()))).to.be.instanceOf(InjectedFault);
        const kind = when === 'before' ? 'added' : 'id taken';
        expect(await allEntitlements.add(granted([licensed]), aCall())).to.deep.equal([{ kind }]);
        expect(await entitlementsIn({ allEntitlements })).to.deep.equal([licensed]);
      });

      it(`changes once if a change fails ${when} it takes effect and is retried`, async () => {
        await add(store(), licensed);
        const allEntitlements = failing(store().allEntitlements, { method: 'replace', nth: 1, when });
        const next = changed(licensed);
        expect(await thrownBy(allEntitlements.replace(licensed, next, aChangeRecord(next), aCall()))).to.be.instanceOf(
          InjectedFault,
        );
        const kind = when === 'before' ? 'replaced' : 'stale';
        expect(await allEntitlements.replace(licensed, next, aChangeRecord(next), aCall())).to.deep.equal({ kind });
        expect(await allEntitlements.find('a', aCall())).to.deep.equal(next);
      });
    }

    function pageOf(
      productId: string | null,
      after: string | null = null,
      limit = 10_000,
    ): Promise<readonly Entitlement[]> {
      return store().allEntitlements.page({ productId, reference: null, after, limit }, aCall());
    }
  });
}

function digestOf(index: number): string {
  return `digest-${index}`;
}

async function add(store: StorePorts, ...entitlements: readonly Entitlement[]): Promise<void> {
  await store.allEntitlements.add(granted(entitlements), aCall());
}

/** An entitlement that was granted `age` milliseconds ago. */
function aged(id: string, age: number, more: Partial<Subscription> = {}): Subscription {
  return aSubscription({
    id,
    createdAt: later(-age),
    license: aLicense({ digest: `digest of ${id}`, lastFour: null }),
    ...more,
  });
}

function ending(lastFour: string | null, digest: string): Pick<Subscription, 'license'> {
  return { license: aLicense({ digest, lastFour }) };
}

/** The ids of a part of the list, the newest first. */
async function newest({ allEntitlements }: StorePorts, part: Partial<NewestPart>): Promise<readonly string[]> {
  const found = await allEntitlements.page(
    { order: 'newest', productId: null, after: null, limit: 100, ...part },
    aCall(),
  );
  return found.map(({ id }) => id);
}
