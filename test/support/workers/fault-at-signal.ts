/** Preloaded into a process: SIGUSR2 is a fault in it. */
process.on('SIGUSR2', () => {
  throw new Error('a fault that a test has asked for');
});
