import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { root } from '../../../docs/generate/repository.ts';
import { withUtilities } from '../processes/utilities.ts';
import { outputs } from '../run/output-search.ts';

/** Where a script runs: the root of the repository unless `cwd` says otherwise. */
interface Where {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

const run = promisify(execFile);

/** Runs a script as a reader of the documents would, and returns its standard output. Throws if a command of it fails. */
export async function runScript(script: string, { env = process.env, cwd = root }: Where = {}): Promise<string> {
  const { stdout, stderr } = await run('sh', ['-ec', script], { env: withUtilities(env), cwd });
  if (!script.startsWith('curl ')) outputs.stdout(wordsOf(script), stdout);
  outputs.log(script, stderr);
  return stdout;
}

/** A command that runs until it is stopped. */
export interface RunningScript {
  /** The next line that it prints. */
  line(): Promise<string>;
  /** Sends SIGTERM to its first process, such as npm, and waits until all have ended. */
  stop(): Promise<{ readonly exitCode: unknown; readonly log: string }>;
}

/** Starts a command that does not end by itself. */
export function startScript(script: string, { env = process.env, cwd = root }: Where = {}): RunningScript {
  const child = spawn('sh', ['-c', `exec ${script}`], {
    env: withUtilities(env),
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  outputs.watch(child, wordsOf(script));
  const ended = once(child, 'close');
  const log = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    line: async () => {
      const { done, value } = await lines.next();
      if (done === true) throw new Error(`${script} has ended`);
      return value;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [exitCode] = (await ended) as readonly unknown[];
      return { exitCode, log: await log };
    },
  };
}

/** The words of the command line that `latchkey` or an npm script gets. */
function wordsOf(script: string): readonly string[] {
  return script.replace(/^.*?(?:latchkey|npm run(?: -s)?) /, '').split(' ');
}
