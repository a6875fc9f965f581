import { expect } from 'chai';
import type { MongoDatabase } from '../../../../adapters/mongo/driver/mongo-database.ts';
import { leaseTimeout, RelayLease } from '../../../../adapters/mongo/event/relay-lease.ts';
import { whileFailing } from '../../../support/mongo/fail-point.ts';
import { openOwnDatabase, ownServer } from '../../../support/mongo/mongodb.ts';

describe('the lease of the relay on MongoDB', () => {
  let database: MongoDatabase;
  let now = 0;
  let first: RelayLease;
  let second: RelayLease;

  beforeEach(async () => {
    database = await openOwnDatabase();
    now = 0;
    first = new RelayLease(database, () => now);
    // Clocks are never compared: that of the second process is far ahead.
    second = new RelayLease(database, () => 1_000_000 + now);
  });
  afterEach(() => database.close());

  it('is held by one of two processes', async () => {
    expect(await renewed(first, second)).to.deep.equal([true, false]);
    expect(await renewed(second, first)).to.deep.equal([false, true]);
  });

  it('is held by one of twenty processes that begin together', async () => {
    const leases = Array.from({ length: 20 }, () => new RelayLease(database, () => now));
    await Promise.all(leases.map((lease) => lease.renew()));
    expect(leases.filter(({ isHeld }) => isHeld).length).to.equal(1);
  });

  it('stays with a process that renews it, however long another one watches', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await renewed(first, second)).to.deep.equal([true, false]);
      now += leaseTimeout - 1;
    }
  });

  it('is taken over when another process has seen it unchanged for two seconds, and the first learns of it', async () => {
    await renewed(first, second);
    now += leaseTimeout - 1;
    expect(await renewed(second)).to.deep.equal([false]);
    now += 1;
    expect(await renewed(second, first)).to.deep.equal([true, false]);
  });

  it('is taken over by one of two processes that wait for it', async () => {
    const third = new RelayLease(database, () => now);
    await renewed(first, second, third);
    now += leaseTimeout;
    await Promise.all([second.renew(), third.renew()]);
    expect(second.isHeld).to.not.equal(third.isHeld);
  });

  it('is free at once when its holder has stopped', async () => {
    await renewed(first, second);
    await first.release();
    expect(await renewed(second, first)).to.deep.equal([true, false]);
  });

  it('is not released by a process that has lost it', async () => {
    await renewed(first, second);
    now += leaseTimeout;
    await renewed(second);
    await first.release();
    expect(await renewed(first, second)).to.deep.equal([false, true]);
  });

  it('is held again at once by a process whose renewal failed', async () => {
    await renewed(first);
    const url = (await ownServer()).url('admin');
    const error = await whileFailing(
      url,
      ['update'],
      { closeConnection: true },
      () => first.renew().catch((reason: unknown) => reason),
      1,
    );
    expect(error).to.be.instanceOf(Error);
    expect(first.isHeld).to.equal(false);
    expect(await renewed(first)).to.deep.equal([true]);
  });
});

/** Renews one after the other, and returns which of them hold the lease. */
async function renewed(...leases: readonly RelayLease[]): Promise<readonly boolean[]> {
  for (const lease of leases) await lease.renew();
  return leases.map(({ isHeld }) => isHeld);
}
