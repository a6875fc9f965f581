// @ts-check
// The entry of a worker, in JavaScript for the reason that `main.js` is.

// A terminal and systemd signal every process of a server. The primary stops, and then it stops the workers.
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) process.on(signal, () => undefined);

// The primary has died. Before anything else: node:cluster would exit, and the log would first try to write its last lines,
// which nobody reads, for ever.
process.prependListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const { runWorker } = await import('./worker-process.ts');
runWorker();
