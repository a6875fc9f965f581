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
    await acceptClock(new MemoryClockMarks(data))(aCall());
    expect(data.clockMark).to.deep.equal(noon);
  });
});
