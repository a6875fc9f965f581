// @ts-check
// The entry of a worker, in JavaScript for the reason that `main.js` is.

// A terminal and systemd signal every process of a server. The primary stops, and then it stops the workers.
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, () => undefined);

const { runWorker } = await import('./worker-process.ts');
runWorker();
