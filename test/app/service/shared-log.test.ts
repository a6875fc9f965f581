import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { withUtilities } from '../../support/processes/utilities.ts';
import { range } from '../../support/range.ts';
import { outputs } from '../../support/run/output-search.ts';

const writer = new URL('write-log.ts', import.meta.url).pathname;
const names = ['a', 'b'];
const lines = 2000;
const env = withUtilities(process.env);

interface Line {
  readonly name: string;
  readonly number: number;
}

interface Writers {
  /** Resolves once each has logged all lines, which may not be written yet. */
  readonly logged: Promise<unknown>;
  readonly ended: Promise<unknown>;
}

function startWriters(fd: number): Writers {
  const writers = names.map((name) => {
    const args = [writer, name, String(lines)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', fd] });
    outputs.watch(child, args);
    return child;
  });
  return {
    logged: Promise.all(writers.map(({ stdout }) => once(stdout ?? expect.fail(), 'data'))),
    ended: Promise.all(writers.map((child) => once(child, 'close'))),
  };
}

function expectWhole(log: string): void {
  outputs.log('a log of several processes', log);
  const parsed = log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  for (const name of names) {
    const numbers = parsed.filter((line) => line.name === name).map(({ number }) => number);
    expect(numbers, name).to.deep.equal(range(lines));
  }
}

describe('a log that several processes write', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('has every line whole, in the order of its process, in a pipe whose reader is late', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe], { env });
    const fd = openSync(pipe, constants.O_RDWR);
    const { logged, ended } = startWriters(fd);
    await logged;
    const reader = spawn('dd', [`if=${pipe}`, 'bs=1k', 'status=none'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    await ended;
    closeSync(fd);
    expectWhole(await read);
  });

  it('has every line whole, in the order of its process, in a file', async () => {
    const path = join(folder, 'file');
    const fd = openSync(path, 'w');
    const { ended } = startWriters(fd);
    await ended;
    closeSync(fd);
    expectWhole(await readFile(path, 'utf8'));
  });
});
