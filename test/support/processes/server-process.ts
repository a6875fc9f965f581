import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startNode } from './node-process.ts';

const program = fileURLToPath(new URL('../../../app/main.js', import.meta.url));
const forgetfulServer = fileURLToPath(new URL('serve-forgetful.ts', import.meta.url));

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Whether it keeps idempotency records. Default: true. */
  readonly records?: boolean;
  /** Further options of the command line. */
  readonly flags?: readonly string[];
}

/** Runs `latchkey serve` on a free port, and waits until it listens. */
export async function startServerProcess(
  storeUrl: string,
  { records = true, flags = [] }: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const serve = [program, 'serve', '--store', storeUrl, '--port', '0', '--json', ...flags];
  const child = startNode(records ? serve : [forgetfulServer, storeUrl]);
  let log = '';
  const keep = (text: string): void => void (log += text);
  child.stderr.setEncoding('utf8').on('data', keep);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first: unknown = await Promise.race([once(lines, 'line').then(([line]: unknown[]) => line), ended]);
  if (typeof first !== 'string') throw new Error(`the server did not start: ${log}`);
  child.stderr.off('data', keep).resume();
  const { address }: { readonly address: string } = JSON.parse(first);
  return {
    url: address,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
