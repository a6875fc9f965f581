import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryClockMarks } from '../../../adapters/memory/memory-clock-marks.ts';
import type { ClockMarks } from '../../../core/clock/clock-marks.port.ts';
import { ClockWatch, type ClockReport } from '../../../core/clock/clock-watch.ts';
import { aCall, day, hour, later, noon } from '../../support/builders.ts';
import { MovedClocks } from '../../support/clock/moved-clocks.ts';

const minute = 60_000;

/** The watch of a process with clocks of its own over a store that processes share. */
class Watched {
  readonly clocks: MovedClocks;
  readonly reports: ClockReport[] = [];
  /** When the store had been served, each time that it was found to be long ago. */
  readonly returns: (Date | null)[] = [];
  whenReturned = (): void => undefined;
  readonly watch: ClockWatch;

  constructor(
    data: MemoryStore,
    clocks = new MovedClocks(),
    isVouchedFor = false,
    marks: ClockMarks = new MemoryClockMarks(data),
  ) {
    this.clocks = clocks;
    this.watch = new ClockWatch({
      marks,
      clock: clocks.now,
      monotonicClock: clocks.monotonic,
      newCall: () => aCall({ now: clocks.now(), by: 'clock' }),
      isVouchedFor,
      report: (report) => this.reports.push(report),
      onReturn: async ({ at, isLongAgo }) => {
        this.whenReturned();
        if (isLongAgo) this.returns.push(at);
      },
    });
  }

  /** Looks every second, as a server does. */
  async look(milliseconds = 0): Promise<void> {
    await this.watch.look();
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      this.clocks.pass(1000);
      await this.watch.look();
    }
  }
}

/** The mark in a store whose answers take so long that something happens meanwhile. */
class SlowMarks extends MemoryClockMarks {
  onRead = (): void => {};

  override read(): ReturnType<ClockMarks['read']> {
    this.onRead();
    return super.read();
  }
}

describe('the watch of a clock', () => {
  let data: MemoryStore;
  beforeEach(() => {
    data = new MemoryStore();
  });

  it('trusts no clock before it has looked', async () => {
    const { watch, clocks } = new Watched(data);
    clocks.pass(hour);
    expect([watch.isTrusted, watch.mayRemove]).to.deep.equal([false, false]);
    await watch.look();
    expect([watch.isTrusted, watch.mayRemove]).to.deep.equal([true, false]);
    clocks.pass(5 * minute);
    expect(watch.mayRemove).to.equal(true);
  });

  it('moves the mark once a minute while the clock is trusted', async () => {
    const watched = new Watched(data);
    const marks = new Set<Date | null>();
    for (let second = 0; second <= 120; second += 1) {
      await watched.look(second === 0 ? 0 : 1000);
      marks.add(data.clockMark);
    }
    expect([...marks]).to.deep.equal([noon, later(minute), later(2 * minute)]);
  });

  it('moves no mark while the clock is in doubt, and moves it once it has been steady for 15 minutes', async () => {
    data.clockMark = later(-60 * day);
    const watched = new Watched(data);
    await watched.look(15 * minute - 1000);
    expect([watched.watch.isTrusted, data.clockMark]).to.deep.equal([false, later(-60 * day)]);
    await watched.look(minute);
    expect([watched.watch.isTrusted, watched.watch.mayRemove]).to.deep.equal([true, true]);
    expect(data.clockMark > noon).to.equal(true);
    const doubt = { reason: 'ahead of the mark', by: 60 * day };
    expect(watched.reports).to.deep.equal([{ kind: 'doubted', doubt }, { kind: 'trusted again' }]);
  });

  it('doubts a clock that jumps at once, and trusts it ten seconds after it has been set back', async () => {
    const watched = new Watched(data);
    await watched.look(minute);
    watched.clocks.set(100 * day);
    expect(watched.watch.isTrusted).to.equal(false);
    await watched.look(4000);
    expect(data.clockMark).to.deep.equal(later(minute));
    watched.clocks.set(-100 * day);
    expect(watched.watch.isTrusted).to.equal(false);
    await watched.look(10_000);
    expect(watched.watch.isTrusted).to.equal(true);
    expect(watched.watch.mayRemove).to.equal(false);
    const doubt = { reason: 'jumped', by: 100 * day };
    expect(watched.reports).to.deep.equal([{ kind: 'doubted', doubt }, { kind: 'trusted again' }]);
  });

  it('draws no conclusion from what it reads while the clock is set', async () => {
    const clocks = new MovedClocks();
    const marks = new SlowMarks(data);
    const watched = new Watched(data, clocks, false, marks);
    await watched.look(59_000);
    clocks.pass(1000);
    marks.onRead = () => clocks.set(day);
    await watched.look();
    expect(watched.reports).to.deep.equal([{ kind: 'doubted', doubt: { reason: 'jumped', by: day } }]);
    expect(data.clockMark).to.deep.equal(noon);
  });

  it('lets a process with a wrong clock not stop one with a right clock', async () => {
    const right = new Watched(data);
    await right.look();
    const wrong = new Watched(data, new MovedClocks(later(100 * day)));
    for (let second = 0; second < 300; second += 1) {
      await right.look(1000);
      await wrong.look(1000);
    }
    expect([right.watch.isTrusted, wrong.watch.isTrusted]).to.deep.equal([true, false]);
    expect(data.clockMark).to.deep.equal(later(5 * minute));
    expect(right.reports).to.deep.equal([]);
  });

  it('trusts a clock that the operator vouches for, and moves the mark to it, also backwards', async () => {
    data.clockMark = later(-60 * day);
    const ahead = new Watched(data, new MovedClocks(), true);
    await ahead.look();
    expect([ahead.watch.isTrusted, data.clockMark]).to.deep.equal([true, noon]);
    const behind = new Watched(data, new MovedClocks(later(-day)), true);
    await behind.look();
    expect([behind.watch.isTrusted, data.clockMark]).to.deep.equal([true, later(-day)]);
    expect([...ahead.reports, ...behind.reports]).to.deep.equal([]);
  });

  it('says once that the store was not served for an hour, before the clock is trusted and the mark moves', async () => {
    for (const [isVouchedFor, wait] of [
      [false, 15 * minute],
      [true, 0],
    ] as const) {
      data.clockMark = later(-2 * hour);
      const watched = new Watched(data, new MovedClocks(), isVouchedFor);
      watched.whenReturned = () => {
        expect([watched.watch.isTrusted, data.clockMark]).to.deep.equal([false, later(-2 * hour)]);
      };
      await watched.look(wait);
      await watched.look(minute);
      expect([watched.watch.isTrusted, watched.returns]).to.deep.equal([true, [later(-2 * hour)]]);
    }
  });

  it('says so of a store without a mark, and not of one that was served within the hour or is served meanwhile', async () => {
    const first = new Watched(data);
    await first.look(2 * hour);
    expect(first.returns).to.deep.equal([null]);
    data.clockMark = later(-hour);
    const second = new Watched(data);
    await second.look(minute);
    data.clockMark = later(-2 * hour);
    const third = new Watched(data);
    await third.look(minute);
    data.clockMark = later(minute);
    await third.look(15 * minute);
    expect([...second.returns, ...third.returns, third.watch.isTrusted]).to.deep.equal([true]);
  });

  it('does not trust the clock until what follows from it is done', async () => {
    const watched = new Watched(data);
    watched.whenReturned = () => {
      throw new Error('the store does not answer');
    };
    await watched.look().catch(() => undefined);
    expect([watched.watch.isTrusted, data.clockMark]).to.deep.equal([false, null]);
    watched.whenReturned = () => undefined;
    await watched.look();
    expect([watched.watch.isTrusted, data.clockMark]).to.deep.equal([true, noon]);
  });

  it('doubts a clock that jumps although the operator has vouched for it', async () => {
    const watched = new Watched(data, new MovedClocks(), true);
    await watched.look(minute);
    watched.clocks.set(day);
    await watched.look(minute);
    expect(watched.watch.isTrusted).to.equal(false);
  });

  it('reports a clock that is behind by more than five minutes', async () => {
    data.clockMark = later(5 * minute);
    const near = new Watched(data);
    await near.look();
    const far = new Watched(data, new MovedClocks(later(-1)));
    await far.look();
    expect([near.reports, far.reports]).to.deep.equal([[], [{ kind: 'behind', by: 5 * minute + 1 }]]);
  });

  it('trusts a clock that is a day behind, reports it once, and leaves the mark alone', async () => {
    data.clockMark = noon;
    const watched = new Watched(data, new MovedClocks(later(-day)));
    await watched.look(10 * minute);
    expect([watched.watch.isTrusted, data.clockMark]).to.deep.equal([true, noon]);
    expect(watched.reports).to.deep.equal([{ kind: 'behind', by: day }]);
  });
});
