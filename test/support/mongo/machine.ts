import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where MongoDB servers run: a container or this machine. Both know them by the same ports and process ids. */
export interface Machine {
  /** The address that servers must listen on to be reached on loopback. */
  readonly listensOn: '127.0.0.1' | '0.0.0.0';
  /** Runs a shell command and throws when it fails. */
  run(command: string): Promise<void>;
  /** An empty directory for one server's files. */
  directoryOf(port: number): string;
  remove(): Promise<void>;
}

/** This machine, with the `mongod` of its PATH. */
export async function onThisMachine(ports: readonly number[]): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-mongod-'));
  for (const port of ports) await mkdir(join(directory, String(port)));
  return {
    listensOn: '127.0.0.1',
    async run(command) {
      await promisify(execFile)('sh', ['-c', command]);
    },
    directoryOf: (port) => join(directory, String(port)),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}
