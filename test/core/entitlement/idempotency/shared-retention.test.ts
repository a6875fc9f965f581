import { expect } from 'chai';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryClockMarks } from '../../../../adapters/memory/memory-clock-marks.ts';
import { MemoryRetentionPromises } from '../../../../adapters/memory/memory-idempotency.ts';
import type { RetentionPromises } from '../../../../core/entitlement/idempotency/idempotency.port.ts';
import { defaultTtl, retentionFor, type RetentionPromise } from '../../../../core/entitlement/idempotency/retention.ts';
import { SharedRetention } from '../../../../core/entitlement/idempotency/shared-retention.ts';
import { aCall, hour, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';

/** The promises of a store in memory, which counts how often they are read. */
class CountedPromises extends MemoryRetentionPromises {
  reads = 0;

  override list(): ReturnType<RetentionPromises['list']> {
    this.reads += 1;
    return super.list();
  }
}

describe('the retention that processes share', () => {
  let data: MemoryStore;
  let promises: CountedPromises;
  let retention: SharedRetention;
  beforeEach(() => {
    data = new MemoryStore();
    promises = new CountedPromises(data);
    retention = new SharedRetention(retentionFor(defaultTtl), promises, new MemoryClockMarks(data), {
      isPromised: true,
    });
  });

  const askTwentyTimes = async (milliseconds: number): Promise<void> => {
    const now = later(milliseconds);
    await Promise.all(range(20).map(() => retention.current(aCall({ now }))));
  };

  it('is read once for requests that arrive together', async () => {
    await askTwentyTimes(0);
    expect(promises.reads).to.equal(1);
  });

  it('is read again by one request an hour', async () => {
    await askTwentyTimes(0);
    await askTwentyTimes(hour - 1);
    expect(promises.reads).to.equal(1);
    await askTwentyTimes(hour);
    expect(promises.reads).to.equal(2);
  });

  it('is read once after a night without requests', async () => {
    await askTwentyTimes(0);
    await askTwentyTimes(12 * hour);
    expect(promises.reads).to.equal(2);
  });

  it('is promised for two more hours by a process that answers requests, and by no other', async () => {
    const own = retentionFor(defaultTtl);
    const silent = new SharedRetention(own, promises, new MemoryClockMarks(data), { isPromised: false });
    expect(await silent.current(aCall())).to.deep.equal(own);
    expect(await promises.list()).to.deep.equal([]);
    await retention.current(aCall());
    expect(await promises.list()).to.deep.equal([{ milliseconds: own.milliseconds, until: later(2 * hour) }]);
  });

  it('is that of a process that promises more', async () => {
    await promises.add({ milliseconds: 99 * hour, until: later(1) });
    expect((await retention.current(aCall())).milliseconds).to.equal(99 * hour);
  });

  it('is read again if the clock goes back by an hour', async () => {
    await askTwentyTimes(0);
    await askTwentyTimes(-hour);
    expect(promises.reads).to.equal(2);
  });

  it('is longer by as much as the clock is ahead of the mark, if that is more than an hour', async () => {
    const own = retentionFor(defaultTtl);
    data.clockMark = later(-hour);
    expect(await retention.current(aCall())).to.deep.equal(own);
    const now = later(40 * hour);
    expect((await retention.current(aCall({ now }))).milliseconds).to.equal(own.milliseconds + 41 * hour);
    data.clockMark = later(41 * hour);
    expect(await retention.current(aCall({ now: data.clockMark }))).to.deep.equal(own);
  });

  for (const [hours, waits] of [
    [1, false],
    [2, true],
  ] as const) {
    it(`${waits ? 'keeps requests waiting' : 'lets requests go on'} while one of them reads, after ${hours} h`, async () => {
      await askTwentyTimes(0);
      const reading = Promise.withResolvers<readonly RetentionPromise[]>();
      promises.list = () => reading.promise;
      const call = aCall({ now: later(hours * hour) });
      const first = retention.current(call);
      let isAnswered = false;
      const second = retention.current(call).then(() => (isAnswered = true));
      await new Promise((turn) => setImmediate(turn));
      expect(isAnswered).to.equal(!waits);
      reading.resolve([]);
      await Promise.all([first, second]);
    });
  }

  it('is read again after a read that failed', async () => {
    promises.list = () => Promise.reject(new Error('out of reach'));
    await retention.current(aCall()).catch(() => undefined);
    promises.list = CountedPromises.prototype.list.bind(promises);
    await retention.current(aCall());
    expect(promises.reads).to.equal(1);
  });
});
