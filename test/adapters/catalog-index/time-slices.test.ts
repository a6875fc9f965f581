import { expect } from 'chai';
import { TimeSlices } from '../../../adapters/catalog-index/time-slices.ts';
import { eventLoopTurnsDuring } from '../../support/event-loop.ts';

describe('time slices', () => {
  it('let other work go on while a long task runs, and return its result', async () => {
    const work = new TimeSlices().run(busy(30, 'done'));
    expect(await eventLoopTurnsDuring(work)).to.be.greaterThan(5);
    expect(await work).to.equal('done');
  });

  it('finish a short task before a long one that began earlier', async () => {
    const slices = new TimeSlices();
    const ended: string[] = [];
    await Promise.all(
      [busy(30, 'long'), busy(1, 'short')].map(async (work) => {
        ended.push(await slices.run(work));
      }),
    );
    expect(ended).to.deep.equal(['short', 'long']);
  });

  it('reject if a task throws, and go on with other tasks', async () => {
    const slices = new TimeSlices();
    const failing = slices.run(throwing());
    const other = slices.run(busy(3, 'done'));
    expect(await failing.catch((error: unknown) => error)).to.have.property('message', 'on purpose');
    expect(await other).to.equal('done');
  });
});

/** A task of that many steps, each of a millisecond. */
function* busy(steps: number, result: string): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    yield;
  }
  return result;
}

function* throwing(): Generator<void, string> {
  yield;
  throw new Error('on purpose');
}
