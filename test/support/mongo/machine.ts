import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The image of the MongoDB that the tests start in a container. */
export const image = 'mongo:6.0';

/** Where MongoDB servers run: a container or this machine. Both know them by the same ports and process ids. */
export interface Machine {
  /** Runs a shell command and throws when it fails. */
  run(command: string): Promise<void>;
  /** An empty directory for one server's files. */
  directoryOf(port: number): string;
  remove(): Promise<void>;
}

/** A container of Docker that publishes these ports on loopback. */
export async function startContainer(ports: readonly number[]): Promise<Machine> {
  const published = ports.flatMap((port) => ['--publish', `127.0.0.1:${port}:${port}`]);
  const inMemory = ports.flatMap((port) => ['--tmpfs', `/data/${port}`]);
  // A run that is killed leaves its container behind, which ends by itself after twenty minutes.
  const { stdout } = await docker('run', '--detach', '--rm', ...published, ...inMemory, image, 'sleep', '1200');
  const container = stdout.trim();
  return {
    async run(command) {
      await docker('exec', container, 'sh', '-c', command);
    },
    directoryOf: (port) => `/data/${port}`,
    async remove() {
      await docker('kill', container);
    },
  };
}

/** This machine, with the `mongod` of its PATH. */
export async function onThisMachine(ports: readonly number[]): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-mongod-'));
  for (const port of ports) await mkdir(join(directory, String(port)));
  return {
    async run(command) {
      await execute('sh', ['-c', command]);
    },
    directoryOf: (port) => join(directory, String(port)),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function docker(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  return execute('docker', args);
}
