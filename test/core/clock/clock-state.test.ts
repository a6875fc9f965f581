import { expect } from 'chai';
import { array, assert, constant, integer, oneof, property, record } from 'fast-check';
import {
  compare,
  follow,
  lag,
  maxDifference,
  maxJump,
  maxLead,
  mayRemove,
  removalDelay,
  steadyTime,
  type KnownClock,
} from '../../../core/clock/clock-state.ts';
import { day, later, noon } from '../../support/builders.ts';
import { MovedClocks } from '../../support/clock/moved-clocks.ts';

const second = 1000;
const unknown = { mark: null, server: null };

/** The clock at noon, after it was compared with a mark `ahead` milliseconds before. */
function atStart(ahead: number): KnownClock {
  return compare(null, new MovedClocks().moment, { mark: later(-ahead), server: null });
}

describe('the clock of a process', () => {
  it('is trusted at the start if it is at most an hour ahead of the mark, or behind it', () => {
    expect([-100 * day, 0, maxLead].map((ahead) => atStart(ahead).doubt)).to.deep.equal([null, null, null]);
    expect(atStart(maxLead + 1).doubt).to.deep.equal({ reason: 'ahead of the mark', by: maxLead + 1 });
  });

  it('is trusted at the start if no server has ever used the store', () => {
    expect(compare(null, new MovedClocks().moment, unknown).doubt).to.equal(null);
  });

  it('is trusted once it has been steady for 15 minutes, however far it is ahead', () => {
    const clocks = new MovedClocks();
    const store = { mark: later(-60 * day), server: null };
    let known = compare(null, clocks.moment, store);
    clocks.pass(steadyTime - 1);
    known = follow(known, clocks.moment);
    expect(compare(known, clocks.moment, store).doubt?.reason).to.equal('ahead of the mark');
    clocks.pass(1);
    expect(follow(known, clocks.moment).doubt).to.equal(null);
    expect(compare(known, clocks.moment, store).doubt).to.equal(null);
  });

  it('is trusted as soon as another process has moved the mark', () => {
    const clocks = new MovedClocks();
    const known = compare(null, clocks.moment, { mark: later(-60 * day), server: null });
    clocks.pass(second);
    expect(compare(known, clocks.moment, { mark: noon, server: null }).doubt).to.equal(null);
  });

  it('is in doubt after a jump of more than two minutes, and not after a correction', () => {
    const clocks = new MovedClocks();
    const known = compare(null, clocks.moment, unknown);
    clocks.set(maxJump);
    expect(follow(known, clocks.moment).doubt).to.equal(null);
    clocks.set(1);
    expect(follow(known, clocks.moment).doubt).to.deep.equal({ reason: 'jumped', by: maxJump + 1 });
  });

  it('is trusted after a jump if that has brought it to the mark, and not if the mark is unknown', () => {
    const clocks = new MovedClocks();
    let known = compare(null, clocks.moment, unknown);
    clocks.set(day);
    known = follow(known, clocks.moment);
    const at = (lead: number): KnownClock => compare(known, clocks.moment, { mark: later(day - lead), server: null });
    expect(at(maxJump).doubt).to.equal(null);
    expect(at(maxJump + 1).doubt).to.deep.equal({ reason: 'jumped', by: day });
    expect(compare(known, clocks.moment, unknown).doubt).to.deep.equal({ reason: 'jumped', by: day });
  });

  it('is trusted again once a jump has been undone', () => {
    const clocks = new MovedClocks();
    let known = compare(null, clocks.moment, unknown);
    clocks.set(40 * day);
    known = follow(known, clocks.moment);
    clocks.pass(5 * second);
    clocks.set(-40 * day);
    known = follow(known, clocks.moment);
    expect(compare(known, clocks.moment, { mark: noon, server: null }).doubt).to.equal(null);
  });

  it('waits another 15 minutes each time that it is set while it is in doubt', () => {
    const clocks = new MovedClocks();
    let known = compare(null, clocks.moment, { mark: later(-day), server: null });
    clocks.pass(steadyTime - second);
    clocks.set(-6 * second);
    known = follow(known, clocks.moment);
    clocks.pass(steadyTime - second);
    known = follow(known, clocks.moment);
    expect(known.doubt?.reason).to.equal('ahead of the mark');
    clocks.pass(second);
    expect(follow(known, clocks.moment).doubt).to.equal(null);
  });

  it('counts as set if it moves by more than five seconds against the monotonic clock', () => {
    const clocks = new MovedClocks();
    const known = compare(null, clocks.moment, { mark: later(-day), server: null });
    clocks.pass(steadyTime);
    clocks.set(5 * second);
    expect(follow(known, clocks.moment).doubt).to.equal(null);
    clocks.set(1);
    expect(follow(known, clocks.moment).doubt?.reason).to.equal('ahead of the mark');
  });

  it('is in doubt while it is ahead of the server of the store, however steady it is', () => {
    const clocks = new MovedClocks();
    const server = (ahead: number) => ({ mark: null, server: new Date(clocks.now().getTime() - ahead) });
    let known = compare(null, clocks.moment, server(maxDifference));
    expect(known.doubt).to.equal(null);
    known = compare(known, clocks.moment, server(maxDifference + 1));
    expect(known.doubt).to.deep.equal({ reason: 'ahead of the server', by: maxDifference + 1 });
    clocks.pass(2 * steadyTime);
    known = follow(known, clocks.moment);
    expect(known.doubt?.reason).to.equal('ahead of the server');
    expect(compare(known, clocks.moment, server(0)).doubt).to.equal(null);
  });

  it('is still in doubt when it agrees with the server and is far ahead of the mark', () => {
    const clocks = new MovedClocks();
    const mark = later(-day);
    const known = compare(null, clocks.moment, { mark, server: later(-day) });
    expect(compare(known, clocks.moment, { mark, server: noon }).doubt?.reason).to.equal('ahead of the mark');
  });

  it('removes nothing in its first five minutes, nor in the five minutes after it was set', () => {
    const clocks = new MovedClocks();
    let known = compare(null, clocks.moment, unknown);
    clocks.pass(removalDelay - 1);
    expect(mayRemove(known, clocks.moment)).to.equal(false);
    clocks.pass(1);
    expect(mayRemove(known, clocks.moment)).to.equal(true);
    clocks.set(-day);
    known = follow(known, clocks.moment);
    clocks.pass(removalDelay - 1);
    expect(mayRemove(known, clocks.moment)).to.equal(false);
    clocks.pass(1);
    expect(mayRemove(known, clocks.moment)).to.equal(true);
  });

  it('removes nothing while it is in doubt', () => {
    const clocks = new MovedClocks();
    const known = compare(null, clocks.moment, { mark: later(-day), server: null });
    clocks.pass(removalDelay);
    expect(mayRemove(known, clocks.moment)).to.equal(false);
  });

  it('is behind what is later, the mark or the server of the store', () => {
    expect(lag(noon, { mark: later(5), server: later(3) })).to.equal(5);
    expect(lag(noon, { mark: null, server: later(-3) })).to.equal(-3);
    expect(lag(noon, unknown)).to.equal(-Infinity);
  });

  it('is trusted more than an hour ahead of the mark only if it has been steady for 15 minutes', () => {
    const steps = integer({ min: -200 * day, max: 200 * day });
    const step = oneof(
      record({ kind: constant('pass' as const), by: integer({ min: 0, max: 10 * 60 * second }) }),
      record({ kind: constant('set' as const), by: steps.filter((by) => Math.abs(by) > 5 * second) }),
    );
    assert(
      property(steps, array(step), (ahead, moves) => {
        const clocks = new MovedClocks();
        const mark = later(-ahead);
        let known = compare(null, clocks.moment, { mark, server: null });
        let wasTrusted = known.doubt === null;
        let steady = 0;
        for (const { kind, by } of moves) {
          clocks[kind](by);
          const isSet = kind === 'set';
          steady = isSet ? 0 : steady + by;
          known = compare(follow(known, clocks.moment), clocks.moment, { mark, server: null });
          const lead = clocks.now().getTime() - mark.getTime();
          const isTrusted = known.doubt === null;
          const mayBegin = lead <= maxLead || steady >= steadyTime;
          const mayGoOn = wasTrusted && !(isSet && by > maxJump);
          expect(isTrusted && !mayBegin && !mayGoOn).to.equal(false);
          expect(steady >= steadyTime && !isTrusted).to.equal(false);
          wasTrusted = isTrusted;
        }
      }),
    );
  });
});
