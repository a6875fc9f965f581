import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryClockMarks } from '../../../adapters/memory/memory-clock-marks.ts';
import { acceptClock, checkClock } from '../../../core/clock/check-clock.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aCall, hour, later, noon } from '../../support/builders.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('the clock of a command', () => {
  it('is refused if it is more than an hour ahead of the mark', async () => {
    const data = new MemoryStore();
    const check = checkClock(new MemoryClockMarks(data));
    await check(aCall());
    data.clockMark = later(-hour);
    await check(aCall());
    data.clockMark = later(-hour - 1);
    const error = await thrownBy(check(aCall()));
    expect(error instanceof Refusal && error.code).to.equal('clock_ahead');
  });

  it('becomes the mark if the operator vouches for it, also backwards', async () => {
    const data = new MemoryStore();
    data.clockMark = later(1);
    await acceptClock(new MemoryClockMarks(data), async () => 0)(aCall());
    expect(data.clockMark).to.deep.equal(noon);
  });

  it('becomes the mark after what waits to go to Stripe was parked, if the store was not served for an hour', async () => {
    const data = new MemoryStore();
    const parked: (Date | null)[] = [];
    const call = aCall();
    const accept = acceptClock(new MemoryClockMarks(data), async ({ at, isLongAgo }, newCall) => {
      expect([data.clockMark, newCall()]).to.deep.equal([at, call]);
      return isLongAgo ? parked.push(at) : 0;
    });
    for (const mark of [null, later(-hour - 1), later(-hour)]) {
      data.clockMark = mark;
      await accept(call);
    }
    expect(parked).to.deep.equal([null, later(-hour - 1)]);
  });
});
