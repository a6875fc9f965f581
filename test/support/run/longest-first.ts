import { matchesGlob } from 'node:path';

/** The files that take longest, in the order in which they start: begun last, they would run while all others have ended. */
const longest = [
  'test/adapters/mongo/*.test.ts',
  'test/crash/*.test.ts',
  'test/app/**/*.test.ts',
  'test/adapters/delivery/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/docs/**/*.test.ts',
];

/** Sorts files so that the longest ones start first. The others keep their order. */
export function longestFirst(files: readonly string[]): readonly string[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function rank(file: string): number {
  const index = longest.findIndex((pattern) => matchesGlob(file, pattern));
  return index === -1 ? longest.length : index;
}
