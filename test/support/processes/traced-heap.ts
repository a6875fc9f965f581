import { expect } from 'chai';
import { rounds } from '../run/long-runs.ts';

/** Collects the garbage of a process each time that it has used a quarter of a second of CPU for something else. */
const collector = `
  const used = () => process.cpuUsage().user + process.cpuUsage().system;
  let collected = 0;
  setInterval(() => {
    if (used() < collected + 250_000) return;
    gc();
    collected = used();
  }, 20).unref();`;

/**
 * Lets a process collect its garbage now and then, and print the size of its heap after each collection to standard output.
 * With a small heap it would be collected often as well, but for most of the time of the process.
 */
export const traceGc: readonly string[] = [
  '--trace-gc',
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(collector)}`,
];

/**
 * The maximum heap of a command in megabytes, for any number of lines. The program itself takes up to 21 of them on a busy
 * machine; if it kept the lines or records of a sample, which have more than 9 MB, they would take more than the rest.
 */
export const heapBound = rounds(24, 40);

/** The maximum heap after a full collection that `traceGc` has asked for, in megabytes. There must have been one. */
export function heapAfterCollections(stdout: string): number {
  const collections = stdout.matchAll(/Mark-Compact .*?-> ([\d.]+) .* testing;/g);
  const left = [...collections].map(([, megabytes]) => Number(megabytes));
  expect(left).not.to.deep.equal([]);
  return Math.max(...left);
}

/** The output of a command without the lines of `--trace-gc`, which may interrupt it. */
export function withoutTrace(stdout: string): string {
  return stdout.replaceAll(/\[\d+:0x[0-9a-f]+\] +\d+ ms: [^\n]*\n/g, '');
}
