import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { valueOf } from '../support/cli/run-command.ts';
import { eventually } from '../support/eventually.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { outputs } from '../support/run/output-search.ts';
import { temporaryFile } from '../support/stores/sqlite-file.ts';
import { UnreadPipe } from './service/unread-pipe.ts';

const preload = fileURLToPath(new URL('../support/processes/preloads/signal-at-module.ts', import.meta.url));

/** Modules that are loaded one after another while the program starts. */
const commandLine = 'adapters/cli/command-line.ts';
const server = 'app/server/serve.ts';
const sqlite = 'adapters/sqlite/open-sqlite-store.ts';

const nothingToRestart = 'SIGHUP restarts workers, and WORKERS is 1';

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

  for (const module of [commandLine, sqlite]) {
    it(`stops a server before it listens, and closes its store: at ${module}`, async () => {
      expect(await run('serve --json --port 0', 'SIGTERM', module)).to.deep.equal([0, null, '']);
      // An open store has files beside it.
      expect(['', 'latchkey.db']).to.include((await readdir(folder)).join());
    });
  }

  it('leaves a server alone if it is SIGHUP, at each of these modules, and later says why it does nothing', async () => {
    const args = ['--import', preload, programPath, 'serve', '--json', '--port', '0', '--store', `sqlite:${store}`];
    const modules = [commandLine, server, sqlite].join();
    const child = startNode(args, { env: { ...process.env, SIGNAL: 'SIGHUP', SIGNAL_AT: modules } });
    const ended = once(child, 'close');
    const log: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
    const count = async (): Promise<number> => log.filter((line) => line.includes(nothingToRestart)).length;
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { address } = JSON.parse(line) as { readonly address: string };
    const before = await count();
    child.kill('SIGHUP');
    expect(await eventually(count, (lines) => lines > before)).to.be.above(before);
    expect((await fetch(`${address}/readyz`)).status).to.equal(200);
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
  });

  it('ends a command as a process without handlers ends', async () => {
    await valueOf('product add --id p1 --name One', `sqlite:${store}`);
    expect(await run('product list', 'SIGTERM', commandLine)).to.deep.equal([null, 'SIGTERM', '']);
    expect(await run('product list', 'SIGINT', sqlite)).to.deep.equal([null, 'SIGINT', '']);
    expect(await run('product list', 'SIGHUP', commandLine)).to.deep.equal([null, 'SIGHUP', '']);
    expect(await run('listing import -', 'SIGHUP', sqlite)).to.deep.equal([null, 'SIGHUP', '']);
  });
});

describe('the end of the shell that npx has started', () => {
  const path = temporaryFile();

  for (const event of ['npx', 'start'] as const) {
    it(event === 'npx' ? 'stops the server in it' : 'leaves a server alone that npx has not started', async () => {
      const serve = `'${process.execPath}' '${programPath}' serve --json --port 0 --store 'sqlite:${path()}'; true`;
      const env = { ...process.env, npm_lifecycle_event: event };
      const shell = spawn('sh', ['-c', serve], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      outputs.leave(shell);
      try {
        const [line] = (await once(createInterface({ input: shell.stdout }), 'line')) as [string];
        const { address } = JSON.parse(line) as { readonly address: string };
        const answers = (): Promise<boolean> =>
          fetch(`${address}/livez`).then(
            ({ ok }) => ok,
            () => false,
          );
        shell.kill('SIGTERM');
        await once(shell, 'exit');
        if (event === 'npx') expect(await eventually(answers, (isThere) => !isThere)).to.equal(false);
        else {
          await new Promise((resolve) => setTimeout(resolve, 2500));
          expect(await answers()).to.equal(true);
        }
      } finally {
        try {
          process.kill(-(shell.pid ?? 0), 'SIGKILL');
        } catch {
          // The server has ended, and its group with it.
        }
      }
    });
  }
});

describe('SIGHUP while a server stops', () => {
  const path = temporaryFile();

  it('does not end it, nor its workers', async () => {
    const store = path();
    const pipe = new UnreadPipe(path('log'));
    const args = ['serve', '--json', '--port', '0', '--workers', '2', '--store', `sqlite:${store}`];
    const child = spawn(process.execPath, [programPath, ...args], { stdio: ['ignore', 'pipe', pipe.fd] });
    outputs.leave(child);
    const ended = once(child, 'exit');
    try {
      await once(createInterface({ input: child.stdout as Readable }), 'line');
      pipe.fill();
      child.kill('SIGTERM');
      // An open store has files beside it. After it was closed, the process waits for its log to be read.
      const isClosed = async (): Promise<boolean> => !existsSync(`${store}-wal`);
      expect(await eventually(isClosed, Boolean)).to.equal(true);
      child.kill('SIGHUP');
      pipe.read();
      expect(await ended).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
      pipe.close();
    }
  });
});
