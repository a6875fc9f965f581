import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import type { Call } from '../../../../core/call.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import {
  changeCancellation,
  type CancellationAnswer,
  type CancellationRequest,
} from '../../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aOneTimePurchase,
  aSubscription,
  changed,
  day,
  granted,
  later,
} from '../../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

const k1 = 'key-00000001';
const k2 = 'key-00000002';

describe('changeCancellation', () => {
  const store = freshStore(memory.open);
  const seen = aSubscription();
  const canceled = changed(seen);

  beforeEach(() => add(seen));

  it('cancels at the end of the period', async () => {
    expect(await cancel(k1, { correlationId: 'first-answer' })).to.deep.equal({
      snapshot: snapshotAt(canceled, later(0)),
      correlationId: 'first-answer',
      replayed: false,
    });
    expect(await stored()).to.deep.equal(canceled);
  });

  it('shows the change itself if the clock has several events before it', async () => {
    const period = { currentPeriodEnd: later(100), graceUntil: later(200), unannouncedEnd: later(200) };
    await add(aSubscription({ id: 'late', ...period }));
    const { entitlements, idempotencyRecords } = store();
    const soon = changeCancellation(entitlements, idempotencyRecords, nodePlatform.newEventId, 150);
    const request = { operation: 'cancel', entitlementId: 'late', productId: 'prod_1', idempotencyKey: k1 } as const;
    const { snapshot } = await soon(request, aCall({ now: later(150) }));
    expect(snapshot).to.deep.include({ status: 'past_due', cancelAt: later(200), version: 2 });
    expect((await store().allEntitlements.find('late', aCall()))?.sequence).to.equal(3);
  });

  it('undoes a cancellation', async () => {
    await cancel(k1);
    const { snapshot } = await resume(k2, { now: later(1) });
    expect(snapshot).to.deep.equal(snapshotAt(changed(canceled, later(1)), later(1)));
    expect(await stored()).to.deep.equal(changed(canceled, later(1)));
  });

  it('records an answer that changes nothing, and moves the revision only', async () => {
    const { snapshot } = await resume(k1);
    expect(snapshot).to.deep.equal(snapshotAt(seen, later(0)));
    expect(await stored()).to.deep.equal({ ...seen, revision: seen.revision + 1 });
    expect(await refusalOf(cancel(k1))).to.deep.equal({ code: 'idempotency_key_reused', details: {} });
  });

  for (const operation of ['cancel', 'resume'] as const) {
    it(`carries out one of fifty equal requests to ${operation}, and returns fifty equal answers`, async () => {
      const answers = await Promise.all(
        range(50).map((index) => change({ operation }, { correlationId: `call-${index}`, now: later(index) })),
      );
      const first = answers.filter(({ replayed }) => !replayed);
      expect(first).to.have.lengthOf(1);
      expect(answers.map((answer) => ({ ...answer, replayed: false }))).to.deep.equal(range(50).map(() => first[0]));
      expect((await stored())?.revision).to.equal(seen.revision + 1);
      const record = await store().idempotencyRecords.find('prod_1', k1, aCall());
      expect(record?.correlationId).to.equal(first[0]?.correlationId);
    });
  }

  it('carries out every one of fifty requests with different keys', async () => {
    const answers = await Promise.all(
      range(50).map((index) => change({ operation: index % 2 ? 'cancel' : 'resume', idempotencyKey: `key-${index}` })),
    );
    expect(answers.filter(({ replayed }) => replayed)).to.deep.equal([]);
    const found = await stored();
    expect(found?.revision).to.equal(seen.revision + 50);
    expect(Math.max(...answers.map(({ snapshot }) => snapshot.version))).to.equal(found?.version);
  });

  it('replays the first answer, whatever has happened since', async () => {
    const first = await cancel(k1, { correlationId: 'first-answer' });
    const renewed = {
      ...canceled,
      standing: 'past_due',
      cancellation: null,
      currentPeriodEnd: later(60 * day),
      graceUntil: later(61 * day),
      version: 3,
      revision: 3,
      sequence: 2,
    } as const;
    await administer(canceled, renewed);
    const again = await cancel(k1, { now: later(day), correlationId: 'second-answer' });
    expect(again).to.deep.equal({ ...first, replayed: true });
    const counts = { version: 4, revision: 4, sequence: 3 };
    const revoked = { ...renewed, hold: { kind: 'revoked', at: later(day) }, ...counts } as const;
    await administer(renewed, revoked);
    expect(await cancel(k1, { now: later(2 * day) })).to.deep.equal({ ...first, replayed: true });
    expect(await stored()).to.deep.equal(revoked);
  });

  it('leaves a resumed subscription resumed when the cancel before is retried', async () => {
    const first = await cancel(k1);
    await resume(k2, { now: later(1) });
    expect(await cancel(k1, { now: later(2) })).to.deep.equal({ ...first, replayed: true });
    expect(await stored()).to.deep.equal(changed(canceled, later(1)));
  });

  it('carries out a key again once its record has expired', async () => {
    await cancel(k1);
    await resume(k2);
    const { replayed } = await cancel(k1, { now: later(retentionFor(defaultTtl).milliseconds) });
    expect([replayed, (await stored())?.version]).to.deep.equal([false, 4]);
  });

  describe('refuses a used key', () => {
    const reused = { code: 'idempotency_key_reused', details: {} } as const;
    beforeEach(() => cancel(k1));

    it('for the other operation', async () => {
      expect(await refusalOf(resume(k1))).to.deep.equal(reused);
      expect(await stored()).to.deep.equal(canceled);
    });

    it('for another entitlement', async () => {
      const other = aSubscription({ id: 'ent_2' });
      await add(other);
      expect(await refusalOf(change({ entitlementId: 'ent_2' }))).to.deep.equal(reused);
      expect(await store().allEntitlements.find('ent_2', aCall())).to.deep.equal(other);
    });

    it('for an entitlement that does not exist, has ended, is a purchase, or belongs to another product', async () => {
      const hold = { kind: 'revoked', at: later(0) } as const;
      await add(
        aSubscription({ id: 'ended', hold }),
        aOneTimePurchase(),
        aSubscription({ id: 'b', productId: 'prod_2' }),
      );
      for (const entitlementId of ['unknown', 'ended', 'ent_once', 'b']) {
        expect(await refusalOf(change({ entitlementId }))).to.deep.equal(reused);
      }
    });

    it('within its own product only', async () => {
      await add(aSubscription({ id: 'b', productId: 'prod_2' }));
      const { replayed } = await change({ entitlementId: 'b', productId: 'prod_2' });
      expect(replayed).to.equal(false);
    });
  });

  it('refuses an unknown entitlement and one of another product alike, and records neither', async () => {
    const unknown = await refusalOf(change({ entitlementId: 'unknown' }));
    const foreign = await refusalOf(change({ productId: 'prod_2' }));
    expect([unknown, foreign]).to.deep.equal([
      { code: 'entitlement_not_found', details: {} },
      { code: 'entitlement_not_found', details: {} },
    ]);
    expect((await cancel(k1)).replayed).to.equal(false);
  });

  it('refuses what the status forbids, changes nothing, and leaves the key unused', async () => {
    const ended = aSubscription({ id: 'ended', graceUntil: later(0), currentPeriodEnd: later(-1) });
    await add(ended, aOneTimePurchase());
    expect(await refusalOf(change({ entitlementId: 'ended' }))).to.deep.equal({
      code: 'entitlement_ended',
      details: {},
    });
    expect(await refusalOf(change({ entitlementId: 'ent_once' }))).to.deep.equal({
      code: 'not_a_subscription',
      details: {},
    });
    expect(await store().allEntitlements.find('ended', aCall())).to.deep.equal(ended);
    expect(await store().allEntitlements.find('ent_once', aCall())).to.deep.equal(aOneTimePurchase());
    expect((await cancel(k1)).replayed).to.equal(false);
  });

  it('fails after the deadline, and changes nothing', async () => {
    const late = { deadline: { remaining: () => 0 } };
    expect((await refusalOf(cancel(k1, late))).code).to.equal('store_unavailable');
    expect(await stored()).to.deep.equal(seen);
  });

  for (const when of moments) {
    it(`has one effect if the write fails ${when} it takes effect and the request is retried`, async () => {
      const entitlements = failing(store().entitlements, { method: 'replace', nth: 1, when });
      const ports = { ...store(), entitlements };
      expect(await thrownBy(cancel(k1, { correlationId: 'first' }, ports))).to.be.instanceOf(InjectedFault);
      const again = await cancel(k1, { correlationId: 'second' }, ports);
      expect(again).to.deep.equal({
        snapshot: snapshotAt(canceled, later(0)),
        correlationId: when === 'before' ? 'second' : 'first',
        replayed: when === 'after',
      });
      expect(await stored()).to.deep.equal(canceled);
    });
  }

  for (const method of ['entitlements', 'idempotencyRecords'] as const) {
    it(`has one effect if the look-up of ${method} fails and the request is retried`, async () => {
      await cancel(k1);
      const ports = { ...store(), [method]: failing(store()[method], { method: 'find', nth: 1, when: 'before' }) };
      expect(await thrownBy(cancel(k1, {}, ports))).to.be.instanceOf(InjectedFault);
      expect((await cancel(k1, {}, ports)).replayed).to.equal(true);
      expect(await stored()).to.deep.equal(canceled);
    });
  }

  function change(part: Partial<CancellationRequest>, call: Partial<Call> = {}, ports: StorePorts = store()) {
    const request = { operation: 'cancel', entitlementId: 'ent_1', productId: 'prod_1', idempotencyKey: k1 } as const;
    return changeCancellation(
      ports.entitlements,
      ports.idempotencyRecords,
      nodePlatform.newEventId,
    )({ ...request, ...part }, aCall(call));
  }

  function cancel(idempotencyKey: string, call: Partial<Call> = {}, ports?: StorePorts): Promise<CancellationAnswer> {
    return change({ operation: 'cancel', idempotencyKey }, call, ports);
  }

  function resume(idempotencyKey: string, call: Partial<Call> = {}): Promise<CancellationAnswer> {
    return change({ operation: 'resume', idempotencyKey }, call);
  }

  async function add(...entitlements: readonly Entitlement[]): Promise<void> {
    await store().allEntitlements.add(granted(entitlements), aCall());
  }

  async function administer(from: Entitlement, to: Entitlement): Promise<void> {
    expect(await store().allEntitlements.replace(from, to, aChangeRecord(to), aCall())).to.deep.equal({
      kind: 'replaced',
    });
  }

  function stored(): Promise<Entitlement | null> {
    return store().allEntitlements.find('ent_1', aCall());
  }
});
