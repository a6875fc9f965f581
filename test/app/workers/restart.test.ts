import { expect } from 'chai';
import { range } from '../../support/range.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { sharedWorkers } from '../../support/workers/fresh-workers.ts';
import { isRunning } from '../../support/workers/workers-process.ts';
import { beginVerify, requestsOf, statusOf } from './requests.ts';
import { Traffic } from './traffic.ts';

const restarted = 'all workers have been restarted';

const workers = 2;
const patience = ['--request-timeout', '1h', '--keep-alive-timeout', '1h'];

describe(`a server of ${workers} workers, on SIGHUP`, () => {
  const server = sharedWorkers(sqlite, workers, {
    flags: [...patience, '--rate-limits', 'getListing=40', '--trusted-proxies', 'loopback'],
  });
  let counted = { client: 0, at: 0 };

  async function show(times: number): Promise<readonly (number | string)[]> {
    const url = `${server().url}/api/marketplace/listings/unknown`;
    const statuses: (number | string)[] = [];
    for (const _ of range(times)) {
      statuses.push(await statusOf(url, undefined, { 'X-Forwarded-For': `192.0.2.${counted.client}` }));
    }
    return statuses;
  }

  /** Sends twelve requests of another client. */
  async function count(): Promise<void> {
    counted = { client: counted.client + 1, at: performance.now() };
    await show(12);
  }

  /** Lets the workers be restarted. Returns a function that waits for the end. */
  function restart(): () => Promise<void> {
    const ended = server().logged(restarted) + 1;
    server().signal('SIGHUP');
    return () => server().logs(restarted, ended);
  }

  function errors(): number {
    return server()
      .log()
      .filter(({ level }) => level === 'error').length;
  }

  before(count);

  it('replaces every worker one by one, and answers every request meanwhile, also those that had begun', async () => {
    const before = server().workers();
    const earlier = await requestsOf(server(), 12);
    const traffic = new Traffic(`${server().url}/api/marketplace/listings`, 2 * workers);
    await traffic.answers(40);
    const begun = await Promise.all(before.map(() => beginVerify(server())));
    const another = server().listenMore(1);
    const end = restart();
    await another;
    // The first worker to leave has a request, as each does, and waits for its end.
    expect(server().workers()).to.have.lengthOf(workers + 1);
    expect(new Set(await Promise.all(begun.map((finish) => finish())))).to.deep.equal(new Set([200]));
    await end();
    await traffic.answers(40);
    await traffic.stop();
    expect(new Set(traffic.statuses)).to.deep.equal(new Set([200]));
    expect(before.filter(isRunning)).to.deep.equal([]);
    expect(server().workers()).to.have.lengthOf(workers);
    const requests = earlier + begun.length + traffic.statuses.length;
    expect(await requestsOf(server(), requests)).to.equal(requests);
    expect(errors()).to.equal(0);
  });

  it('goes on with what it has counted, and what its workers had borrowed counts as used', async () => {
    let statuses = await show(40);
    // On a busy machine, the minute of the limit may be over.
    while (performance.now() - counted.at > 60_000) {
      await count();
      await restart()();
      statuses = await show(40);
    }
    expect(statuses.filter((status) => status === 404).length).to.be.within(12, 28);
    expect(new Set(statuses)).to.deep.equal(new Set([404, 429]));
  });

  it('replaces a worker once that is killed before its turn', async () => {
    const before = server().workers();
    const begun = await Promise.all(before.map(() => beginVerify(server())));
    const [another, two] = [server().listenMore(1), server().listenMore(2)];
    const end = restart();
    // The first worker to leave waits for the end of its request, and the last one has not been asked to.
    await another;
    process.kill(before.at(-1) ?? process.pid, 'SIGKILL');
    await two;
    const ends = await Promise.all(begun.map((finish) => finish()));
    expect(ends.filter((status) => status === 200)).to.have.lengthOf(workers - 1);
    await end();
    expect(before.filter(isRunning)).to.deep.equal([]);
    expect(server().workers()).to.have.lengthOf(workers);
  });

  it('ends the restart silently if it stops meanwhile', async () => {
    const before = errors();
    const begun = server().logged('restarting the workers') + 1;
    server().signal('SIGHUP');
    await server().logs('restarting the workers', begun);
    server().signal('SIGTERM');
    expect(await server().ended).to.deep.equal([0, null]);
    expect(errors()).to.equal(before);
  });
});
