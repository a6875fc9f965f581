import { expect } from 'chai';
import { exec } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { settingsTable } from '../../app/settings/describe.ts';
import { startNode } from '../support/processes/node-process.ts';
import { outputs } from '../support/run/output-search.ts';

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

  it('has the statuses of every operation, as the OpenAPI document does', async () => {
    const golden = await readFile(join(root, 'docs/openapi-2026-07-18.json'), 'utf8');
    const { paths } = JSON.parse(golden) as { paths: Record<string, Record<string, { responses: object }>> };
    const [, everywhere = ''] = /^Every operation may also answer (.*?);/m.exec(readme) ?? [];
    const told = [...readme.matchAll(/^\| (`(?:GET|POST) .*?) \| .*? \| (.*?) \|$/gm)].flatMap(
      ([, names = '', own = '']) =>
        [...names.matchAll(/`(.*?)`/g)].map(([, name = '']) => [name, statusesIn(`${own} ${everywhere}`)] as const),
    );
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { responses }]) => [`${method.toUpperCase()} ${path}`, Object.keys(responses).toSorted()] as const,
      ),
    );
    expect(Object.fromEntries(told.filter(([name]) => !/livez|readyz/.test(name)))).to.deep.equal(
      Object.fromEntries(documented.filter(([name]) => !/livez|readyz/.test(name))),
    );
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
    const lines = [demo.firstLine, ...(await demo.linesUntil(/readyz/))];
    const commands = lines.filter((line) => line.startsWith('curl '));
    for (const [, path = ''] of readme.matchAll(/`(?:GET|POST) (\S+?)`/g)) {
      const form = new RegExp(path.replaceAll('.', '\\.').replace(/\{\w+\}/, '[^/ ]+'));
      expect(
        commands.filter((line) => form.test(line)),
        path,
      ).not.to.deep.equal([]);
    }
    const answers: unknown[] = [];
    for (const line of commands) answers.push(JSON.parse((await run(line)).stdout));
    const valid = answers.map((answer) => (answer as { valid?: boolean }).valid);
    expect(valid.filter((each) => each === true)).to.have.length(4);
    expect(valid.filter((each) => each === false)).to.have.length(3);
    expect(answers.filter((answer) => (answer as { success?: boolean }).success === false)).to.deep.equal([]);
    expect(await demo.stop()).to.equal(0);
  }).timeout(60_000);
});

describe('docs/operating.md', () => {
  let text: string;
  let folder: string;

  before(async () => {
    text = await readFile(join(root, 'docs/operating.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('shows a settings file that can be used', async () => {
    const [, example = '{}'] = /```json\n(.*?)```/s.exec(text) ?? [];
    await writeFile(join(folder, 'latchkey.json'), example);
    const settings: readonly Setting[] = JSON.parse(await latchkey('config print --config latchkey.json --json'));
    const fromFile = settings
      .filter(({ source }) => source === 'latchkey.json')
      .map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(fromFile)).to.deep.equal(JSON.parse(example));
  });

  it('has commands that restore a backup', async () => {
    const [backup = '', restore = ''] = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
    await latchkey('product add --id kept --name Kept');
    await runAll(backup);
    await latchkey('product add --id lost --name Lost');
    await runAll(restore);
    expect(JSON.parse(await latchkey('product list --json'))).to.have.length(1);
  }).timeout(60_000);

  function latchkey(line: string): Promise<string> {
    return runAll(`npx latchkey ${line}`);
  }

  async function runAll(script: string): Promise<string> {
    const { STORE_URL: _, ...env } = process.env;
    const program = `'${process.execPath}' '${join(root, 'app/main.ts')}'`;
    const { stdout } = await run(`set -e; ${script.replaceAll('npx latchkey', program)}`, { cwd: folder, env });
    outputs.stdout([script], stdout);
    return stdout;
  }
});

interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** The three-digit numbers of a text, in order. */
function statusesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b\d{3}\b/g))].toSorted();
}

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
