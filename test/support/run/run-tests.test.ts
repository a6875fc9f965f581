import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { findChromium } from '../../browser/chromium.ts';
import { eventually } from '../eventually.ts';
import { findHost } from '../mongo/find-host.ts';
import { startNode } from '../processes/node-process.ts';
import { readOptions } from './options.ts';

const program = join(import.meta.dirname, 'run-tests.ts');
const onMongo = 'test/adapters/mongo/driver/commands.test.ts';
const inBrowser = 'test/browser/catalog.test.ts';
const anywhere = 'test/core/identifier.test.ts';

describe('npm test', () => {
  /** A folder that is the whole PATH, without MongoDB and a browser. Its programs do nothing but succeed or fail. */
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    for (const name of ['curl', 'faketime', 'php', 'python3']) await addProgram(name, 0);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leaves out what cannot run, says how many tests that are and how to run them, and passes', async () => {
    const line = new RegExp(`^LEFT OUT: ${await testsIn(onMongo)} tests that need MongoDB \\(to run them: .+\\)$`);
    const { code, told } = await npmTest(['--without', 'chromium', anywhere, onMongo, inBrowser]);
    expect(code).to.equal(0);
    expect(told).to.have.length(4);
    const browser = `LEFT OUT: ${await testsIn(inBrowser)} tests that need Chromium (--without chromium)`;
    expect([told[1], told[3]]).to.deep.equal([browser, browser]);
    expect(told[0]).to.match(line).and.to.equal(told[2]);
  });

  it('runs one file only, and says nothing where nothing of it is left out', async () => {
    await addProgram('mongod', 0);
    const { code, told, shown } = await npmTest(['--without', 'chromium', anywhere]);
    expect([code, told]).to.deep.equal([0, []]);
    expect(shown).to.include(`${await testsIn(anywhere)} passing`);
  });

  it('fails where all tests that were asked for are left out', async () => {
    await addProgram('mongod', 0);
    const { code, told } = await npmTest(['--without', 'chromium', inBrowser]);
    expect([code, told.length]).to.deep.equal([1, 2]);
  });

  it('runs nothing where something is missing that CI=true requires', async () => {
    const { code, told, shown } = await npmTest([anywhere], { CI: 'true' });
    expect([code, shown]).to.deep.equal([1, '']);
    expect(told[0]).to.match(/^MISSING: MongoDB, which this run requires\. To get it: .+/);
  });

  it('requires in CI what --without does not name, and elsewhere what --require names', () => {
    const every = 'mongodb,chromium,curl,faketime,php,python';
    expect(readOptions(['--without', every, anywhere], true).required).to.deep.equal([]);
    expect(readOptions(['--without', 'curl,php', anywhere], true).required.join()).to.equal(
      'mongodb,chromium,faketime,python',
    );
    expect(readOptions(['--require', 'mongodb,chromium', anywhere], false).required.join()).to.equal(
      'mongodb,chromium',
    );
  });

  it('says which option is wrong', async () => {
    const { code, told } = await npmTest(['--without', 'docker']);
    expect([code, told]).to.deep.equal([
      2,
      ['--without takes any of mongodb,chromium,curl,faketime,php,python, with commas between them.'],
    ]);
    expect(() => readOptions(['--without', 'mongodb', '--require', 'mongodb'], false)).to.throw(
      'mongodb is both required and left out.',
    );
  });

  it('passes on the options of mocha, and takes folders and patterns as files', () => {
    const args = ['-g', 'some words', 'test/core/paging', '--bail', 'test/core/*fier.test.ts', '--without=mongodb'];
    expect(readOptions([...args, '--timeout=5', '--long', 'no.test.ts'], false)).to.deep.equal({
      without: ['mongodb'],
      required: [],
      files: ['test/core/paging/paging.test.ts', anywhere, 'no.test.ts'],
      long: true,
      mocha: ['-g', 'some words', '--bail', '--timeout', '5'],
    });
    const { files, ...others } = readOptions([], true);
    expect(files).to.deep.equal(globSync('test/**/*.test.ts').toSorted());
    expect(others).to.deep.equal({
      without: [],
      required: ['mongodb', 'chromium', 'curl', 'faketime', 'php', 'python'],
      long: false,
      mocha: [],
    });
  });

  it('reports each file, a failure at once and at the end with the command for it, and the totals', async () => {
    const failing = join(folder, 'failing.test.ts');
    await writeFile(failing, "describe('one', () => { it('fails', () => { throw new Error('as it must'); }); });\n");
    await addAll();
    const { code, shown } = await npmTest([failing, anywhere]);
    expect(code).to.equal(1);
    const command = `npm test -- ${relative(process.cwd(), failing)} --fgrep 'one fails'`;
    expect(shown.split(`To run it alone: ${command}`)).to.have.length(3);
    expect(shown).to.match(/^\d\/2 {2}test\/core\/identifier\.test\.ts {2}3 tests, [\d.]+ s, CPU [\d.]+ s$/m);
    expect(shown).to.match(/^FAILED: one fails\nError: as it must/m);
    expect(shown).to.match(/ 3 passing .*\n {2}1 failing/);
  });

  for (const { how, others, end, ended } of [
    { how: 'on Ctrl-C', others: [], end: (pid: number) => process.kill(-pid, 'SIGINT'), ended: [130, null] },
    // Files run in processes of their own if there are several.
    { how: 'at SIGTERM', others: [anywhere], end: (pid: number) => process.kill(pid, 'SIGTERM'), ended: [130, null] },
    {
      how: 'when it is killed',
      others: [],
      end: (pid: number) => process.kill(pid, 'SIGKILL'),
      ended: [null, 'SIGKILL'],
    },
  ]) {
    it(`ends everything ${how}, also a server that no signal stops`, async () => {
      const endless = join(folder, 'endless.test.ts');
      const server = "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
      await writeFile(
        endless,
        `import { spawn } from 'node:child_process';
        it('does not end', () => new Promise(() => spawn(process.execPath, ['-e', ${JSON.stringify(`${server} console.log('serving')`)}], { stdio: 'inherit' })));
        `,
      );
      await addAll();
      const child = startNode([program, endless, ...others], {
        env: { PATH: folder, HOME: folder },
        detached: true,
      });
      let shown = '';
      child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
      await eventually(
        async () => shown,
        (lines) => lines.includes('serving'),
      );
      end(child.pid ?? 0);
      // The output closes when the last process that writes to it has ended.
      expect(await once(child, 'close')).to.deep.equal(ended);
    });
  }

  it('looks for MongoDB in Docker, then for a mongod', async () => {
    expect(await onPath(findHost)).to.equal(null);
    await addProgram('mongod', 0);
    expect(await onPath(findHost)).to.equal('binary');
    await addProgram('docker', 1);
    expect(await onPath(findHost)).to.equal('binary');
    await addProgram('docker', 0);
    expect(await onPath(findHost)).to.equal('container');
  });

  it('looks for a Chromium under the names of several systems, and takes the one that is named', async () => {
    for (const name of ['google-chrome-stable', 'chromium-browser', 'chromium']) {
      await addProgram(name, 0);
      const found = await onPath(findChromium);
      expect(await found?.()).to.deep.equal({ executablePath: join(folder, name) });
    }
    const named = await onPath(findChromium, { CHROMIUM: process.execPath });
    expect(await named?.()).to.deep.equal({ executablePath: process.execPath });
    const missing = await onPath(() => findChromium().catch(String), { CHROMIUM: '/nowhere' });
    expect(missing).to.equal('Error: CHROMIUM names /nowhere, which does not exist.');
  });

  async function npmTest(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ readonly code: number; readonly told: readonly string[]; readonly shown: string }> {
    const child = startNode([program, ...args], { env: { PATH: folder, HOME: folder, ...env } });
    const [shown, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, told: errors.split('\n').filter((line) => /^(LEFT OUT|MISSING|--|mongodb)/.test(line)), shown };
  }

  /** Nothing is missing then, so that no test has to be counted as left out. */
  async function addAll(): Promise<void> {
    for (const name of ['mongod', 'chromium']) await addProgram(name, 0);
  }

  async function addProgram(name: string, exitCode: number): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\nexit ${exitCode}\n`);
    await chmod(join(folder, name), 0o755);
  }

  /** Finds something with the folder as the PATH. */
  async function onPath<T>(find: () => Promise<T>, env: NodeJS.ProcessEnv = {}): Promise<T> {
    const { PATH, CHROMIUM, MONGODB_FROM } = process.env;
    delete process.env['CHROMIUM'];
    delete process.env['MONGODB_FROM'];
    Object.assign(process.env, { PATH: folder, ...env });
    try {
      return await find();
    } finally {
      delete process.env['CHROMIUM'];
      const before = { PATH, CHROMIUM, MONGODB_FROM };
      Object.assign(process.env, Object.fromEntries(Object.entries(before).filter(([, value]) => value !== undefined)));
    }
  }
});

/** Counts the tests in a source that makes none in a loop. */
async function testsIn(file: string): Promise<number> {
  const source = await readFile(join(dirname(program), '../../..', file), 'utf8');
  return [...source.matchAll(/^ *it\(/gm)].length;
}
