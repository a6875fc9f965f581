/**
 * Lets SIGHUP call a function instead of ending the process. On a terminal it still does, because there the signal says
 * that the terminal was closed. Returns a function that ends this.
 */
export function onHangup(act: () => void): () => void {
  if (process.stderr.isTTY) return () => undefined;
  process.on('SIGHUP', act);
  return () => void process.off('SIGHUP', act);
}
