import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programPath } from './command-process.ts';
import { patient, startNode } from './node-process.ts';

/**
 * Preloaded by servers, because a killed one would keep nothing of what it has compiled, and the next one would compile it
 * again: a third of the CPU of a start.
 */
const keepCompiled = `data:text/javascript,${encodeURIComponent(
  "import { flushCompileCache } from 'node:module'; setInterval(flushCompileCache, 500).unref();",
)}`;

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Further options of the command line. */
  readonly flags?: readonly string[];
  /** Further environment, such as secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The maximum number of restarts of a server that does not reach its store in time, because the machine is busy. */
const maxRestarts = 5;

/** Runs `latchkey serve` on a free port, and waits until it listens. Starts it again as a supervisor does. */
export async function startServerProcess(
  storeUrl: string,
  options: ServerProcessOptions = {},
  restarts = maxRestarts,
): Promise<ServerProcess> {
  const started = await start(storeUrl, options);
  if (typeof started !== 'string') return started;
  if (restarts === 0 || !/"code":"store_un(usable|available)"/.test(started)) {
    throw new Error(`the server did not start: ${started}`);
  }
  return startServerProcess(storeUrl, options, restarts - 1);
}

/** Starts a server. Returns what it wrote if it ended by itself. */
async function start(
  storeUrl: string,
  { flags = [], env = {} }: ServerProcessOptions,
): Promise<ServerProcess | string> {
  const node = ['--import', keepCompiled, programPath];
  const serve = [...node, 'serve', '--store', storeUrl, '--port', '0', '--json', ...patient, ...flags];
  const child = startNode(serve, { env: { ...process.env, ...env } });
  let log = '';
  const keep = (text: string): void => void (log += text);
  child.stderr.setEncoding('utf8').on('data', keep);
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const first: unknown = await Promise.race([once(lines, 'line').then(([line]: unknown[]) => line), ended]);
  if (typeof first !== 'string') return log;
  child.stderr.off('data', keep).resume();
  const { address }: { readonly address: string } = JSON.parse(first);
  return {
    url: address,
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
