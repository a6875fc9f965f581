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
