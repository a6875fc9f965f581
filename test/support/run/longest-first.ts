import { matchesGlob } from 'node:path';

/** The files that take longest, by kind. */
const longest = [
  'test/adapters/mongo/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/app/workers/*.test.ts',
  'test/app/**/*.test.ts',
  'test/adapters/http/{mutations,redos}/*.test.ts',
  'test/adapters/delivery/*.test.ts',
  'test/adapters/stripe/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/gates/*.test.ts',
  'test/support/run/run-tests.test.ts',
];

/**
 * Sorts files so that the longest ones start first: begun last, they would run while all others have ended. Their kinds
 * take turns, because three servers of MongoDB for each of several files are more than a small machine keeps awake.
 */
export function longestFirst(files: readonly string[]): readonly string[] {
  const kinds = longest.map((pattern) => files.filter((file) => matchesGlob(file, pattern)));
  const turns = Math.max(...kinds.map((kind) => kind.length));
  const first = Array.from({ length: turns }, (_, turn) => kinds.flatMap((kind) => kind.slice(turn, turn + 1))).flat();
  return [...new Set([...first, ...files])];
}
