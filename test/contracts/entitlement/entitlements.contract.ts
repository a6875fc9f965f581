import { expect } from 'chai';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import type { NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
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
  noon,
} from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { tally } from '../../support/tally.ts';
import { thrownBy } from '../../support/thrown.ts';

export function entitlementsContract(open: OpenStore): void {
  describe('Entitlements', () => {
    const store = freshStore(open);

    describe('find', () => {
      it('returns every member of a subscription, instants to the millisecond', async () => {
        const everything = aSubscription({
          standing: 'trialing',
          billingInterval: 'week',
          billingIntervalCount: 120,
          tierName: 'Größe "XL" $ref 🎉',
          hold: { kind: 'revoked', at: later(1) },
          currentPeriodStart: later(-999),
          currentPeriodEnd: later(7),
          anchorDay: 31,
          updatesUntil: later(9),
          graceUntil: later(8),
          cancellation: { at: later(7), requestedAt: later(-1) },
          license: aLicense({ lastFour: null, createdAt: later(3), revokedAt: later(4) }),
          createdAt: later(5),
          updatedAt: later(6),
          version: 7,
          revision: 11,
          unannouncedEnd: later(7),
        });
        await store().allEntitlements.add(granted([everything]), aCall());
        expect(await store().entitlements.find('ent_1', 'prod_1', aCall())).to.deep.equal(everything);
      });

      it('returns a subscription and a purchase without any optional member', async () => {
        const bare = [
          aSubscription(),
          aOneTimePurchase(),
          aOneTimePurchase({ id: 'ending', accessEndsAt: new Date(0), updatesUntil: later(1) }),
          aOneTimePurchase({ id: 'held', hold: { kind: 'suspended' } }),
          aOneTimePurchase({ id: 'unpaid', hold: { kind: 'suspended', causes: ['payment'] } }),
          aSubscription({ id: 'both', hold: { kind: 'suspended', causes: ['operator', 'payment'] } }),
        ];
        await store().allEntitlements.add(granted(bare), aCall());
        const found = bare.map(({ id }) => store().entitlements.find(id, 'prod_1', aCall()));
        expect(await Promise.all(found)).to.deep.equal(bare);
      });

      it("finds nothing for another product's entitlement", async () => {
        await store().allEntitlements.add(granted([aSubscription()]), aCall());
        const asked = [
          store().entitlements.find('ent_1', 'prod_2', aCall()),
          store().entitlements.find('ent_2', 'prod_1', aCall()),
        ];
        expect(await Promise.all(asked)).to.deep.equal([null, null]);
      });
    });

    describe('replace', () => {
      it('stores the entitlement and the record', async () => {
        const seen = await stored(store(), aSubscription());
        const record = aRecord(seen);
        expect(
          await store().entitlements.replace(seen, changed(seen), record, aChangeRecord(changed(seen)), aCall()),
        ).to.deep.equal({
          kind: 'replaced',
        });
        expect(await state(store(), seen, record.key)).to.deep.equal({ entitlement: changed(seen), record });
      });

      it('stores the record of a request that changed nothing', async () => {
        const seen = await stored(store(), aSubscription());
        const next = { ...seen, revision: seen.revision + 1 };
        expect(await replace(store(), seen, { key: 'key-00000001', next })).to.deep.equal({ kind: 'replaced' });
        const { entitlement, record } = await state(store(), seen, 'key-00000001');
        expect([entitlement, record?.key]).to.deep.equal([next, 'key-00000001']);
      });

      it('is stale and changes nothing if the revision has moved, even without the version', async () => {
        const seen = await stored(store(), aSubscription());
        const moved = { ...seen, revision: seen.revision + 1 };
        await replace(store(), seen, { key: 'key-00000001', next: moved });
        expect(await replace(store(), seen, { key: 'key-00000002' })).to.deep.equal({ kind: 'stale' });
        expect(await state(store(), seen, 'key-00000002')).to.deep.equal({ entitlement: moved, record: null });
      });

      it('is stale and stores no record if the entitlement does not exist', async () => {
        const seen = aSubscription();
        expect(await replace(store(), seen, { key: 'key-00000001' })).to.deep.equal({ kind: 'stale' });
        expect(await state(store(), seen, 'key-00000001')).to.deep.equal({ entitlement: null, record: null });
      });

      it('refuses a key that the entitlement has a record of, and changes nothing', async () => {
        const seen = await stored(store(), aSubscription());
        await replace(store(), seen, { key: 'key-00000001' });
        const first = await state(store(), seen, 'key-00000001');
        expect(await replace(store(), changed(seen), { key: 'key-00000001' })).to.deep.equal({ kind: 'key taken' });
        expect(await state(store(), seen, 'key-00000001')).to.deep.equal(first);
      });

      it('refuses a key that another entitlement of the product has a record of, and changes nothing', async () => {
        const a = await stored(store(), aSubscription({ id: 'a' }));
        const b = await stored(store(), aSubscription({ id: 'b' }));
        await replace(store(), a, { key: 'key-00000001' });
        expect(await replace(store(), b, { key: 'key-00000001' })).to.deep.equal({ kind: 'key taken' });
        const { entitlement, record } = await state(store(), b, 'key-00000001');
        expect([entitlement, record?.entitlementId]).to.deep.equal([b, 'a']);
      });

      it('keeps the keys of two products apart', async () => {
        const a = await stored(store(), aSubscription({ id: 'a', productId: 'prod_1' }));
        const b = await stored(store(), aSubscription({ id: 'b', productId: 'prod_2' }));
        expect(await replace(store(), a, { key: 'key-00000001' })).to.deep.equal({ kind: 'replaced' });
        expect(await replace(store(), b, { key: 'key-00000001' })).to.deep.equal({ kind: 'replaced' });
        const holders = ['prod_1', 'prod_2'].map((product) =>
          store().idempotencyRecords.find(product, 'key-00000001', aCall()),
        );
        expect((await Promise.all(holders)).map((record) => record?.entitlementId)).to.deep.equal(['a', 'b']);
      });

      it('stores any key as it is, whatever it means in a query language', async () => {
        const keys = [
          '$ref',
          '$$NOW-1',
          'a.b',
          '.a',
          'it\'s "quoted"',
          '  spaces  ',
          '__proto__',
          "' OR 1=1 --",
          '\\',
          '{"$gt":""}',
        ];
        let seen = await stored(store(), aSubscription());
        for (const key of keys) {
          expect(await replace(store(), seen, { key })).to.deep.equal({ kind: 'replaced' });
          seen = changed(seen);
        }
        const found = keys.map((key) => store().idempotencyRecords.find('prod_1', key, aCall()));
        expect((await Promise.all(found)).map((record) => record?.key)).to.deep.equal(keys);
      });

      it('compares keys by every character, case and trailing spaces included', async () => {
        const seen = await stored(store(), aSubscription());
        await replace(store(), seen, { key: 'Key-0001' });
        const others = ['key-0001', 'Key-0001 ', 'Key-00010', 'Key-000'];
        const found = others.map((key) => store().idempotencyRecords.find('prod_1', key, aCall()));
        expect(await Promise.all(found)).to.deep.equal([null, null, null, null]);
      });

      it('writes the first record of each of two hundred entitlements of one product', async () => {
        const many = range(200).map((index) => aSubscription({ id: `ent_${index}` }));
        await store().allEntitlements.add(granted(many), aCall());
        const outcomes = many.map((seen, index) => replace(store(), seen, { key: `key-${index}` }));
        expect(tally(await Promise.all(outcomes))).to.deep.equal({ replaced: 200 });
      });
    });

    describe('in a race', () => {
      it('lets one of twenty writers that saw one state win, with its record and no other', async () => {
        const seen = await stored(store(), aSubscription());
        const outcomes = await Promise.all(range(20).map((index) => replace(store(), seen, { key: `key-${index}` })));
        expect(tally(outcomes)).to.deep.equal({ replaced: 1, stale: 19 });
        const found = await Promise.all(
          range(20).map((index) => store().idempotencyRecords.find('prod_1', `key-${index}`, aCall())),
        );
        expect(found.map((record) => record !== null)).to.deep.equal(outcomes.map(({ kind }) => kind === 'replaced'));
      });

      it('lets one of twenty writers of one key win, over twenty entitlements', async () => {
        const many = range(20).map((index) => aSubscription({ id: `ent_${index}` }));
        await store().allEntitlements.add(granted(many), aCall());
        const outcomes = await Promise.all(many.map((seen) => replace(store(), seen, { key: 'key-00000001' })));
        expect(tally(outcomes)).to.deep.equal({ replaced: 1, 'key taken': 19 });
        const found = await Promise.all(many.map(({ id }) => store().entitlements.find(id, 'prod_1', aCall())));
        expect(found).to.deep.equal(
          many.map((seen, index) => (outcomes[index]?.kind === 'replaced' ? changed(seen) : seen)),
        );
      });

      it('carries out each of two keys once for twenty writers that retry when stale, over two processes', async () => {
        const seen = await stored(store(), aSubscription());
        const other = (await store().reopenBeside?.()) ?? null;
        try {
          const outcomes = await Promise.all(
            range(20).map((index) =>
              writeUntilNotStale(index % 2 === 0 ? store() : (other ?? store()), seen, `key-${index % 2}`),
            ),
          );
          expect(tally(outcomes)).to.deep.equal({ replaced: 2, 'key taken': 18 });
          expect((await store().entitlements.find('ent_1', 'prod_1', aCall()))?.version).to.equal(seen.version + 2);
        } finally {
          await other?.close();
        }
      });

      it('shows a reader the whole write or nothing', async () => {
        const seen = await stored(store(), aSubscription());
        const writing = replace(store(), seen, { key: 'key-00000001' });
        let entitlement: unknown = seen;
        while (entitlement !== null) {
          const found = await store().entitlements.find('ent_1', 'prod_1', aCall());
          if (found?.revision === seen.revision) continue;
          const record = await store().idempotencyRecords.find('prod_1', 'key-00000001', aCall());
          expect([found, record?.key]).to.deep.equal([changed(seen), 'key-00000001']);
          entitlement = null;
        }
        expect(await writing).to.deep.equal({ kind: 'replaced' });
      });
    });

    for (const when of moments) {
      it(`has one effect if a write fails ${when} it takes effect and is retried`, async () => {
        const seen = await stored(store(), aSubscription());
        const entitlements = failing(store().entitlements, { method: 'replace', nth: 1, when });
        const fault = await thrownBy(replace({ ...store(), entitlements }, seen, { key: 'key-00000001' }));
        expect(fault).to.be.instanceOf(InjectedFault);
        const again = await writeUntilNotStale({ ...store(), entitlements }, seen, 'key-00000001');
        expect(again.kind).to.equal(when === 'before' ? 'replaced' : 'key taken');
        const { entitlement, record } = await state(store(), seen, 'key-00000001');
        expect([entitlement, record?.key]).to.deep.equal([changed(seen), 'key-00000001']);
      });
    }
  });
}

async function stored(store: StorePorts, entitlement: Subscription): Promise<Subscription> {
  await store.allEntitlements.add(granted([entitlement]), aCall());
  return entitlement;
}

interface Write {
  readonly key: string;
  readonly next?: Subscription;
  readonly call?: Call;
}

function replace(store: StorePorts, seen: Subscription, write: Write): Promise<ReplaceOutcome<NoRecord>> {
  const { key, next = changed(seen), call = aCall() } = write;
  const changeRecord = next.version === seen.version ? null : aChangeRecord(next);
  return store.entitlements.replace(seen, next, aRecord(seen, { key, at: call.now }), changeRecord, call);
}

/** Writes until it is not stale, each time from the state that is stored. */
async function writeUntilNotStale(
  store: StorePorts,
  first: Subscription,
  key: string,
): Promise<ReplaceOutcome<NoRecord>> {
  for (let seen = first; ;) {
    const outcome = await replace(store, seen, { key });
    if (outcome.kind !== 'stale') return outcome;
    const found = await store.entitlements.find(first.id, first.productId, aCall());
    if (found?.kind !== 'subscription') throw new Error('the entitlement is gone');
    seen = found;
  }
}

async function state(store: StorePorts, { id, productId }: Subscription, key: string) {
  const call = aCall({ now: noon });
  const [entitlement, record] = await Promise.all([
    store.entitlements.find(id, productId, call),
    store.idempotencyRecords.find(productId, key, call),
  ]);
  return { entitlement, record };
}
