import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startNode } from './node-process.ts';

/** A script of the tests that runs in its own process. */
export interface Program {
  /** Resolves to the next line that it prints, or null at its end. */
  line(): Promise<string | null>;

  /** Closes its standard input, for which these scripts wait. */
  release(): void;

  kill(): void;

  /** Its exit code, or null if it was killed. */
  readonly ended: Promise<number | null>;
}

export function runProgram(url: URL, ...parameters: readonly string[]): Program {
  const child = startNode([url.pathname, ...parameters]);
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    line: async () => {
      const { done, value } = await lines.next();
      return done === true ? null : value;
    },
    release: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}
