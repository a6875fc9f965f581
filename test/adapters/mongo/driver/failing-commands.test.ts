import { expect } from 'chai';
import { UnusableStore, type StorePorts } from '../../../../core/store/store.port.ts';
import {
  aCall,
  aChangeRecord,
  aListing,
  anAppKey,
  aRecord,
  aSignUp,
  aSubscription,
  changed,
  day,
  granted,
  later,
  noon,
} from '../../../support/builders.ts';
import { failures, whileFailing } from '../../../support/mongo/fail-point.ts';
import { ownServer } from '../../../support/mongo/mongodb.ts';
import { freshStore, openOwnStore } from '../../../support/stores/stores.ts';
import { listingsIn, signUpsIn } from '../../../support/stores/whole-lists.ts';
import { refusalOf } from '../../../support/thrown.ts';
import { violations } from '../../../support/workload/history.ts';
import { Traffic } from '../../../support/workload/traffic.ts';

const change = { entitlementId: 'ent_0', operation: 'cancel', key: 'key-00000001' } as const;

const existing = aSubscription({ id: 'existing' });
const product = { id: 'prod_1', name: 'Product', createdAt: noon };

/** Writes that are not retried, and what a repetition by the administrator returns if the first was applied or lost. */
const administration = [
  {
    what: 'grants',
    command: 'insert',
    write: (store: StorePorts): Promise<unknown> => store.allEntitlements.add(granted([aSubscription()]), aCall()),
    again: { applied: [{ kind: 'id taken' }], lost: [{ kind: 'added' }] },
  },
  {
    what: 'changes an entitlement',
    command: 'update',
    write: (store: StorePorts): Promise<unknown> =>
      store.allEntitlements.replace(existing, changed(existing), aChangeRecord(changed(existing)), aCall()),
    again: { applied: { kind: 'stale' }, lost: { kind: 'replaced' } },
  },
  {
    what: 'adds a product',
    command: 'insert',
    write: (store: StorePorts): Promise<unknown> => store.products.add(product, aCall()),
    again: { applied: 'id taken', lost: 'added' },
  },
  {
    what: 'adds an app key',
    command: 'insert',
    write: (store: StorePorts): Promise<unknown> => store.allAppKeys.add(anAppKey(), aCall()),
    again: { applied: 'refused', lost: 'added' },
  },
];

describe('MongoDB, when a command fails,', () => {
  const store = freshStore(openOwnStore);
  let url = '';
  before(async () => {
    url = (await ownServer()).url('admin');
  });

  for (const command of ['find', 'update']) {
    for (const { name, failure, applied } of failures) {
      if (command === 'find' && applied) continue;

      it(`carries out a change once when its ${command} ${name}`, async () => {
        const traffic = new Traffic(1);
        await traffic.begin(store());
        const succeeded = await whileFailing(url, [command], failure, () => traffic.send(store(), change), 1);
        expect(succeeded).to.equal(true);
        const history = await traffic.history(store());
        expect(violations(history)).to.deep.equal([]);
        expect(history.attempts.at(-1)?.outcome).to.include({ replayed: false });
      });

      it(`carries out a change once when each ${command} ${name} and the client tries again`, async () => {
        const traffic = new Traffic(1);
        await traffic.begin(store());
        const succeeded = await whileFailing(url, [command], failure, () => traffic.send(store(), change), 2);
        expect(succeeded).to.equal(false);
        await traffic.settle(store(), change);
        const history = await traffic.history(store());
        expect(violations(history)).to.deep.equal([]);
        expect(history.after.map(({ version }) => version)).to.deep.equal([2]);
        expect(history.attempts.at(-1)?.outcome).to.include({ kind: 'success', replayed: applied });
      });
    }
  }

  for (const { what, command, write, again } of administration) {
    for (const { name, failure, applied } of failures) {
      it(`leaves a retry to the administrator when the ${command} that ${what} ${name}`, async () => {
        await store().allEntitlements.add(granted([existing]), aCall());
        const { code } = await whileFailing(url, [command], failure, () => refusalOf(write(store())), 1);
        expect(code).to.equal('store_unavailable');
        expect(await write(store()).catch(() => 'refused')).to.deep.equal(applied ? again.applied : again.lost);
      });
    }
  }

  for (const { name, failure } of failures) {
    it(`removes expired records when the update ${name}`, async () => {
      await store().allEntitlements.add(granted([existing]), aCall());
      await store().entitlements.replace(
        existing,
        changed(existing),
        aRecord(existing),
        aChangeRecord(changed(existing)),
        aCall(),
      );
      const prune = () => store().maintenance.prune(null, aCall({ now: later(30 * day) }));
      expect(await whileFailing(url, ['update'], failure, prune, 1)).to.deep.equal({ removed: 1, next: null });
      expect(await store().idempotencyRecords.find('prod_1', aRecord(existing).key, aCall())).to.equal(null);
    });
  }

  for (const { name, failure } of failures) {
    it(`stores a sign-up once when the update ${name}`, async () => {
      const join = () => store().waitlist.join(aSignUp(), aCall());
      await whileFailing(url, ['update'], failure, join, 1);
      expect(await signUpsIn(store())).to.deep.equal([aSignUp()]);
    });

    it(`changes a listing when the update ${name}`, async () => {
      await whileFailing(url, ['update'], failure, () => store().listings.put([aListing()], aCall()), 1);
      const pause = () => store().listings.setState(aListing().slug, 'paused', aCall());
      expect(await whileFailing(url, ['update'], failure, pause, 1)).to.equal('stored');
      expect(await listingsIn(store())).to.deep.equal([aListing({ state: 'paused' })]);
    });

    it(`ends an app key when the update ${name}`, async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      const end = () => store().allAppKeys.end('key_1', { revokedAt: noon }, aCall());
      expect(await whileFailing(url, ['update'], failure, end, 1)).to.equal('ended');
      expect(await store().appKeys.find(anAppKey().digest, aCall())).to.deep.equal(anAppKey({ revokedAt: noon }));
    });

    it(`does not report a sign-up as erased when the delete ${name}`, async () => {
      await store().waitlist.join(aSignUp(), aCall());
      const erase = () => store().waitlist.erase(aSignUp().email, aCall());
      expect(await whileFailing(url, ['delete'], failure, () => refusalOf(erase()), 1)).to.include({
        code: 'store_unavailable',
      });
      await erase();
      expect(await signUpsIn(store())).to.deep.equal([]);
    });
  }

  it('looks up each key alone when the server refuses the batch', async () => {
    const many = ['a', 'b', 'c'].map((id) => aSubscription({ id }));
    await store().allEntitlements.add(granted(many), aCall());
    const ask = () => Promise.all(many.map(({ id }) => store().entitlements.find(id, 'prod_1', aCall())));
    expect(await whileFailing(url, ['find'], { errorCode: 2 }, ask, 1)).to.deep.equal(many);
  });

  it('says that the disk of the server is full', async () => {
    const refusal = await whileFailing(url, ['insert', 'update'], { errorCode: 14031 }, () =>
      refusalOf(store().allEntitlements.add(granted([aSubscription()]), aCall())),
    );
    expect(refusal.code).to.equal('store_unavailable');
    expect(refusal.details.cause)
      .to.be.instanceOf(UnusableStore)
      .with.property('message')
      .that.matches(/disk .* is full/);
  });

  it('never shows the message of a server, which may contain a stored value', async () => {
    const digest = 'digest-of-a-secret';
    await store().allAppKeys.add(anAppKey({ digest }), aCall());
    const { code, details } = await refusalOf(store().allAppKeys.add(anAppKey({ digest, id: 'other' }), aCall()));
    expect([code, details]).to.deep.equal(['store_unavailable', { cause: 'MongoServerError 11000' }]);
  });
});
