import { expect } from 'chai';

/** Lets a process print the size of its heap after each collection to standard output. */
export const traceGc: readonly string[] = ['--trace-gc'];

/** The maximum heap of a command in megabytes, for any number of lines. The program itself takes half of it. */
export const heapBound = 40;

/** The maximum heap after a full collection, in megabytes, from the output of `--trace-gc`. There must have been one. */
export function heapAfterCollections(stdout: string): number {
  const left = [...stdout.matchAll(/Mark-Compact .*?-> ([\d.]+) /g)].map(([, megabytes]) => Number(megabytes));
  expect(left).not.to.deep.equal([]);
  return Math.max(...left);
}

/** The output of a command without the lines of `--trace-gc`, which may interrupt it. */
export function withoutTrace(stdout: string): string {
  return stdout.replaceAll(/\[\d+:0x[0-9a-f]+\] +\d+ ms: [^\n]*\n/g, '');
}
