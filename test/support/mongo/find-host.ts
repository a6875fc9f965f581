import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { image } from './container.ts';

/** The program that runs the MongoDB servers of the tests. */
export type ServerHost = 'container' | 'binary';

/** Milliseconds after which a program that does not answer counts as missing. */
const timeout = 120_000;

/**
 * Finds what can start MongoDB servers: Docker, or else a `mongod` on the PATH; null where there is neither.
 * `MONGODB_FROM` set to `container` or `binary` looks for that one only.
 */
export async function findHost(): Promise<ServerHost | null> {
  const wanted = process.env['MONGODB_FROM'];
  if (wanted !== 'binary' && (await dockerHasImage())) return 'container';
  if (wanted !== 'container' && (await succeeds('mongod', '--version'))) return 'binary';
  return null;
}

/** Whether a Docker engine answers and has the image, which is pulled where it is missing. */
async function dockerHasImage(): Promise<boolean> {
  if (!(await succeeds('docker', 'version'))) return false;
  if (await succeeds('docker', 'image', 'inspect', image)) return true;
  console.error(`Pulling the image ${image} for the tests on MongoDB.`);
  const [code] = await once(
    spawn('docker', ['pull', '--quiet', image], { stdio: ['ignore', 'ignore', 'inherit'] }),
    'exit',
  );
  return code === 0;
}

function succeeds(program: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args, { timeout }).then(
    () => true,
    () => false,
  );
}
