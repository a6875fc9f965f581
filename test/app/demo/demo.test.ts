import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { runProgram } from '../../support/cli/run-command.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';
import { runDemo } from './started-demo.ts';

/** What `demo --json` prints. */
interface SampleData {
  readonly address: string;
  readonly adminAddress: string;
}

/** What a demo with the seed `tests` has shown until a signal ended it. */
interface EndedDemo {
  readonly printed: SampleData;
  readonly listingIds: readonly string[];
  /** How many files and folders were in the temporary folder while it served, and after its end. */
  readonly files: readonly [number, number];
  readonly code: number;
}

describe('the demo', () => {
  const signals = ['SIGTERM', 'SIGHUP'] as const;
  const ended: EndedDemo[] = [];
  let folder: string;

  before(async () => {
    for (const signal of signals) ended.push(await runUntil(signal));
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [index, signal] of signals.entries()) {
    it(`removes its store at the end, by ${signal}`, () => {
      expect([ended[index]?.code, ended[index]?.files]).to.deep.equal([0, [1, 0]]);
    });
  }

  it('makes the same keys and ids for the same seed', () => {
    const [first, second] = ended.map(({ printed, listingIds }) => [withoutAddresses(printed), listingIds]);
    expect(second).to.deep.equal(first);
    expect(new Set(ended[0]?.listingIds).size).to.equal(48);
  });

  it('is a test double with the data that docs/testing.md shows', async () => {
    const document = await readMarkdown('docs/testing.md');
    const shown: SampleData = JSON.parse(document.codeBlocks('json').at(-1) ?? '');
    expect(ended.map(({ printed }) => withoutAddresses(printed))[0]).to.deep.equal(withoutAddresses(shown));
  });

  it('ends cleanly if its store has been removed', async () => {
    const lines: string[] = [];
    const removeStore = (): void => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      stop.abort();
    };
    const stop = new AbortController();
    await withTemporaryFolder(folder, () =>
      runDemo({ json: true, seed: null, print: removeStore }, stop.signal, (line) => void lines.push(line)),
    );
    expect(lines).not.to.deep.equal([]);
    // A sweep may have noticed the loss before it was stopped. One mailbox of the demo is unknown on purpose.
    const others = lines.filter((line) => !/"code":"(store_unavailable|550 5\.1\.1)"/.test(line));
    expect(others.join('')).not.to.match(/"level":"(error|fatal)"/);
    expect(lines.join('')).not.to.include('"level":"fatal"');
  });

  it('ends cleanly if it is stopped before it has printed anything', async () => {
    const stop = new AbortController();
    const printed: string[] = [];
    const options = { print: (shown: string) => void printed.push(shown), json: true, seed: null };
    await runDemo(options, stop.signal, (line) => {
      if (line.includes('/api/waitlist')) stop.abort();
    });
    expect(printed).to.deep.equal([]);
  });

  it('ends with the fault if its first day fails', async () => {
    const fault = new Error('the output is closed');
    const print = (): void => {
      throw fault;
    };
    const failed = await runDemo({ json: true, seed: null, print }, new AbortController().signal).catch(
      (error: unknown) => error,
    );
    expect(failed).to.equal(fault);
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

/** Does something while temporary files of this process belong into another folder. */
async function withTemporaryFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = path;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
