import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from '../../browser/chromium.ts';
import { findHost } from '../mongo/find-host.ts';
import type { Need } from './options.ts';

/** Tests that cannot run on this machine, or are not wanted. */
export interface Gap {
  readonly need: Need;
  /** Completes "tests that need …". */
  readonly what: string;
  /** The command that brings it. */
  readonly bring: string;
  /** Patterns of the files that hold nothing but such tests. */
  readonly files: readonly string[];
  /** Whether the other files leave such tests out, too. */
  readonly everywhere: boolean;
}

/** Finds what this machine lacks; `without` names what is left out even where it is there. */
export async function findGaps(without: readonly Need[]): Promise<readonly Gap[]> {
  const gaps = await Promise.all([
    mongodbGap(without.includes('mongodb')),
    chromiumGap(without.includes('chromium')),
    programGap('curl', 'curl', without.includes('curl')),
    faketimeGap(without.includes('faketime')),
    phpGap(without.includes('php')),
    programGap('python', 'python3', without.includes('python')),
  ]);
  return gaps.filter((gap) => gap !== null);
}

async function mongodbGap(unwanted: boolean): Promise<Gap | null> {
  const given = process.env['MONGODB_URI'];
  if (!unwanted && given !== undefined) await expectAnswer(given);
  if (!unwanted && (await findHost()) !== null) return null;
  const gap = { need: 'mongodb', bring: install('docker.io', 'moby-engine', 'docker colima && colima start') } as const;
  if (!unwanted && given !== undefined)
    return { ...gap, what: 'MongoDB servers that they may stop', files: filesWithOwnServers(), everywhere: false };
  return { ...gap, what: 'MongoDB', files: ['test/adapters/mongo/**'], everywhere: true };
}

async function chromiumGap(unwanted: boolean): Promise<Gap | null> {
  if (!unwanted && (await findChromium()) !== null) return null;
  const packaged = process.platform === 'linux' && process.arch === 'x64';
  const bring = packaged ? 'npm ci --prefix test/browser' : 'npx playwright-core install chromium';
  return { need: 'chromium', what: 'Chromium', bring, files: ['test/browser/**'], everywhere: false };
}

/** Tests preload its library into Node, which only Linux allows. */
async function faketimeGap(unwanted: boolean): Promise<Gap | null> {
  const gap = await programGap('faketime', 'faketime', unwanted || process.platform !== 'linux');
  return gap && { ...gap, bring: install('faketime', 'libfaketime', 'libfaketime') };
}

async function phpGap(unwanted: boolean): Promise<Gap | null> {
  const gap = await programGap('php', 'php', unwanted);
  return gap && { ...gap, bring: install('php-cli', 'php-cli', 'php') };
}

async function programGap(
  need: 'curl' | 'faketime' | 'php' | 'python',
  program: string,
  unwanted: boolean,
): Promise<Gap | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (!unwanted && folders.some((folder) => existsSync(join(folder, program)))) return null;
  return { need, what: program, bring: install(program, program, need), files: [], everywhere: true };
}

/** A server that was named and does not answer is a mistake, not a gap. */
async function expectAnswer(uri: string): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 60_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error('The server that MONGODB_URI names does not answer.', { cause: error });
  } finally {
    await client.close();
  }
}

/** The tests on servers that are theirs alone, which the server of `MONGODB_URI` cannot stand in for. */
function filesWithOwnServers(): readonly string[] {
  const starting = /\b(?:ownDatabaseUrl|ownServer|startServers)\b/;
  return globSync('test/**/*.test.ts').filter((file) => starting.test(readFileSync(file, 'utf8')));
}

/** The command that installs a package under the name that it has on Debian, on Fedora and in Homebrew. */
function install(debian: string, fedora: string, homebrew: string): string {
  if (existsSync('/usr/bin/apt-get')) return `sudo apt-get install ${debian}`;
  if (existsSync('/usr/bin/dnf')) return `sudo dnf install ${fedora}`;
  if (process.platform === 'darwin') return `brew install ${homebrew}`;
  return `install ${debian}`;
}
