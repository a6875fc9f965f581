import { expect } from 'chai';
import { hangs } from '../../../app/workers/heartbeat.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { sharedWorkers } from '../../support/workers/fresh-workers.ts';
import { childrenOf, isRunning } from '../../support/workers/workers-process.ts';

describe('the limits of a worker that hangs', () => {
  it('is 20 signs of life for one that listens', () => {
    expect(hangs({ isStarting: false, asked: 1000, missed: 20 })).to.equal(false);
    expect(hangs({ isStarting: false, asked: 1000, missed: 21 })).to.equal(true);
  });

  it('is 30 signs of life for one that starts, and a time in which it must listen', () => {
    expect(hangs({ isStarting: true, asked: 90, missed: 30 })).to.equal(false);
    expect(hangs({ isStarting: true, asked: 31, missed: 31 })).to.equal(true);
    expect(hangs({ isStarting: true, asked: 91, missed: 0 })).to.equal(true);
  });
});

describe('a server with a worker that hangs', () => {
  const server = sharedWorkers(sqlite, 2);

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

  it('kills one that hangs before it listens, says so, and replaces it', async () => {
    const before = server().workers();
    process.kill(server().worker(0), 'SIGKILL');
    const [hanging = 0] = await childrenOf(server().primary, 1, before);
    process.kill(hanging, 'SIGSTOP');
    await server().logs('a worker does not answer and is killed', 2);
    await server().listened(4);
    expect(isRunning(hanging)).to.equal(false);
    expect(server().workers()).to.have.lengthOf(2).and.not.to.include(hanging);
    const unstarted = server()
      .log()
      .find(({ message }) => message === 'a worker could not start');
    expect(unstarted).to.include({ level: 'error', worker: hanging, code: null, signal: 'SIGKILL' });
  });
});
