import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { sharedWorkers } from '../../support/workers/fresh-workers.ts';
import { killStarting } from '../../support/workers/workers-process.ts';
import { statusOf } from './requests.ts';

const workers = 2;

describe(`a server of ${workers} workers`, () => {
  let killed: readonly number[] = [];
  const server = sharedWorkers(sqlite, workers, {
    flags: ['--shutdown-notice', '1h'],
    whileStarting: async (primary) => {
      killed = await killStarting(primary, 1);
    },
  });

  it('survives one that is killed before it listens, and replaces it', async () => {
    await server().listened(workers);
    const unstarted = server()
      .log()
      .filter(({ message }) => message === 'a worker could not start');
    expect(unstarted.map(({ worker }) => worker)).to.deep.equal(killed);
    expect(unstarted[0]).to.include({ level: 'error', code: null, signal: 'SIGKILL' });
    expect(await statusOf(`${server().url}/livez`)).to.equal(200);
  });

  it('says on both ports for the time of its notice that it stops, and still answers', async () => {
    server().signal('SIGTERM');
    await server().logs('stopping');
    for (const url of [server().url, server().adminUrl]) {
      const status = await eventually(
        () => statusOf(`${url}/readyz`),
        (code) => code === 503,
      );
      expect(status).to.equal(503);
    }
    const answers = await Promise.all(range(4 * workers).map(() => statusOf(`${server().url}/livez`)));
    expect(new Set(answers)).to.deep.equal(new Set([200]));
  });
});
