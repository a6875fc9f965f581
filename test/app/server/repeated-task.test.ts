import { expect } from 'chai';
import { RepeatedTask } from '../../../app/server/repeated-task.ts';
import { eventually } from '../../support/eventually.ts';

describe('a repeated task', () => {
  it('runs again and again, and not after its stop', async () => {
    let runs = 0;
    const task = new RepeatedTask(async () => (runs += 1), 1);
    task.start(() => {});
    await eventually(
      async () => runs,
      (count) => count > 3,
    );
    await task.stop();
    const counted = runs;
    let others = 0;
    const other = new RepeatedTask(async () => (others += 1), 1);
    other.start(() => {});
    await eventually(
      async () => others,
      (count) => count > 5,
    );
    await other.stop();
    expect(runs).to.equal(counted);
  });

  it('waits for the run in progress when it is stopped, which learns of it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const states: boolean[] = [];
    const task = new RepeatedTask(async (isStopped) => {
      states.push(isStopped());
      await promise;
      states.push(isStopped());
    }, 1);
    task.start(() => {});
    let hasStopped = false;
    const stopping = task.stop().then(() => (hasStopped = true));
    await new Promise((after) => setImmediate(after));
    expect(hasStopped).to.equal(false);
    resolve();
    await stopping;
    expect(states).to.deep.equal([false, true]);
  });

  it('reports the first failure of each series, and goes on', async () => {
    let runs = 0;
    const reports: unknown[] = [];
    const failures = new Map([2, 3, 5].map((run) => [run, new Error(`run ${run}`)]));
    const task = new RepeatedTask(async () => {
      runs += 1;
      const failure = failures.get(runs);
      if (failure !== undefined) throw failure;
    }, 1);
    task.start((error) => reports.push(error));
    await eventually(
      async () => runs,
      (count) => count > 6,
    );
    await task.stop();
    expect(reports).to.deep.equal([failures.get(2), failures.get(5)]);
  });
});
