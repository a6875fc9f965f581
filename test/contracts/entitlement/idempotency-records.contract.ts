import { expect } from 'chai';
import { aCall, aChangeRecord, aRecord, aSubscription, changed, granted, later, noon } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

export function idempotencyRecordsContract(open: OpenStore): void {
  describe('IdempotencyRecords', () => {
    const store = freshStore(open);

    it('returns every member of a record, instants to the millisecond', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      const record = aRecord(seen, {
        key: 'key with "every" $member',
        operation: 'resume',
        at: noon,
        correlationId: 'AZaz09._-',
        facts: {
          status: 'suspended',
          currentPeriodStart: later(1),
          currentPeriodEnd: later(2),
          cancelAt: later(3),
          canceledAt: later(4),
          updatedAt: later(5),
          version: 123_456,
          tierId: 'team',
          tierName: 'Größe "XL" $ref',
          billingInterval: 'week',
          billingIntervalCount: 3,
          updatesUntil: later(6),
        },
      });
      await store().entitlements.replace(seen, changed(seen), record, aChangeRecord(changed(seen)), aCall());
      expect(await store().idempotencyRecords.find('prod_1', record.key, aCall())).to.deep.equal(record);
    });

    it('returns a record without any optional fact', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      const { facts } = aRecord(seen);
      const none = { currentPeriodEnd: null, cancelAt: null, canceledAt: null, updatesUntil: null };
      const record = aRecord(seen, { facts: { ...facts, ...none } });
      await store().entitlements.replace(seen, changed(seen), record, aChangeRecord(changed(seen)), aCall());
      expect(await store().idempotencyRecords.find('prod_1', record.key, aCall())).to.deep.equal(record);
    });

    it('finds nothing for an unknown key, an empty one, or one of another product', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      await store().entitlements.replace(seen, changed(seen), aRecord(seen), aChangeRecord(changed(seen)), aCall());
      const asked = [
        store().idempotencyRecords.find('prod_1', 'key-00000002', aCall()),
        store().idempotencyRecords.find('prod_1', '', aCall()),
        store().idempotencyRecords.find('prod_2', 'key-00000001', aCall()),
      ];
      expect(await Promise.all(asked)).to.deep.equal([null, null, null]);
    });

    it('finds records of several entitlements and products at once, each its own', async () => {
      const many = range(30).map((index) => aSubscription({ id: `ent_${index}`, productId: `prod_${index % 3}` }));
      await store().allEntitlements.add(granted(many), aCall());
      const records = many.map((seen, index) => aRecord(seen, { key: `key-${index % 10}-${index % 3}` }));
      await Promise.all(
        many.map((seen, index) =>
          store().entitlements.replace(
            seen,
            changed(seen),
            records[index] ?? aRecord(seen),
            aChangeRecord(changed(seen)),
            aCall(),
          ),
        ),
      );
      const found = records.map(({ productId, key }) => store().idempotencyRecords.find(productId, key, aCall()));
      expect(await Promise.all(found)).to.deep.equal(records);
    });

    it('shows a record to every process once its write has resolved', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      await beside(store(), async (other) => {
        await store().entitlements.replace(seen, changed(seen), aRecord(seen), aChangeRecord(changed(seen)), aCall());
        expect(await other.idempotencyRecords.find('prod_1', 'key-00000001', aCall())).to.deep.equal(aRecord(seen));
      });
    });

    it('finds the record again after a look-up that failed', async () => {
      const seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      await store().entitlements.replace(seen, changed(seen), aRecord(seen), aChangeRecord(changed(seen)), aCall());
      const records = failing(store().idempotencyRecords, { method: 'find', nth: 1, when: 'after' });
      expect(await thrownBy(records.find('prod_1', 'key-00000001', aCall()))).to.be.instanceOf(InjectedFault);
      expect(await records.find('prod_1', 'key-00000001', aCall())).to.deep.equal(aRecord(seen));
    });
  });
}
