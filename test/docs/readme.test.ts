import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileOf, root } from '../../docs/generate/repository.ts';
import { runCommands } from '../support/documents/in-process.ts';
import { readMarkdown, type Markdown } from '../support/documents/markdown.ts';
import { runScript, startScript, type RunningScript } from '../support/documents/shell.ts';
import { isLeftOut } from '../support/run/left-out.ts';

const withCurl = isLeftOut('curl') ? null : it;

const aLicenseKey = /LK(-\w{5}){6}/;

describe('the README', () => {
  let readme: Markdown;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    readme = await readMarkdown('README.md');
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    env = { ...process.env, STORE_URL: `sqlite:${join(folder, 'latchkey.db')}`, PORT: '0' };
  });
  after(() => rm(folder, { recursive: true }));

  it('has at most 100 lines', async () => {
    const text = await readFile(fileOf('README.md'), 'utf8');
    expect(text.trimEnd().split('\n').length).to.be.at.most(100);
  });

  withCurl?.(
    'begins with a demo that answers as shown, whose every command works as printed, one for every operation',
    async () => {
      const [line = ''] = commandsOf(readme, 'npm ci && npm run ');
      const temporary = join(folder, 'temporary');
      await mkdir(temporary);
      const demo = startScript(`${line.replace('npm ci && npm run', 'npm run -s')} -- --port 0`, {
        env: { ...env, PORT: '1', TMPDIR: temporary },
      });
      try {
        const commands = await commandsUntil(demo, /readyz/);
        await expectShownAnswer(commands.find((command) => command.includes('/api/licenses/verify')) ?? '');
        for (const [operation = ''] of (await readMarkdown('docs/api.md')).table('operation')) {
          const [, path = ''] = operation.split(' ');
          const form = new RegExp(path.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/, '[^/ ]+'));
          expect(
            commands.filter((command) => form.test(command)),
            path,
          ).not.to.deep.equal([]);
        }
        const answers: DemoAnswer[] = [];
        for (const command of commands) answers.push(JSON.parse(await runScript(command)));
        expect(answers.filter(({ valid }) => valid === true)).to.have.length(4);
        expect(answers.filter(({ valid }) => valid === false)).to.have.length(3);
        expect(answers.filter(({ success }) => success === false)).to.deep.equal([]);
      } finally {
        expect(await demo.stop()).to.include({ exitCode: 0 });
        const left = (await readdir(temporary)).filter((name) => name.startsWith('latchkey-'));
        expect(left).to.deep.equal([]);
      }
    },
  );

  /** Sends the request that the README shows to the demo of a printed command, with its license key. */
  async function expectShownAnswer(printed: string): Promise<void> {
    const [request = ''] = readme.codeBlocks('sh').filter((block) => block.startsWith('curl '));
    const [response = ''] = readme.codeBlocks('json');
    const [address = 'no address'] = /http:\/\/[\w.:]+/.exec(printed) ?? [];
    const [licenseKey = 'no key'] = aLicenseKey.exec(printed) ?? [];
    const actual = request.replace('http://127.0.0.1:3000', address).replace(aLicenseKey, licenseKey);
    expect(actual).to.contain(address).and.to.contain(licenseKey);
    const answer: unknown = JSON.parse(await runScript(actual, { env }));
    expect(withoutInstants(JSON.stringify(answer, null, 2))).to.equal(withoutInstants(response));
  }

  it('names npm scripts that exist', async () => {
    const { scripts }: { scripts: object } = JSON.parse(await readFile(fileOf('package.json'), 'utf8'));
    const named = commandsOf(readme, 'npm ci && npm ').map((command) => command.split(' ').at(-1) ?? '');
    expect(named).to.deep.equal(['demo', 'test']);
    expect(scripts).to.include.keys(named);
  });

  it('has commands that work in their order', async () => {
    const commands = commandsOf(readme, './latchkey ');
    for (const command of commands.slice(0, -1)) await runCommands(command, { env, cwd: root });
    const serving = startScript(`${commands.at(-1)?.replace('9100', '0')} --json`, { env });
    try {
      const { address }: { readonly address: string } = JSON.parse(await serving.line());
      expect((await fetch(`${address}/readyz`)).status).to.equal(200);
    } finally {
      expect((await serving.stop()).log).to.contain('"stopped"');
    }
  });
});

interface DemoAnswer {
  readonly valid?: boolean;
  readonly success?: boolean;
}

/** The commands of the code blocks that begin with these words, without their comments. */
function commandsOf(document: Markdown, words: string): readonly string[] {
  const lines = document.codeBlocks('sh').flatMap((block) => block.split('\n'));
  return lines.filter((line) => line.startsWith(words)).map((line) => line.replace(/ +# .*/, ''));
}

async function commandsUntil(demo: RunningScript, last: RegExp): Promise<readonly string[]> {
  const commands: string[] = [];
  while (!last.test(commands.at(-1) ?? '')) {
    const line = await demo.line();
    if (line.startsWith('curl ')) commands.push(line);
  }
  return commands;
}

/** An instant differs from run to run. */
function withoutInstants(text: string): string {
  return text.replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"instant"');
}
