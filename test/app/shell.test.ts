import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommandLine } from '../../adapters/cli/command-line.ts';
import { processShell } from '../../app/shell.ts';
import { TextSink, type Run } from '../support/command-line.ts';

const onOneThing = [
  'key issue --product p1',
  'key revoke key_1',
  'key rotate key_1',
  'entitlement grant --product p1 --tier pro --tier-name Pro --interval month',
  'entitlement show e1',
  'entitlement renew e1 --period-end 2999-01-01T00:00:00Z',
  'entitlement past-due e1',
  'entitlement suspend e1',
  'entitlement reinstate e1',
  'entitlement revoke e1',
  'license rotate e1',
  'license revoke e1',
];
const lists = ['product list', 'key list', 'entitlement list'];

describe('the program', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('creates a store for the first product, and then finds it', async () => {
    const store = ['--store', `sqlite:${join(folder, 'new', 'latchkey.db')}`, '--json'];
    const added = await run([...'product add --id p1 --name One'.split(' '), ...store]);
    expect(added.exitCode).to.equal(0);
    const listed = await run(['product', 'list', ...store]);
    expect(JSON.parse(listed.stdout)).to.deep.equal([JSON.parse(added.stdout)]);
  });

  for (const line of [...lists, ...onOneThing]) {
    it(`says which path it did not find, and creates nothing: ${line}`, async () => {
      const path = join(folder, 'none', 'latchkey.db');
      const { exitCode, stdout, stderr } = await run([...line.split(' '), '--store', `sqlite:${path}`]);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(/^There is no store at .*\.\n$/)
        .and.to.contain(path);
      expect(existsSync(join(folder, 'none'))).to.equal(false);
    });
  }

  for (const line of ['product add --id p1 --name One', ...lists, ...onOneThing]) {
    it(`has nothing to do in a store that ends with it: ${line}`, async () => {
      expect(await run([...line.split(' '), '--store', 'memory:'])).to.deep.equal({
        exitCode: 1,
        stdout: '',
        stderr: 'A store in memory ends with its process: only serve and demo can use one.\n',
      });
    });
  }
});

async function run(args: readonly string[]): Promise<Run> {
  const stdout = new TextSink();
  const stderr = new TextSink();
  const exitCode = await runCommandLine(args, { ...processShell(), log: () => undefined, stdout, stderr });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}
