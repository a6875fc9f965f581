import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';
import { runDemo, startDemo } from './started-demo.ts';

/** What `demo --json` prints. */
interface SampleData {
  readonly address: string;
  readonly adminAddress: string;
}

describe('the demo', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the demo until it serves and `whileServing` is done; returns its exit code and its log. */
  async function run(
    whileServing: (line: string) => Promise<void>,
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<readonly [number, string]> {
    const env = { ...process.env, TMPDIR: folder };
    const child = startNode([programPath, 'demo', '--json', '--port', '0', '--log-format', 'json'], { env });
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    const early = ended.then(([, log]) => Promise.reject(new Error(`the demo ended before it served: ${log}`)));
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), early]);
    early.catch(() => undefined);
    await whileServing(String(line));
    child.kill(signal);
    const [[code], log] = await ended;
    return [code, log];
  }

  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    it(`removes its store at the end, by ${signal}`, async () => {
      const [code] = await run(async () => void expect(await readdir(folder)).to.have.length(1), signal);
      expect([code, await readdir(folder)]).to.deep.equal([0, []]);
    });
  }

  it('ends cleanly if its store has been removed', async () => {
    const [code, log] = await run(async () => {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    });
    expect(code).to.equal(0);
    const lines = log.trimEnd().split('\n');
    // A sweep may have noticed the loss before the signal came. One mailbox of the demo is unknown on purpose.
    const others = lines.filter((line) => !/"code":"(store_unavailable|550 5\.1\.1)"/.test(line));
    expect(others.join('\n')).not.to.match(/"level":"(error|fatal)"/);
    expect(log).not.to.include('"level":"fatal"');
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

  it('makes the same keys and ids for the same seed', async () => {
    const data = await sampleData('other');
    expect(data).to.have.length(49);
    expect(await sampleData('other')).to.deep.equal(data);
  });

  it('is a test double with the data that docs/testing.md shows', async () => {
    const document = await readMarkdown('docs/testing.md');
    const {
      address: _address,
      adminAddress: _adminAddress,
      ...shown
    }: SampleData = JSON.parse(document.codeBlocks('json').at(-1) ?? '');
    expect((await sampleData('tests'))[0]).to.deep.equal(shown);
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
    const child = startNode([programPath, 'demo', '--port', '0'], { env: { ...process.env, TMPDIR: none } });
    const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.equal(
      `The demo cannot write to ${none}, where it keeps its store: set TMPDIR to a folder that is writable.\n`,
    );
  });
});

/** Starts the demo with a seed; returns what it prints but for its addresses, and the ids of its listings. */
async function sampleData(seed: string): Promise<readonly unknown[]> {
  await using started = await startDemo({ json: true, seed });
  const { address, adminAddress: _, ...printed }: SampleData = JSON.parse(started.printed);
  const answer = await fetch(`${address}/api/marketplace/listings?limit=48`);
  const { data: listings } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return [printed, ...listings.map(({ id }) => id)];
}
