import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { RateLimits } from '../../../adapters/http/limits/rate-limits.ts';
import { BorrowedRequests, type Lender } from '../../../app/workers/borrowed-requests.ts';
import { Channel, type OtherProcess } from '../../../app/workers/channel.ts';
import { RequestLoans, type Loan } from '../../../app/workers/request-loans.ts';
import { SeededRandom } from '../../support/random.ts';
import { range } from '../../support/range.ts';
import { rounds } from '../../support/run/long-runs.ts';

/** The number of turns of the event loop that a message takes. */
type Delay = () => number;

/** Carries messages in their order, each as long as `delay` says. */
function carrier(from: EventEmitter, to: EventEmitter, delay: Delay): OtherProcess {
  let last: Promise<unknown> = Promise.resolve();
  const passOn = async (earlier: Promise<unknown>, emit: () => void): Promise<void> => {
    await earlier;
    await turns(delay());
    emit();
  };
  return {
    send: (messages) => {
      const copy = structuredClone(messages);
      last = passOn(last, () => to.emit('message', copy));
      return true;
    },
    on: (event, listener) => from.on(event, listener),
  };
}

async function turns(count: number): Promise<void> {
  for (const _ of range(count)) await endOfTurn();
}

interface Worker {
  readonly requests: BorrowedRequests;
  /** The questions that it has asked. */
  readonly asked: { count: number };
}

/** A worker that borrows from `loans` over a channel. */
function aWorker(loans: RequestLoans, limits: RateLimits, delay: Delay = () => 1): Worker {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const asked = { count: 0 };
  const lender: Lender = {
    lend: async (all) => {
      asked.count += 1;
      return all.map((wanted) => loans.lend(wanted));
    },
  };
  void new Channel<object>(carrier(there, here, delay), lender, fail);
  const primary = new Channel<Lender>(carrier(here, there, delay), {}, fail);
  const requests = new BorrowedRequests(limits, { lend: (wanted) => primary.call('lend', wanted) });
  return { requests, asked };
}

function fail(error: unknown): never {
  throw error;
}

function workersOf(count: number, limits: RateLimits, delay?: Delay): readonly Worker[] {
  const loans = new RequestLoans(limits, count);
  return range(count).map(() => aWorker(loans, limits, delay));
}

function admitted(waits: readonly (number | null)[]): number {
  return waits.filter((wait) => wait === null).length;
}

async function inTurn(times: number, request: () => Promise<number | null>): Promise<readonly (number | null)[]> {
  const waits: (number | null)[] = [];
  for (const _ of range(times)) waits.push(await request());
  return waits;
}

/** Sends requests of two subjects to workers at random, and later to one of them, which gets less by what the others have. */
async function expectAtMost(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const limits = { verifyLicense: 1 + random.below(140), getListing: 1 + random.below(30) };
  const workers = workersOf(1 + random.below(4), limits, () => 1 + random.below(4));
  const first = random.pick(workers);
  const asked = new Map<string, Promise<number | null>[]>();
  for (const request of range(800)) {
    const { requests } = request < 200 ? random.pick(workers) : first;
    const operation = random.pick(['verifyLicense', 'getListing']);
    const subject = random.pick(['a', 'b']);
    const of = asked.get(`${operation} ${subject}`) ?? [];
    of.push(requests.request(operation, subject));
    asked.set(`${operation} ${subject}`, of);
    if (random.below(5) === 0) await turns(random.below(6));
  }
  for (const [key, all] of asked) {
    const limit = key.startsWith('verifyLicense') ? limits.verifyLicense : limits.getListing;
    const waits = await Promise.all(all);
    const most = Math.min(limit, all.length);
    expect(admitted(waits), `${key}, seed ${seed}`).to.be.within(Math.min(most, limit / 2), most);
    for (const wait of waits) if (wait !== null) expect(wait).to.be.within(0, 60_000);
  }
}

describe('requests that workers borrow', () => {
  it('are never more than the limit, whichever worker they reach', async () => {
    for (const seed of range(rounds(60, 200))) await expectAtMost(seed);
  });

  it('are nine tenths of the limit and more for a client whose connections meet on two workers', async () => {
    for (const limit of range(40).map((number) => 5 * number + 1)) {
      const random = new SeededRandom(limit);
      const workers = workersOf(2, { verifyLicense: limit });
      const waits = await inTurn(2 * limit, () => random.pick(workers).requests.request('verifyLicense', 'a'));
      expect(admitted(waits), `limit ${limit}`).to.be.within(0.9 * limit, limit);
    }
  });

  it('take a question only now and then, if they are of one subject', async () => {
    const limits = { verifyLicense: 1000 };
    const [worker] = workersOf(2, limits);
    expect(admitted(await inTurn(900, async () => worker?.requests.request('verifyLicense', 'a') ?? 0))).to.equal(900);
    expect(worker?.asked.count).to.be.below(15);
  });

  it('are asked about together: those of one turn, and those that arrive before the answer', async () => {
    const limits = { verifyLicense: 1000 };
    const [worker] = workersOf(2, limits, () => 5);
    const ask = (): Promise<number | null>[] =>
      range(10).map((subject) => worker?.requests.request('verifyLicense', `${subject}`) ?? Promise.resolve(0));
    const first = ask();
    const later: Promise<number | null>[] = [];
    for (const _ of range(3)) {
      await endOfTurn();
      later.push(...ask());
    }
    expect(admitted(await Promise.all([...first, ...later]))).to.equal(40);
    expect(worker?.asked.count).to.equal(2);
  });

  it('take no question without a limit, and none once all are spent', async () => {
    const [worker, other] = workersOf(2, { verifyLicense: 5 });
    await inTurn(5, async () => other?.requests.request('verifyLicense', 'a') ?? 0);
    expect(await worker?.requests.request('verifyLicense', 'a')).to.be.within(1, 60_000);
    const before = worker?.asked.count;
    expect(admitted(await inTurn(9, async () => worker?.requests.request('verifyLicense', 'a') ?? 0))).to.equal(0);
    expect(admitted(await inTurn(9, async () => worker?.requests.request('getListing', 'a') ?? 0))).to.equal(9);
    expect(worker?.asked.count).to.equal(before);
  });

  it('stay with a worker that has ended, and the others go on without them', async () => {
    const [ended, other] = workersOf(2, { verifyLicense: 100 });
    await inTurn(2, async () => ended?.requests.request('verifyLicense', 'a') ?? 0);
    const waits = await inTurn(100, async () => other?.requests.request('verifyLicense', 'a') ?? 0);
    expect(admitted(waits)).to.equal(74);
  });

  it('end in the worker with the window of the primary', async () => {
    const asked: number[] = [];
    const requests = new BorrowedRequests(
      { verifyLicense: 100 },
      {
        lend: async (all) => {
          asked.push(...all.map(({ wanted }) => wanted));
          return all.map((): Loan => ({ granted: 5, rest: 0 }));
        },
      },
    );
    expect(await inTurn(3, () => requests.request('verifyLicense', 'a'))).to.deep.equal([null, null, null]);
    expect(asked).to.deep.equal([1, 1, 1]);
  });

  it('fail together with the question, and later ones are asked about anew', async () => {
    let questions = 0;
    const requests = new BorrowedRequests(
      { verifyLicense: 5 },
      {
        lend: async (all) => {
          questions += 1;
          if (questions === 1) throw new Error('ended');
          return all.map(({ wanted }) => ({ granted: wanted, rest: 1000, window: 1 }));
        },
      },
    );
    const failed = await Promise.allSettled(['a', 'b'].map((subject) => requests.request('verifyLicense', subject)));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await requests.request('verifyLicense', 'a')).to.equal(null);
  });
});
