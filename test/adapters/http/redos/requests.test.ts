import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { RawClient } from '../../../support/http/raw-client.ts';
import { beginSession, expensiveConsoleRequests, type ConsoleSession } from './expensive-console-requests.ts';
import { expensiveRequests } from './expensive-requests.ts';
import type { Question } from './measured-worker.ts';
import type { WorkerAddresses } from './recorded-expressions.ts';

/** Linear passes over 130 kB for which a request may hold the event loop. One takes about 5 ms of CPU on a rented machine. */
const limit = 4;
/** The first runs are slower, because their code is not compiled yet, and one may meet a garbage collection. */
const attempts = 20;

describe('a request that is built to be expensive', () => {
  let worker: Worker;
  let url = '';
  let session: ConsoleSession = { url: '', cookie: '', token: '' };
  before(async () => {
    worker = new Worker(new URL('./measured-worker.ts', import.meta.url), { workerData: limit });
    const [addresses] = (await once(worker, 'message')) as [WorkerAddresses];
    url = addresses.url;
    session = await beginSession(addresses.adminUrl);
  });
  after(() => worker.terminate());

  async function ask(what: Question): Promise<number> {
    const answer = once(worker, 'message') as Promise<[number]>;
    worker.postMessage(what, []);
    return (await answer)[0];
  }

  /** The cost of a request in linear passes: of all turns together, or of the most expensive one. */
  async function costOf(address: string, bytes: string, begin: 'begin' | 'begin turns'): Promise<number> {
    const client = new RawClient(address);
    await ask(begin);
    client.send(bytes);
    await client.read('GET');
    const cost = await ask('cost');
    client.close();
    return cost;
  }

  /** The cost that was lowest. The turns are counted one by one only for a request that takes the limit in all. */
  async function lowestCost(address: string, bytes: string): Promise<number> {
    let min = await costOf(address, bytes, 'begin');
    for (let attempt = 0; attempt < attempts && min >= limit; attempt += 1)
      min = Math.min(min, await costOf(address, bytes, 'begin turns'));
    return min;
  }

  for (const [what, bytes] of expensiveRequests) {
    it(`holds the event loop for less than ${limit} linear passes: ${what}`, async () => {
      expect(await lowestCost(url, bytes)).to.be.below(limit);
    });
  }

  for (const [what, bytesFor] of expensiveConsoleRequests) {
    it(`holds the event loop for less than ${limit} linear passes on the console: ${what}`, async () => {
      expect(await lowestCost(session.url, bytesFor(session))).to.be.below(limit);
    });
  }
});
