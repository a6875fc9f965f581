import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startNode } from './node-process.ts';

/** A program of the tests in a process of its own. */
export interface Program {
  /** The next line that it prints, or null when it has ended. */
  line(): Promise<string | null>;

  /** Ends its standard input, for which these programs wait. */
  release(): void;

  kill(): void;

  /** Its exit code, or null where it was killed. */
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
