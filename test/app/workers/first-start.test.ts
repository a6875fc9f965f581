import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { startsWorkers } from '../../support/workers/fresh-workers.ts';
import { childrenOf, type WorkersProcess } from '../../support/workers/workers-process.ts';
import { statusOf } from './requests.ts';

const workers = 2;

describe(`the first start of ${workers} workers`, () => {
  const start = startsWorkers(sqlite, workers);

  for (const killed of [1, workers]) {
    it(`survives ${killed} of them that are killed before they listen, and replaces them`, async () => {
      let pids: readonly number[] = [];
      const server = await start({
        whileStarting: async (primary) => {
          pids = (await childrenOf(primary, killed)).slice(0, killed);
          for (const pid of pids) process.kill(pid, 'SIGKILL');
        },
      });
      await allListen(server);
      const unstarted = server.log().filter(({ message }) => message === 'a worker could not start');
      expect(unstarted.map(({ worker }) => worker)).to.have.members([...pids]);
      for (const line of unstarted) expect(line).to.include({ level: 'error', code: null, signal: 'SIGKILL' });
      expect(await statusOf(`${server.url}/livez`)).to.equal(200);
    });
  }
});

async function allListen(server: WorkersProcess): Promise<void> {
  const listening = await eventually(
    async () => server.workers(),
    ({ length }) => length === workers,
  );
  expect(listening).to.have.lengthOf(workers);
}
