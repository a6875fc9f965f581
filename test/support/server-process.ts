import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('serve.ts', import.meta.url));

/** A server as a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Everything that it wrote to stderr. */
  readonly complaints: () => string;
  /** Ends it with SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Starts a server on a store that exists, and waits until it listens. `records` off makes it forget idempotency keys. */
export async function startServerProcess(storeUrl: string, { records = true } = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [entry, storeUrl, ...(records ? [] : ['--forget'])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first: unknown = await Promise.race([once(lines, 'line').then(([line]: unknown[]) => line), ended]);
  if (typeof first !== 'string') throw new Error(`the server did not start: ${complaints}`);
  return {
    url: first,
    complaints: () => complaints,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
