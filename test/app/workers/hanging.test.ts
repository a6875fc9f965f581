import { expect } from 'chai';
import { sqlite } from '../../support/stores/stores.ts';
import { freshWorkers } from '../../support/workers/fresh-workers.ts';
import { isRunning } from '../../support/workers/workers-process.ts';

describe('a server with a worker that hangs', function () {
  this.timeout(600_000);
  const server = freshWorkers(sqlite, 2);

  it('kills it, says so, and replaces it', async () => {
    const hanging = server().worker(0);
    const other = server().worker(1);
    process.kill(hanging, 'SIGSTOP');
    await server().logs('a worker does not answer and is killed');
    await server().listened(3);
    expect(isRunning(hanging)).to.equal(false);
    expect(server().workers()).to.include(other).and.to.have.lengthOf(2);
    const killed = server()
      .log()
      .filter(({ message }) => message === 'a worker does not answer and is killed');
    expect(killed.map(({ worker }) => worker)).to.include(hanging);
  });
});
