/**
 * Makes a function that does its work once, and returns the promise of it every time. One that is rejected is forgotten:
 * those who wait for it get the error, and the next caller has the work done again.
 */
export function keptPromise<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | null = null;
  return () => {
    if (kept !== null) return kept;
    const begun = work();
    kept = begun;
    begun.catch(() => {
      if (kept === begun) kept = null;
    });
    return begun;
  };
}
