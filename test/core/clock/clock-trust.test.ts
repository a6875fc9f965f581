import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemoryClockMarks } from '../../../adapters/memory/memory-clock-marks.ts';
import { ClockTrust, comparesClock, requireTrust } from '../../../core/clock/clock-trust.ts';
import { aCall, hour, later, noon } from '../../support/builders.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('the trust in a clock', () => {
  it('is there where nobody watches it', () => {
    expect(new ClockTrust().trusts()).to.equal(true);
  });

  it('is that of whoever watches it', async () => {
    const trust = new ClockTrust();
    trust.askOf(() => false);
    expect(trust.trusts()).to.equal(false);
    trust.askOf(async () => true);
    expect(await trust.trusts()).to.equal(true);
  });

  it('is that of a server that starts, for a process that does not watch its clock', async () => {
    const marks = new MemoryClockMarks(new MemoryStore());
    const trusts = comparesClock(marks);
    expect(await trusts(aCall())).to.equal(true);
    await marks.raise(noon);
    expect(await trusts(aCall({ now: later(hour) }))).to.equal(true);
    expect(await trusts(aCall({ now: later(hour + 1) }))).to.equal(false);
  });

  it('is required with the instant of the next look at the store, and in the words of who requires it', async () => {
    await requireTrust(() => true, aCall());
    const details = { retryAt: later(10_000) };
    for (const message of [undefined, 'Not yet.']) {
      const refusal = await refusalOf(requireTrust(() => false, aCall(), message));
      const said = message === undefined ? details : { ...details, message };
      expect(refusal).to.deep.equal({ code: 'clock_not_trusted', details: said });
    }
  });
});
