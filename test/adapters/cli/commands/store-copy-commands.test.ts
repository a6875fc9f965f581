import { expect } from 'chai';
import { WrongArgument } from '../../../../adapters/cli/shell/errors.ts';
import type { Shell, StoreUrls } from '../../../../adapters/cli/shell/shell.ts';
import { TestCommandLine, type Run } from '../../../support/cli/command-line.ts';

const from = 'mongodb://admin:Secret-1@a.example/latchkey';
const to = 'mongodb://admin:Secret-2@b.example/latchkey';
const files: Readonly<Record<string, string>> = { 'from.txt': `${from}\n`, 'to.txt': ` ${to}\r\n`, 'empty.txt': '\n' };

describe('the addresses of store copy and store compare', () => {
  for (const command of ['copy', 'compare']) {
    const complete: readonly (readonly [given: string, environment?: Readonly<Record<string, string>>])[] = [
      [`--from ${from} --to ${to}`],
      ['--from-file from.txt --to-file to.txt'],
      [`--from ${from}`, { STORE_TO: to }],
      ['--from-file from.txt', { STORE_TO_FILE: 'to.txt' }],
      [`--to ${to}`, { STORE_FROM: from }],
      ['', { STORE_FROM_FILE: 'from.txt', STORE_TO_FILE: 'to.txt' }],
      [`--from ${from} --to-file to.txt`, { STORE_FROM: 'sqlite:x', STORE_TO_FILE: 'none.txt' }],
    ];
    for (const [given, environment = {}] of complete) {
      it(`may come from ${given} ${Object.keys(environment).join(' ')}: ${command}`, async () => {
        const { run, opened } = await open(`store ${command} ${given}`.trim(), environment);
        expect([run.exitCode, opened]).to.deep.equal([0, [{ from, to }]]);
        expect(run.stdout + run.stderr).not.to.contain('Secret');
      });
    }

    const wrong: readonly (readonly [given: string, environment: Readonly<Record<string, string>>, message: string])[] =
      [
        ['', {}, 'Name the store with --from, --from-file, STORE_FROM or STORE_FROM_FILE.'],
        [`--from ${from}`, {}, 'Name the store with --to, --to-file, STORE_TO or STORE_TO_FILE.'],
        [`--from ${from} --from-file from.txt --to ${to}`, {}, '--from and --from-file cannot both be set.'],
        [
          `--to ${to}`,
          { STORE_FROM: from, STORE_FROM_FILE: 'from.txt' },
          'STORE_FROM and STORE_FROM_FILE cannot both be set.',
        ],
        [`--from-file none.txt --to ${to}`, {}, 'The file that --from-file names cannot be read.'],
        [`--from ${from}`, { STORE_TO_FILE: 'none.txt' }, 'The file that STORE_TO_FILE names cannot be read.'],
        [`--from-file empty.txt --to ${to}`, {}, 'The file that --from-file names must hold the address of a store.'],
      ];
    for (const [given, environment, message] of wrong) {
      it(`are refused before a store is opened: ${command} ${given} ${Object.keys(environment).join(' ')}`, async () => {
        const { run, opened } = await open(`store ${command} ${given}`.trim(), environment);
        expect([run, opened]).to.deep.equal([{ exitCode: 2, stdout: '', stderr: `${message}\n` }, []]);
      });
    }
  }
});

async function open(
  line: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly run: Run; readonly opened: readonly StoreUrls[] }> {
  const opened: StoreUrls[] = [];
  const comparison = { entries: 0, written: 0, differences: 0, first: [] };
  const openStorePair: Shell['openStorePair'] = async (urls) => {
    opened.push(urls);
    return { copy: async () => comparison, compare: async () => comparison, close: async () => {} };
  };
  const run = await new TestCommandLine().run(line.split(' '), '', { openStorePair, environment, openFile });
  return { run, opened };
}

const openFile: Shell['openFile'] = async (path) => {
  const text = files[path];
  if (text === undefined) throw new WrongArgument('The file must exist and be readable.');
  return { size: text.length, content: pieces(text) };
};

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  for (const piece of [text.slice(0, 5), text.slice(5)]) yield Buffer.from(piece);
}
