import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { runProgram } from '../../support/cli/run-command.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';
import { runDemo, withTemporaryFolder } from './started-demo.ts';

/** The output of `demo --json`. */
interface SampleData {
  readonly address: string;
  readonly adminAddress: string;
}

/** A demo with the seed `tests` that a signal has ended. */
interface EndedDemo {
  readonly printed: SampleData;
  readonly listingIds: readonly string[];
  /** The numbers of files and folders in the temporary folder while it served, and after its end. */
  readonly files: readonly [number, number];
  readonly code: number;
}

describe('the demo', () => {
  let ended: EndedDemo;
  let folder: string;

  before(async () => {
    ended = await runUntil('SIGHUP');
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('removes its store at the end, by SIGHUP', () => {
    expect([ended.code, ended.files]).to.deep.equal([0, [1, 0]]);
  });

  it('is a test double with the data that docs/testing.md shows', async () => {
    const document = await readMarkdown('docs/testing.md');
    const shown: SampleData = JSON.parse(document.codeBlocks('json').at(-1) ?? '');
    expect(withoutAddresses(ended.printed)).to.deep.equal(withoutAddresses(shown));
  });

  it('makes the same ids for the same seed, and ends cleanly if it is stopped before it has printed anything', async () => {
    const stop = new AbortController();
    const printed: string[] = [];
    let listingIds: readonly string[] = [];
    const options = { print: (shown: string) => void printed.push(shown), json: true, seed: 'tests' };
    await withTemporaryFolder(folder, () =>
      runDemo(options, stop.signal, (line) => {
        if (!line.includes('/api/waitlist') || stop.signal.aborted) return;
        listingIds = listingIdsIn(folder);
        stop.abort();
      }),
    );
    expect([printed, await readdir(folder)]).to.deep.equal([[], []]);
    expect(listingIds).to.include.members([...ended.listingIds]);
    expect(new Set(ended.listingIds).size).to.equal(48);
  });

  it('ends with the fault if its first day fails', async () => {
    const printed: string[] = [];
    const options = { print: (shown: string) => void printed.push(shown), json: true, seed: null };
    const failed: unknown = await withTemporaryFolder(folder, () =>
      runDemo(options, new AbortController().signal, undefined, { rateLimits: 'joinWaitlist=1' }).catch(
        (error: unknown) => error,
      ),
    );
    expect(String(failed)).to.match(/^Error: \/api\/waitlist was answered with 429: /);
    expect([printed, await readdir(folder)]).to.deep.equal([[], []]);
  });

  it('says where it cannot write, and what to do', async () => {
    const none = join(folder, 'none');
    const { exitCode, stdout, stderr } = await withTemporaryFolder(none, () => runProgram(['demo', '--port', '0']));
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.equal(
      `The demo cannot write to ${none}, where it keeps its store: set TMPDIR to a folder that is writable.\n`,
    );
  });
});

/** Runs the program until it serves sample data and gets a signal. */
async function runUntil(signal: NodeJS.Signals): Promise<EndedDemo> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  try {
    const args = [programPath, 'demo', '--json', '--seed', 'tests', '--port', '0', '--log-format', 'json'];
    const child = startNode(args, { env: { ...process.env, TMPDIR: folder } });
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    const early = ended.then(([, log]) => Promise.reject(new Error(`the demo ended before it served: ${log}`)));
    early.catch(() => undefined);
    const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), early])) as [string];
    const printed: SampleData = JSON.parse(line);
    const answer = await fetch(`${printed.address}/api/marketplace/listings?limit=48`);
    const { data: listings } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
    const { length: whileServing } = await readdir(folder);
    child.kill(signal);
    const [[code]] = await ended;
    const { length: afterwards } = await readdir(folder);
    return { printed, listingIds: listings.map(({ id }) => id), files: [whileServing, afterwards], code };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function withoutAddresses({ address: _address, adminAddress: _adminAddress, ...rest }: SampleData): object {
  return rest;
}

/** The ids of the listings in the store of the demo that has its temporary files in this folder. */
function listingIdsIn(folder: string): readonly string[] {
  const [own = ''] = readdirSync(folder);
  const connection = new Database(join(folder, own, 'latchkey.db'), { readonly: true });
  try {
    return connection.prepare('SELECT id FROM listings').pluck().all() as string[];
  } finally {
    connection.close();
  }
}
