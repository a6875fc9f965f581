import { expect } from 'chai';
import { aCall, aLicense, aListing, anAppKey, aSignUp, aSubscription, noon } from '../../support/builders.ts';
import { failures, whileFailing } from '../../support/fail-point.ts';
import { violations } from '../../support/history.ts';
import { ownDatabaseUrl, sharedServers } from '../../support/mongodb.ts';
import { all, refusalOf } from '../../support/outcomes.ts';
import { freshStore, openMongoStore } from '../../support/stores.ts';
import { Traffic } from '../../support/traffic.ts';

const change = { entitlementId: 'ent_0', operation: 'cancel', key: 'key-00000001' } as const;

describe('MongoDB failing under a command', () => {
  const store = freshStore(async () => openMongoStore(await ownDatabaseUrl()));
  let url = '';
  before(async () => {
    url = (await sharedServers()).url('admin');
  });

  for (const command of ['find', 'update']) {
    for (const { name, failure, applied } of failures) {
      if (command === 'find' && applied) continue;

      it(`carries a change out once when its ${command} ${name}`, async () => {
        const traffic = new Traffic(1);
        await traffic.begin(store());
        const succeeded = await whileFailing(url, [command], failure, () => traffic.send(store(), change), 1);
        expect(succeeded).to.equal(true);
        const history = await traffic.history(store());
        expect(violations(history)).to.deep.equal([]);
        expect(history.attempts.at(-1)?.outcome).to.include({ replayed: false });
      });

      it(`has one effect in sum when each ${command} ${name} and the client tries again later`, async () => {
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

  const add = () => store().allEntitlements.add([aSubscription()], aCall());
  for (const { name, failure, applied } of failures) {
    it(`leaves it to the administrator when an insert ${name}`, async () => {
      const { code } = await whileFailing(url, ['insert'], failure, () => refusalOf(add()), 1);
      expect(code).to.equal('store_unavailable');
      expect(await add()).to.deep.equal([{ kind: applied ? 'id taken' : 'added' }]);
    });
  }

  for (const { name, failure } of failures.filter(({ applied }) => !applied)) {
    it(`finds a license and an app key when the look-up ${name}`, async () => {
      const entitlement = aSubscription({ license: aLicense() });
      await store().allEntitlements.add([entitlement], aCall());
      await store().allAppKeys.add(anAppKey(), aCall());
      const digest = entitlement.license?.digest ?? '';
      const license = () => store().licenses.find(digest, aCall());
      const appKey = () => store().appKeys.find(anAppKey().digest, aCall());
      expect(await whileFailing(url, ['find'], failure, license, 1)).to.deep.equal(entitlement);
      expect(await whileFailing(url, ['find'], failure, appKey, 1)).to.deep.equal(anAppKey());
    });
  }

  for (const { name, failure } of failures) {
    it(`keeps a sign-up once when its update ${name}`, async () => {
      const join = () => store().waitlist.join(aSignUp(), aCall());
      await whileFailing(url, ['update'], failure, join, 1);
      expect(await all(store().waitlist.list(aCall))).to.deep.equal([aSignUp()]);
    });

    it(`changes a listing when its update ${name}`, async () => {
      await whileFailing(url, ['update'], failure, () => store().listings.put([aListing()], aCall()), 1);
      const pause = () => store().listings.setState(aListing().slug, 'paused', aCall());
      expect(await whileFailing(url, ['update'], failure, pause, 1)).to.equal('stored');
      expect(await all(store().listings.list(aCall))).to.deep.equal([aListing({ state: 'paused' })]);
    });

    it(`ends an app key when its update ${name}`, async () => {
      await store().allAppKeys.add(anAppKey(), aCall());
      const end = () => store().allAppKeys.end('key_1', { revokedAt: noon }, aCall());
      await whileFailing(url, ['update'], failure, end, 1);
      expect(await store().appKeys.find(anAppKey().digest, aCall())).to.deep.equal(anAppKey({ revokedAt: noon }));
    });

    it(`does not claim to have erased when the delete ${name}`, async () => {
      await store().waitlist.join(aSignUp(), aCall());
      const erase = () => store().waitlist.erase(aSignUp().email, aCall());
      expect(await whileFailing(url, ['delete'], failure, () => refusalOf(erase()), 1)).to.include({
        code: 'store_unavailable',
      });
      await erase();
      expect(await all(store().waitlist.list(aCall))).to.deep.equal([]);
    });
  }

  it('asks for each key alone when the server takes offence at a batch', async () => {
    const many = ['a', 'b', 'c'].map((id) => aSubscription({ id }));
    await store().allEntitlements.add(many, aCall());
    const ask = () => Promise.all(many.map(({ id }) => store().entitlements.find(id, 'prod_1', aCall())));
    expect(await whileFailing(url, ['find'], { errorCode: 2 }, ask, 1)).to.deep.equal(many);
  });

  it('never repeats what a server says, which may be a stored value', async () => {
    const digest = 'digest-of-a-secret';
    await store().allAppKeys.add(anAppKey({ digest }), aCall());
    const { code, details } = await refusalOf(store().allAppKeys.add(anAppKey({ digest, id: 'other' }), aCall()));
    expect([code, details]).to.deep.equal(['store_unavailable', { cause: 'MongoServerError 11000' }]);
  });
});
