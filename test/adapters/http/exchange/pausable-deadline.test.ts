import { expect } from 'chai';
import { PausableDeadline } from '../../../../adapters/http/exchange/pausable-deadline.ts';

describe('the deadline of a request', () => {
  let now = 0;
  let deadline = new PausableDeadline(0, 0);
  beforeEach(() => {
    now = 1000;
    deadline = new PausableDeadline(now, 500, () => now);
  });

  /** The time that remains after each step, in milliseconds. */
  function remainingAfter(...steps: readonly number[]): readonly number[] {
    return steps.map((step) => {
      now += step;
      return deadline.remaining();
    });
  }

  it('runs down as time passes, and stays passed', () => {
    expect(remainingAfter(0, 200, 300, 1)).to.deep.equal([500, 300, 0, -1]);
  });

  it('does not run while it is paused, and continues from there', () => {
    now += 200;
    deadline.pause();
    expect(remainingAfter(0, 10_000)).to.deep.equal([300, 300]);
    deadline.resume();
    expect(remainingAfter(0, 100)).to.deep.equal([300, 200]);
  });

  it('is not extended by resuming twice, or by resuming what was not paused', () => {
    deadline.resume();
    now += 100;
    deadline.pause();
    now += 100;
    deadline.resume();
    now += 100;
    deadline.resume();
    expect(deadline.remaining()).to.equal(300);
  });
});
