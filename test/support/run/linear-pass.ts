/** 130 kB of lines with cells, quotes and a line end each. */
const text = 'slug,name,"a quoted cell",42,true\n'.repeat(4000);

const passes = 4;

/**
 * Milliseconds of CPU that this thread takes to read 130 kB once: to split and to search them, and to write and parse them as
 * JSON. Work that takes a few of these passes on one machine takes about as many on any other. The mean of several passes,
 * because the system counts CPU in steps of some milliseconds.
 */
export function linearPass(): number {
  const before = process.threadCpuUsage();
  for (let pass = 0; pass < passes; pass += 1) {
    const rows = text.split('\n').map((line) => line.replaceAll(/"([^"]*)"/g, '<$1>').split(','));
    JSON.parse(JSON.stringify(rows));
  }
  const { user, system } = process.threadCpuUsage(before);
  // Never 0, which a system that counts in longer steps would say.
  return Math.max(user + system, 1) / 1000 / passes;
}

/** Runs the pass until its code is compiled. */
export function warmLinearPass(): void {
  for (let run = 0; run < 5; run += 1) linearPass();
}
