import { EventEmitter } from 'node:events';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { RateLimits } from '../../../adapters/http/limits/rate-limits.ts';
import { BorrowedRequests, type Lender } from '../../../app/workers/borrowed-requests.ts';
import { Channel, type OtherProcess } from '../../../app/workers/channel.ts';
import { RequestLoans, type Borrower, type Loan, type WantedRequests } from '../../../app/workers/request-loans.ts';
import type { Deadline } from '../../../core/call.ts';
import { SeededRandom } from '../../support/random.ts';
import { range } from '../../support/range.ts';

const noHurry: Deadline = { remaining: () => 10_000 };

/** How many turns of the event loop a message takes. */
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
  /** The primary's end of what connects them. */
  readonly handle: Channel<Borrower>;
}

/** A worker that borrows from `loans` over a channel. */
function aWorker(loans: RequestLoans, limits: RateLimits, delay: Delay = () => 1): Worker {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const asked = { count: 0 };
  const lender: Lender = {
    lendAtOnce: async (all) => {
      asked.count += 1;
      return all.map((wanted) => loans.lendAtOnce(wanted, borrower));
    },
    lend: (wanted, timeLeft) => loans.lend(wanted, borrower, timeLeft),
  };
  const handle = new Channel<Borrower>(carrier(there, here, delay), lender, fail);
  const borrower: Borrower = {
    giveBack: (operation, subject, window) => handle.call('giveBack', operation, subject, window),
  };
  const own: Borrower = {
    giveBack: (operation, subject, window) => requests.giveBack(operation, subject, window),
  };
  const primary = new Channel<Lender>(carrier(here, there, delay), own, fail);
  const requests = new BorrowedRequests(limits, {
    lendAtOnce: (wanted) => primary.call('lendAtOnce', wanted),
    lend: (...parameters) => primary.call('lend', ...parameters),
  });
  return { requests, asked, handle };
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

/** How many of ten requests of the subject `a` a worker lets through. */
async function admittedBy({ requests }: Worker): Promise<number> {
  return admitted(await inTurn(10, () => requests.request('verifyLicense', 'a', noHurry)));
}

async function inTurn(times: number, request: () => Promise<number | null>): Promise<readonly (number | null)[]> {
  const waits: (number | null)[] = [];
  for (const _ of range(times)) waits.push(await request());
  return waits;
}

/** Sends requests of two subjects to workers at random, and later to one of them, which needs what the others have left. */
async function expectExactly(seed: number): Promise<void> {
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
    of.push(requests.request(operation, subject, noHurry));
    asked.set(`${operation} ${subject}`, of);
    if (random.below(5) === 0) await turns(random.below(6));
  }
  for (const [key, all] of asked) {
    const limit = key.startsWith('verifyLicense') ? limits.verifyLicense : limits.getListing;
    const waits = await Promise.all(all);
    expect(admitted(waits), `${key}, seed ${seed}`).to.equal(Math.min(limit, all.length));
    for (const wait of waits) if (wait !== null) expect(wait).to.be.within(0, 60_000);
  }
}

/** What a subject has left of 100 requests after two. */
function allLeft(subject: string): WantedRequests {
  return { operation: 'verifyLicense', subject, wanted: 98 };
}

describe('requests that workers borrow', () => {
  it('are exactly those of the limit, whichever worker they reach', async () => {
    for (const seed of range(200)) await expectExactly(seed);
  });

  it('take a question only now and then, if they are of one subject', async () => {
    const limits = { verifyLicense: 1000 };
    const [worker] = workersOf(2, limits);
    expect(
      admitted(await inTurn(900, async () => worker?.requests.request('verifyLicense', 'a', noHurry) ?? 0)),
    ).to.equal(900);
    expect(worker?.asked.count).to.be.below(15);
  });

  it('are asked about together: those of one turn, and those that arrive before the answer', async () => {
    const limits = { verifyLicense: 1000 };
    const [worker] = workersOf(2, limits, () => 5);
    const ask = (): Promise<number | null>[] =>
      range(10).map(
        (subject) => worker?.requests.request('verifyLicense', `${subject}`, noHurry) ?? Promise.resolve(0),
      );
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
    await inTurn(5, async () => other?.requests.request('verifyLicense', 'a', noHurry) ?? 0);
    expect(await worker?.requests.request('verifyLicense', 'a', noHurry)).to.be.within(1, 60_000);
    const before = worker?.asked.count;
    expect(
      admitted(await inTurn(9, async () => worker?.requests.request('verifyLicense', 'a', noHurry) ?? 0)),
    ).to.equal(0);
    expect(admitted(await inTurn(9, async () => worker?.requests.request('getListing', 'a', noHurry) ?? 0))).to.equal(
      9,
    );
    expect(worker?.asked.count).to.equal(before);
  });

  it('stay with a worker that has ended, and the others go on without them', async () => {
    const [ended, other] = workersOf(2, { verifyLicense: 100 });
    await inTurn(2, async () => ended?.requests.request('verifyLicense', 'a', noHurry) ?? 0);
    ended?.handle.close();
    const waits = await inTurn(100, async () => other?.requests.request('verifyLicense', 'a', noHurry) ?? 0);
    expect(admitted(waits)).to.be.within(60, 98);
  });

  it('are given back by a worker that ends as it was asked to', async () => {
    const limits = { verifyLicense: 100 };
    const loans = new RequestLoans(limits, 2);
    const [leaving, other] = [aWorker(loans, limits), aWorker(loans, limits)];
    await inTurn(2, () => leaving.requests.request('verifyLicense', 'a', noHurry));
    for (const piece of leaving.requests.giveBackAll()) loans.takeBack(piece);
    for (const piece of leaving.requests.giveBackAll()) loans.takeBack(piece);
    loans.takeBack([{ operation: 'verifyLicense', subject: 'a', window: 1, left: 5 }]);
    leaving.handle.close();
    const waits = await inTurn(100, () => other.requests.request('verifyLicense', 'a', noHurry));
    expect(admitted(waits)).to.equal(98);
  });

  it('are given back in messages of at most 250 subjects, and once, if they are recalled between two messages', async () => {
    const loans = new RequestLoans({ verifyLicense: 100 }, 2);
    const { requests } = aWorker(loans, { verifyLicense: 100 });
    const subjects = range(600).map((subject) => `${subject}`);
    for (const _ of range(2)) {
      expect(
        admitted(await Promise.all(subjects.map((one) => requests.request('verifyLicense', one, noHurry)))),
      ).to.equal(600);
    }
    const other: Borrower = { giveBack: async () => 0 };
    const sizes: number[] = [];
    for (const piece of requests.giveBackAll()) {
      sizes.push(piece.length);
      if (sizes.length === 1) expect((await loans.lend(allLeft('599'), other, 10_000)).granted).to.equal(98);
      loans.takeBack(piece);
    }
    expect(sizes).to.deep.equal([250, 250, 99]);
    for (const subject of ['0', '300']) expect(loans.lendAtOnce(allLeft(subject), other)?.granted).to.equal(98);
    expect(loans.lendAtOnce(allLeft('599'), other)?.granted).to.equal(0);
  });

  it('are given back with those of an answer that comes in the same message', async () => {
    const answer = Promise.withResolvers<readonly Loan[]>();
    const requests = new BorrowedRequests(
      { verifyLicense: 100 },
      { lendAtOnce: () => answer.promise, lend: () => Promise.reject(new Error('nobody else has any')) },
    );
    const request = requests.request('verifyLicense', 'a', noHurry);
    await turns(2);
    answer.resolve([{ granted: 5, rest: 1000, window: 1 }]);
    expect(await requests.giveBack('verifyLicense', 'a', 1)).to.equal(4);
    expect(await request).to.equal(null);
  });

  describe('of a window that ends by the clock of the worker', () => {
    const ended = { rest: 0 };
    let answers: PromiseWithResolvers<readonly Loan[]>[];
    let requests: BorrowedRequests;
    let outcomes: (number | null)[];
    const send = (count: number): void => {
      for (const _ of range(count))
        void requests.request('verifyLicense', 'a', noHurry).then((wait) => outcomes.push(wait));
    };
    /** Sends a request, others while it is asked about, and lends for it. */
    const borrow = async (others: number, loan: Loan): Promise<void> => {
      send(1);
      await turns(3);
      send(others);
      answers.at(-1)?.resolve([loan]);
      await turns(3);
    };
    beforeEach(() => {
      answers = [];
      outcomes = [];
      const lendAtOnce = (): Promise<readonly Loan[]> => {
        const answer = Promise.withResolvers<readonly Loan[]>();
        answers.push(answer);
        return answer.promise;
      };
      requests = new BorrowedRequests({ verifyLicense: 100 }, { lendAtOnce, lend: () => Promise.reject(new Error()) });
    });

    it('are not given back to the next one', async () => {
      await borrow(0, { granted: 11, window: 1, ...ended });
      await borrow(2, { granted: 3, window: 2, rest: 60_000 });
      expect(outcomes).to.deep.equal([null, null, null, null]);
      expect(await requests.giveBack('verifyLicense', 'a', 2)).to.equal(0);
    });

    it('are not given back to the next one before an answer has brought that', async () => {
      await borrow(0, { granted: 11, window: 1, ...ended });
      expect(await requests.giveBack('verifyLicense', 'a', 2)).to.equal(0);
      expect(await requests.giveBack('verifyLicense', 'a', 1)).to.equal(10);
    });

    it('are let through once, if the window still runs in the primary', async () => {
      await borrow(0, { granted: 4, window: 1, ...ended });
      await borrow(3, { granted: 1, window: 1, ...ended });
      await borrow(3, { granted: 1, window: 1, ...ended });
      expect(outcomes).to.deep.equal([null, null, null, null, null, null]);
    });
  });

  it('are not waited for from a worker that hangs', async () => {
    const limits = { verifyLicense: 10 };
    const loans = new RequestLoans(limits, 1);
    const hanging: Borrower = { giveBack: () => new Promise(() => {}) };
    const wanted = { operation: 'verifyLicense', subject: 'a', wanted: 1 };
    const lent = range(2).map(() => loans.lendAtOnce(wanted, hanging)?.granted ?? 0);
    const { requests } = aWorker(loans, limits);
    const waits = await inTurn(10, () => requests.request('verifyLicense', 'a', noHurry));
    expect(admitted(waits)).to.equal(10 - lent.reduce((total, granted) => total + granted, 0));
  });

  it('are not waited for longer than the request can wait', async () => {
    const loans = new RequestLoans({ verifyLicense: 10 }, 1);
    const hanging: Borrower = { giveBack: () => new Promise(() => {}) };
    const other: Borrower = { giveBack: async () => 0 };
    const wanted = { operation: 'verifyLicense', subject: 'a', wanted: 1 };
    for (const _ of range(2)) loans.lendAtOnce(wanted, hanging);
    const answers: string[] = [];
    const ask = async (timeLeft: number): Promise<void> => {
      const { granted } = await loans.lend({ ...wanted, wanted: 5 }, other, timeLeft);
      answers.push(`${granted} in ${timeLeft} ms`);
    };
    await Promise.all([ask(10_000), ask(2)]);
    expect(answers).to.deep.equal(['4 in 2 ms', '0 in 10000 ms']);
  });

  it('are asked for with the time of the request that can wait least, without those that were answered', async () => {
    const asked: number[] = [];
    const requests = new BorrowedRequests(
      { verifyLicense: 5 },
      {
        lendAtOnce: async (all) => all.map(() => null),
        lend: async ({ wanted }, timeLeft) => {
          asked.push(timeLeft);
          return { granted: wanted, rest: 1000, window: 1 };
        },
      },
    );
    const deadlines = [300, 100, -5].map((left) => ({ remaining: () => left }));
    const waits = await Promise.all(deadlines.map((deadline) => requests.request('verifyLicense', 'a', deadline)));
    expect(admitted(waits)).to.equal(3);
    expect(asked).to.deep.equal([100]);
  });

  it('count again once a worker that hung has given them back', async () => {
    const loans = new RequestLoans({ verifyLicense: 10 }, 1);
    const late = Promise.withResolvers<number>();
    const hanging: Borrower = { giveBack: () => late.promise };
    const other: Borrower = { giveBack: async () => 0 };
    const wanted = { operation: 'verifyLicense', subject: 'a', wanted: 1 };
    expect(loans.lendAtOnce(wanted, hanging)?.granted).to.equal(1);
    expect(loans.lendAtOnce(wanted, hanging)?.granted).to.equal(5);
    expect((await loans.lend({ ...wanted, wanted: 5 }, other, 10_000)).granted).to.equal(4);
    late.resolve(3);
    await turns(1);
    expect(loans.lendAtOnce({ ...wanted, wanted: 5 }, other)?.granted).to.equal(3);
  });

  it('count again only for workers that have not refused the client, and never above the limit', async () => {
    const limits = { verifyLicense: 10 };
    const loans = new RequestLoans(limits, 1);
    const late = Promise.withResolvers<number>();
    const hanging: Borrower = { giveBack: () => late.promise };
    const wanted = { operation: 'verifyLicense', subject: 'a', wanted: 1 };
    const [refusing, other] = [aWorker(loans, limits), aWorker(loans, limits)];
    const lent = range(2).map(() => loans.lendAtOnce(wanted, hanging)?.granted);
    expect(lent).to.deep.equal([1, 5]);
    expect(await admittedBy(refusing)).to.equal(4);
    late.resolve(3);
    await turns(1);
    expect(await admittedBy(refusing)).to.equal(0);
    expect(await admittedBy(other)).to.equal(3);
  });

  it('fail together with the question, and later ones are asked about anew', async () => {
    let questions = 0;
    const requests = new BorrowedRequests(
      { verifyLicense: 5 },
      {
        lendAtOnce: async (all) => {
          questions += 1;
          if (questions === 1) throw new Error('ended');
          return all.map(({ wanted }) => ({ granted: wanted, rest: 1000, window: 1 }));
        },
        lend: () => Promise.reject(new Error('nobody else has any')),
      },
    );
    const failed = await Promise.allSettled(
      ['a', 'b'].map((subject) => requests.request('verifyLicense', subject, noHurry)),
    );
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await requests.request('verifyLicense', 'a', noHurry)).to.equal(null);
  });
});
