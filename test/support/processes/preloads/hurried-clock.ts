// Preloaded into a process. Lets its monotonic clock run so fast that the lease of 60 s of another process is over in 10 s.
const speed = 6;

const now = performance.now.bind(performance);
performance.now = () => now() * speed;
