/** Reads until the result passes, for at most ten minutes. Returns the last result, so that the test can show it. */
export async function eventually<T>(read: () => Promise<T>, passes: (result: T) => boolean): Promise<T> {
  const until = performance.now() + 600_000;
  for (;;) {
    const result = await read();
    if (passes(result) || performance.now() > until) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
