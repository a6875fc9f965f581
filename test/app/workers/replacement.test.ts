import { mkdir, rename, rmdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { sharedWorkers } from '../../support/workers/fresh-workers.ts';
import { childrenOf, isRunning, killStarting } from '../../support/workers/workers-process.ts';
import { requestsOf, statusOf } from './requests.ts';
import { Traffic } from './traffic.ts';

const workers = 2;

const couldNotStart = 'a worker could not start';
const isKilled = 'a worker does not answer and is killed';

describe('a server with a worker that ends', () => {
  /** Workers get connections in turn: each gets some of these. */
  const connections = range(4 * workers);
  let killedAtStart: readonly number[] = [];
  const server = sharedWorkers(sqlite, workers, {
    flags: ['--rate-limits', 'getListing=100000'],
    whileStarting: async (primary) => {
      killedAtStart = await killStarting(primary, workers);
    },
  });

  const lineOf = (message: string, worker: number): Record<string, unknown> | undefined =>
    server()
      .log()
      .find((line) => line['message'] === message && line['worker'] === worker);

  it('survives all that are killed before they listen, and replaces them', async () => {
    await server().listened(workers);
    for (const killed of killedAtStart) {
      expect(lineOf(couldNotStart, killed)).to.include({ level: 'error', code: null, signal: 'SIGKILL' });
    }
    expect(await statusOf(`${server().url}/livez`)).to.equal(200);
  });

  it('kills one that hangs, says so, closes what is on its way to it, replaces it and keeps its counts; until then it is not ready', async () => {
    const counted = (): Promise<number> => requestsOf(server(), connections.length, 'listListings');
    await Promise.all(connections.map(() => statusOf(`${server().url}/api/marketplace/listings`)));
    expect(await counted()).to.equal(connections.length);
    const [stuck, other] = [server().worker(0), server().worker(1)];
    const another = server().listenMore(1);
    process.kill(stuck, 'SIGSTOP');
    const codes: (number | string)[] = [];
    const answers = connections.map(async () => codes.push(await statusOf(`${server().url}/livez`)));
    // One connection is on its way to the worker that takes none; the other worker gets all that follow.
    const answered = eventually(
      async () => codes.filter((code) => code === 200).length,
      (count) => count === connections.length - 1,
    );
    await Promise.all([becomes(server().adminUrl, 503), answered]);
    expect(await answered).to.equal(connections.length - 1);
    await Promise.all([...answers, another]);
    expect(codes.filter((code) => code !== 200)).to.deep.equal(['ECONNRESET']);
    expect(lineOf(isKilled, stuck)).to.include({ level: 'error' });
    expect(lineOf('a worker has ended and is replaced', stuck)).to.include({
      level: 'error',
      code: null,
      signal: 'SIGKILL',
    });
    expect(server().workers()).to.have.lengthOf(workers).and.to.include(other).and.not.to.include(stuck);
    expect(await counted()).to.equal(connections.length);
    for (const url of [server().url, server().adminUrl]) await becomes(url, 200);
  });

  it('serves the same port again after all of them were killed, also if one then hangs before it listens', async () => {
    const before = server().workers();
    const others = server().listenMore(workers);
    for (const worker of before) process.kill(worker, 'SIGKILL');
    const [hanging = 0] = await childrenOf(server().primary, 1, before);
    process.kill(hanging, 'SIGSTOP');
    await others;
    expect([...before, hanging].filter(isRunning)).to.deep.equal([]);
    expect(lineOf(isKilled, hanging)).to.include({ level: 'error' });
    expect(lineOf(couldNotStart, hanging)).to.include({ level: 'error', code: null, signal: 'SIGKILL' });
    expect(server().workers()).to.have.lengthOf(workers);
    await becomes(server().url, 200);
  });

  it('ignores a signal that is sent to a worker', async () => {
    const before = server().workers();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      for (const worker of before) process.kill(worker, signal);
    }
    const answers = await Promise.all(connections.map(() => statusOf(`${server().url}/livez`)));
    expect(new Set(answers)).to.deep.equal(new Set([200]));
    expect(server().workers()).to.deep.equal(before);
  });

  it('starts one again until it can start, and goes on with the others', async () => {
    const [killed = 0, ...others] = server().workers();
    const unstarted = server().logged(couldNotStart);
    const path = server().storeUrl.slice('sqlite:'.length);
    await rename(path, `${path}.moved`);
    await mkdir(path);
    process.kill(killed, 'SIGKILL');
    await server().logs(couldNotStart, unstarted + 1);
    server().signal('SIGHUP');
    await server().logs('the workers that are left were not restarted');
    expect(server().workers()).to.deep.equal(others);
    expect(await statusOf(`${server().url}/livez`)).to.equal(200);
    await rmdir(path);
    await rename(`${path}.moved`, path);
    await eventually(
      async () => server().workers().length,
      (length) => length === workers,
    );
    expect(server().workers()).to.have.lengthOf(workers);
  });

  it('lets nothing through uncounted while its primary does not answer', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const show = (): Promise<number | string> => statusOf(`${server().url}/api/marketplace/listings/none`, agent);
    const isShown = async (): Promise<void> => {
      expect(await eventually(show, (status) => status === 404)).to.equal(404);
    };
    await isShown();
    server().signal('SIGSTOP');
    expect(await show().finally(() => server().signal('SIGCONT'))).to.equal(500);
    await isShown();
    agent.destroy();
  });

  it('leaves no worker behind when its primary is killed, whatever they have not logged yet', async () => {
    const pids = server().workers();
    const traffic = new Traffic(`${server().url}/api/marketplace/listings`, 2 * workers);
    await traffic.answers(40);
    await server().kill();
    const left = await eventually(
      async () => pids.filter(isRunning),
      (running) => running.length === 0,
    );
    expect(left).to.deep.equal([]);
    await traffic.stop();
  });
});

/** Waits until `/readyz` answers with a status. */
async function becomes(url: string, wanted: number): Promise<void> {
  const status = await eventually(
    () => statusOf(`${url}/readyz`),
    (code) => code === wanted,
  );
  expect(status).to.equal(wanted);
}
