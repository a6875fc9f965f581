import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runProgram } from '../../support/cli/run-command.ts';
import { programPath } from '../../support/processes/command-process.ts';
import { startNode } from '../../support/processes/node-process.ts';
import { outputs } from '../../support/run/output-search.ts';
import { withTemporaryFolder } from '../demo/started-demo.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the server, if its port is in use', () => {
  let other: Server;
  let port: number;
  let folder: string;

  beforeEach(async () => {
    other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(async () => {
    other.close();
    await rm(folder, { recursive: true });
  });

  for (const [command, flag] of [
    ['serve', '--port'],
    ['serve --port 0', '--admin-port'],
    ['serve --port 0 --workers 2', '--admin-port'],
    ['demo', '--port'],
  ] as const) {
    it(`prints a message, and closes its store: ${command}, ${flag}`, async () => {
      const store = command === 'demo' ? [] : ['--store', `sqlite:${join(folder, 'latchkey.db')}`];
      const args = [...command.split(' '), flag, String(port), ...store];
      const { exitCode, stderr } = await withTemporaryFolder(folder, () => runProgram(args));
      expect([exitCode, stderr]).to.deep.equal([1, messageOf(flag)]);
      expect(await readdir(folder)).to.deep.equal(command === 'demo' ? [] : ['latchkey.db']);
    });
  }

  it('prints a message, closes its store and exits, with workers', async () => {
    const args = ['serve', '--workers', '2', '--port', String(port)];
    const child = startNode([programPath, ...args, '--store', `sqlite:${join(folder, 'latchkey.db')}`]);
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    expect([code, stderr]).to.deep.equal([1, messageOf('--port')]);
    expect(await readdir(folder)).to.deep.equal(['latchkey.db']);
  });

  const messageOf = (flag: string): string => `Port ${port} of 127.0.0.1 is in use: choose another with ${flag}.\n`;
});

describe('the server, started by npm', () => {
  it('stops when npm gets SIGTERM, and has logged what its level says', async () => {
    const npm = spawn('npm', ['run', '--silent', 'start', '--', '--port', '0', '--json'], {
      cwd: root,
      env: { ...process.env, STORE_URL: 'memory:', LOG_LEVEL: 'error' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    outputs.watch(npm, ['start']);
    const ended = once(npm, 'exit');
    const log = text(npm.stderr);
    try {
      const [line] = await once(createInterface({ input: npm.stdout }), 'line');
      const { address } = JSON.parse(String(line)) as { readonly address: string };
      npm.kill('SIGTERM');
      await ended;
      expect(await fetch(`${address}/livez`).catch(() => 'nobody answers')).to.equal('nobody answers');
      expect(await log).to.equal('');
    } finally {
      endGroup(npm.pid);
    }
  });
});

/** Kills what is left of a process group. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
