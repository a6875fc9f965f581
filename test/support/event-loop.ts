import { setTimeout as pause } from 'node:timers/promises';

/** Counts the turns of the event loop while some work is done: how often other work could have run. */
export async function eventLoopTurnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  count();
  await work;
  counting = false;
  return turns;
}

/** Measures the CPU time of this thread in each turn of the event loop while some work is done; returns the maximum in milliseconds. */
export async function maxTurnDuring(work: () => Promise<unknown>): Promise<number> {
  let max = 0;
  let measuring = true;
  let before = process.threadCpuUsage();
  const measure = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    max = Math.max(max, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (measuring) setImmediate(measure);
  };
  setImmediate(measure);
  await work();
  measuring = false;
  return max;
}

/** Waits until the condition holds. Throws after ten minutes, which is enough for any machine. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  for await (const turn of turnsUntil(condition)) {
    // A condition that holds soon is noticed at once; a longer wait leaves the processor to others.
    if (turn > 50) await pause(2);
  }
}

/** Checks the condition in every turn of the event loop until it holds, as `waitUntil` does. */
export async function watchUntil(condition: () => boolean): Promise<void> {
  for await (const _ of turnsUntil(condition)) continue;
}

/** Counts turns of the event loop until the condition holds. */
async function* turnsUntil(condition: () => boolean): AsyncGenerator<number> {
  const end = performance.now() + 600_000;
  for (let turn = 0; !condition(); turn += 1) {
    if (performance.now() > end) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setImmediate(resolve));
    yield turn;
  }
}
