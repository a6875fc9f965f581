import { expect } from 'chai';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
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
