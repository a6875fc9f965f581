import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { RawClient } from '../../../support/http/raw-client.ts';
import { expensiveRequests } from './expensive-requests.ts';

/** Milliseconds of CPU for which a request may hold the event loop. */
const limit = 10;
/** The first runs are slower, because their code is not compiled yet, and one may meet a garbage collection. */
const attempts = 20;

describe('a request that is built to be expensive', () => {
  let worker: Worker;
  let url = '';
  before(async () => {
    worker = new Worker(new URL('./measured-worker.ts', import.meta.url));
    [url] = (await once(worker, 'message')) as [string];
  });
  after(() => worker.terminate());

  async function maxTurn(): Promise<number> {
    const answer = once(worker, 'message') as Promise<[number]>;
    worker.postMessage('max', []);
    return (await answer)[0];
  }

  for (const [what, bytes] of expensiveRequests) {
    it(`holds the event loop for less than ${limit} ms: ${what}`, async () => {
      let min = Infinity;
      for (let attempt = 0; attempt < attempts && min >= limit; attempt += 1) {
        const client = new RawClient(url);
        await maxTurn();
        client.send(bytes);
        await client.read('GET');
        min = Math.min(min, await maxTurn());
        client.close();
      }
      expect(min).to.be.below(limit);
    });
  }
});
