import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { withUtilities } from '../../support/processes/utilities.ts';
import { range } from '../../support/range.ts';
import { outputs } from '../../support/run/output-search.ts';

const writer = new URL('../../support/processes/write-log.ts', import.meta.url).pathname;
const names = ['a', 'b', 'c'];
const lines = 2000;
const env = withUtilities(process.env);

interface Line {
  readonly name: string;
  readonly number: number;
}

describe('a log that several processes write to one pipe', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('has every line whole, in the order of its process, though its reader is late', async () => {
    const pipe = join(folder, 'log');
    execFileSync('mkfifo', [pipe], { env });
    const fd = openSync(pipe, constants.O_RDWR);
    const writers = names.map((name) => {
      const args = [writer, name, String(lines)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', fd] });
      outputs.watch(child, args);
      return child;
    });
    await Promise.all(writers.map(({ stdout }) => once(stdout ?? expect.fail(), 'data')));
    const reader = spawn('cat', [pipe], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    await Promise.all(writers.map((child) => once(child, 'close')));
    closeSync(fd);
    outputs.log('a log of several processes', await read);
    const parsed = (await read)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    for (const name of names) {
      const numbers = parsed.filter((line) => line.name === name).map(({ number }) => number);
      expect(numbers, name).to.deep.equal(range(lines));
    }
  });
});
