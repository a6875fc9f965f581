import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LocalLimitCounts } from '../../../adapters/http/limits/limit-counts.ts';
import { WorkerGuesses } from '../../../app/workers/worker-guesses.ts';
import { range } from '../../support/range.ts';

/** Takes guesses until the limit of 20 has none left to take at once. */
async function takeAll(limits: WorkerGuesses): Promise<void> {
  for (const _ of range(20)) expect(await limits.takeGuess('a')).to.equal(null);
}

describe('the guesses of a worker', () => {
  it('give back the guesses in progress when it ends, without counting them', async () => {
    const counts = new LocalLimitCounts({});
    const [dead, alive] = [new WorkerGuesses(counts), new WorkerGuesses(counts)];
    await takeAll(dead);
    const waiting = range(20).map(() => alive.takeGuess('a'));
    dead.end();
    expect(await Promise.all(waiting)).to.deep.equal(range(20).map(() => null));
    expect(await counts.guessesSpent('a')).to.equal(null);
  });

  it('give back a guess that it gets after it has ended', async () => {
    const counts = new LocalLimitCounts({});
    const [dead, alive] = [new WorkerGuesses(counts), new WorkerGuesses(counts)];
    await takeAll(alive);
    const late = range(20).map(() => dead.takeGuess('a'));
    dead.end();
    for (const _ of range(20)) alive.endGuess('a', false);
    await Promise.all(late);
    await takeAll(alive);
  });

  it('end no guess a second time that is reported after it has ended', async () => {
    const counts = new LocalLimitCounts({});
    const [dead, alive] = [new WorkerGuesses(counts), new WorkerGuesses(counts)];
    await takeAll(dead);
    dead.end();
    for (const _ of range(20)) dead.endGuess('a', false);
    await takeAll(alive);
    const next = alive.takeGuess('a');
    expect(await Promise.race([next, setImmediate('it waits')])).to.equal('it waits');
    alive.endGuess('a', false);
    expect(await next).to.equal(null);
  });

  it('keep what was refused before it ended', async () => {
    const counts = new LocalLimitCounts({});
    const dead = new WorkerGuesses(counts);
    await takeAll(dead);
    for (const _ of range(20)) dead.endGuess('a', true);
    dead.end();
    expect(await counts.takeGuess('a')).to.be.within(1, 60_000);
  });
});
