import { expect } from 'chai';
import type { Call } from '../../../../core/call.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { aCall, aLicense, aSignUp, aSubscription, deadlineIn, granted } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { blocked, whileFailing, type FailPoint } from '../../../support/mongo/fail-point.ts';
import { ownDatabaseUrl, ownServer } from '../../../support/mongo/mongodb.ts';
import { range } from '../../../support/range.ts';
import { freshStore, openAt } from '../../../support/stores/stores.ts';
import { signUpsIn } from '../../../support/stores/whole-lists.ts';
import { refusalOf } from '../../../support/thrown.ts';
import { violations } from '../../../support/workload/history.ts';
import { Traffic } from '../../../support/workload/traffic.ts';

/** Writes that are sent in commands of their own. */
const otherWrites = [
  {
    command: 'insert',
    write: (store: StorePorts, call: Call) => store.allEntitlements.add(granted([aSubscription()]), call),
    done: async (store: StorePorts) => (await store.allEntitlements.find('ent_1', aCall())) !== null,
  },
  {
    command: 'delete',
    write: (store: StorePorts, call: Call) => store.waitlist.erase(aSignUp().email, call),
    done: async (store: StorePorts) => (await signUpsIn(store)).length === 0,
  },
];

describe('MongoDB, when a command is blocked for four seconds,', () => {
  const store = freshStore(async () => openAt(await ownDatabaseUrl()));
  let url = '';
  before(async () => {
    url = (await ownServer()).url('admin');
  });

  it('answers every verification while all writes are blocked, and carries out each write once', async () => {
    const traffic = new Traffic(8);
    await traffic.begin(store());
    const licensed = aSubscription({ id: 'licensed', license: aLicense() });
    await store().allEntitlements.add(granted([licensed]), aCall());
    await whileFailing(url, ['update'], blocked, async ({ end }) => {
      let writing = true;
      const writes = Promise.all(traffic.ids.map((id) => traffic.send(store(), changeOf(id)))).finally(() => {
        writing = false;
      });
      let verified = 0;
      while (verified < 100) {
        await Promise.all(range(25).map(() => store().licenses.find(licensed.license?.digest ?? '', aCall())));
        verified += 25;
      }
      expect(writing).to.equal(true);
      await end();
      await writes;
    });
    await Promise.all(traffic.ids.map((id) => traffic.settle(store(), changeOf(id))));
    expect(violations(await traffic.history(store()))).to.deep.equal([]);
  });

  it('refuses a change at its deadline, and replays it for the same key once it was carried out', async () => {
    const traffic = new Traffic(1);
    await traffic.begin(store());
    await whileFailing(url, ['update'], blocked, async () => {
      expect(await traffic.send(store(), changeOf('ent_0'), { deadline: deadlineIn(2500) })).to.equal(false);
    });
    await eventually(
      () => store().idempotencyRecords.find('prod_1', 'key-of-ent_0', aCall()),
      (record) => record !== null,
    );
    await traffic.settle(store(), changeOf('ent_0'));
    const history = await traffic.history(store());
    expect(violations(history)).to.deep.equal([]);
    expect(history.attempts.at(-1)?.outcome).to.include({ kind: 'success', replayed: true });
  });

  it('carries out later changes although both commands in flight are blocked', async () => {
    const traffic = new Traffic(3);
    await traffic.begin(store());
    const both = async ({ met }: FailPoint) => {
      let answered = 0;
      const send = (id: string) => traffic.send(store(), changeOf(id)).finally(() => (answered += 1));
      const first = send('ent_0');
      await met(1);
      const second = send('ent_1');
      await met(2);
      expect(await traffic.send(store(), changeOf('ent_2'))).to.equal(true);
      expect(answered).to.equal(0);
      await Promise.all([first, second]);
    };
    await whileFailing(url, ['update'], blocked, both, 2);
    expect(violations(await traffic.history(store()))).to.deep.equal([]);
  });

  for (const { command, write, done } of otherWrites) {
    it(`refuses the caller of the ${command} at the deadline, although it is carried out later`, async () => {
      await store().waitlist.join(aSignUp(), aCall());
      const refusal = await whileFailing(url, [command], blocked, () =>
        refusalOf(write(store(), aCall({ deadline: deadlineIn(2500) }))),
      );
      expect(refusal.code).to.equal('store_unavailable');
      expect(await eventually(() => done(store()), Boolean)).to.equal(true);
    });
  }

  it('finds what a blocked look-up was for, and what later ones are for', async () => {
    const many = range(30).map((index) => aSubscription({ id: `ent_${index}` }));
    await store().allEntitlements.add(granted(many), aCall());
    const longBlocked = { ...blocked, blockTimeMS: 8000 };
    const call = aCall({ deadline: deadlineIn(7000) });
    const found = await whileFailing(
      url,
      ['find'],
      longBlocked,
      () => Promise.all(many.map(({ id }) => store().entitlements.find(id, 'prod_1', call))),
      1,
    );
    expect(found).to.deep.equal(many);
  });
});

function changeOf(entitlementId: string) {
  return { entitlementId, operation: 'cancel', key: `key-of-${entitlementId}` } as const;
}
