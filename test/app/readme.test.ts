import { expect } from 'chai';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { settingsTable } from '../../app/settings/describe.ts';
import { startNode } from '../support/node-process.ts';
import { outputs } from '../support/output-search.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(exec);

describe('the README', () => {
  let readme: string;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    readme = await readFile(join(root, 'README.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    env = { ...process.env, STORE_URL: `sqlite:${join(folder, 'latchkey.db')}`, PORT: '0' };
  });

  after(() => rm(folder, { recursive: true }));

  it('has the table of settings as they are', () => {
    const [, table] = /<!-- settings -->\n(.*)\n<!-- \/settings -->/s.exec(readme) ?? [];
    expect(table).to.equal(settingsTable());
  });

  it('is short enough to be read', () => {
    expect(readme.split('\n').length).to.be.at.most(121);
  });

  it('has commands that work in their order', async () => {
    const commands = [...readme.matchAll(/^npx latchkey (.*)$/gm)].map(([, line = '']) => line);
    expect(commands.at(-1)).to.equal('serve');
    for (const line of commands.slice(0, -1)) {
      const { stdout, stderr } = await run(`npx latchkey ${line}`, { cwd: root, env });
      outputs.stdout(line.split(' '), stdout);
      outputs.log(line, stderr);
    }
    const serving = await started(['app/main.ts', 'serve', '--json'], env);
    const { address } = JSON.parse(serving.firstLine) as { address: string };
    expect((await fetch(`${address}/readyz`)).status).to.equal(200);
    expect(await serving.stop()).to.equal(0);
  }).timeout(60_000);

  it('begins with a demo whose every line works as printed', async () => {
    const demo = await started(['app/main.ts', 'demo'], env);
    after(() => demo.stop());
    const lines = [demo.firstLine, ...(await demo.linesUntil(/oauth-protected-resource/))];
    const commands = lines.filter((line) => line.startsWith('curl '));
    const answers: unknown[] = [];
    for (const line of commands) answers.push(JSON.parse((await run(line)).stdout));
    const valid = answers.map((answer) => (answer as { valid?: boolean }).valid);
    expect(valid.filter((each) => each === true)).to.have.length(4);
    expect(valid.filter((each) => each === false)).to.have.length(3);
    expect(answers.filter((answer) => (answer as { success?: boolean }).success === false)).to.deep.equal([]);
    expect(await demo.stop()).to.equal(0);
  }).timeout(60_000);
});

/** Runs the program until its first line of output. */
async function started(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ firstLine: string; linesUntil(last: RegExp): Promise<readonly string[]>; stop(): Promise<unknown> }> {
  const child = startNode(args, { cwd: root, env });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error('the program has ended');
    return value;
  };
  return {
    firstLine: await next(),
    linesUntil: async (last) => {
      const read = [await next()];
      while (!last.test(read.at(-1) ?? '')) read.push(await next());
      return read;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = (await ended) as readonly unknown[];
      return code;
    },
  };
}
