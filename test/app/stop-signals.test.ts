import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { programPath, runCommandProcess } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';

const preload = fileURLToPath(new URL('../support/processes/signal-at-module.ts', import.meta.url));

/** Modules that are loaded one after another while the program starts. */
const commandLine = 'adapters/cli/command-line.ts';
const server = 'app/server/serve.ts';
const sqlite = 'adapters/sqlite/open-sqlite-store.ts';

describe('a signal while the program starts', () => {
  let folder: string;
  let store: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    store = join(folder, 'latchkey.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs a command that gets a signal when it loads a module; returns its exit code and the signal that ended it. */
  async function run(line: string, signal: string, module: string): Promise<readonly unknown[]> {
    const args = ['--import', preload, programPath, ...line.split(' '), '--store', `sqlite:${store}`];
    const child = startNode(args, { env: { ...process.env, SIGNAL: signal, SIGNAL_AT: module } });
    const [[code, endedBy], stdout] = await Promise.all([once(child, 'close'), text(child.stdout)]);
    return [code, endedBy, stdout];
  }

  for (const module of [commandLine, server, sqlite]) {
    it(`stops a server before it listens, and closes its store: at ${module}`, async () => {
      expect(await run('serve --json --port 0', 'SIGTERM', module)).to.deep.equal([0, null, '']);
      // An open store has files beside it.
      expect(['', 'latchkey.db']).to.include((await readdir(folder)).join());
    });
  }

  it('ends a command as a process without handlers ends', async () => {
    await runCommandProcess('product add --id p1 --name One', `sqlite:${store}`);
    for (const module of [commandLine, sqlite]) {
      expect(await run('product list', 'SIGTERM', module)).to.deep.equal([null, 'SIGTERM', '']);
    }
    expect(await run('product list', 'SIGINT', sqlite)).to.deep.equal([null, 'SIGINT', '']);
  });
});
