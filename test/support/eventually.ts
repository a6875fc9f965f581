/** Reads until the result passes, for at most ten minutes. Returns the last result, so that the test can show it. */
export async function eventually<T>(read: () => Promise<T>, passes: (result: T) => boolean): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const result = await read();
    const elapsed = performance.now() - begun;
    if (passes(result) || elapsed > 600_000) return result;
    // A result that comes soon is noticed at once; a longer wait leaves the processor to others.
    await new Promise((resolve) => setTimeout(resolve, Math.min(5 + elapsed / 5, 100)));
  }
}
