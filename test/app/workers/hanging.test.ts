import { expect } from 'chai';
import { isRunning, WorkersProcess } from '../../support/processes/workers-process.ts';
import { sqlite, type StoreAddress } from '../../support/stores/stores.ts';

describe('a server with a worker that hangs', function () {
  this.timeout(600_000);
  let store: StoreAddress;
  let server: WorkersProcess;

  before(async () => {
    store = await sqlite.address();
    server = await WorkersProcess.start(store.url, 2);
  });
  after(async () => {
    await server.kill();
    await store.remove();
  });

  it('kills it, says so, and replaces it', async () => {
    const hanging = server.worker(0);
    const other = server.worker(1);
    process.kill(hanging, 'SIGSTOP');
    await server.logs('a worker does not answer and is killed');
    await server.listened(3);
    expect(isRunning(hanging)).to.equal(false);
    expect(server.workers()).to.include(other).and.to.have.lengthOf(2);
    const killed = server.log().filter(({ message }) => message === 'a worker does not answer and is killed');
    expect(killed.map(({ worker }) => worker)).to.include(hanging);
  });
});
