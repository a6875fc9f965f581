import { expect } from 'chai';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { commandPaths, TestCommandLine } from '../../support/cli/command-line.ts';

const program = await commandLine(new TestCommandLine().shell());

/** The commands, by their groups. A slash follows a group within a group. */
const commands = {
  config: 'check print',
  product: 'add list',
  key: 'issue list revoke rotate',
  operator: 'issue list revoke rotate',
  entitlement: 'grant import show list history renew change-tier cancel resume past-due suspend reinstate revoke',
  license: 'rotate revoke receipt find',
  'signing-key': 'list rotate revoke export',
  listing: 'import export list pause publish delete',
  webhook: 'add list show rotate-secret enable disable test retry replay skip delete',
  waitlist: 'export erase',
  stripe: 'map map/add map/list map/remove check reconcile backfill',
  store: 'copy compare check migrate backup prune',
};

/** Those that read no batch. */
const withoutBatch = {
  config: 'check print',
  product: 'list',
  key: 'list',
  operator: 'list',
  entitlement: 'import show list history',
  license: 'find',
  'signing-key': 'list rotate export',
  listing: 'import export list',
  webhook: 'list',
  waitlist: 'export',
  stripe: 'map map/list check reconcile backfill',
  store: 'copy compare check migrate backup prune',
};

const pathsOf = (names: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(names).flatMap(([group, words]) =>
    words.split(' ').map((name) => `${group} ${name.replace('/', ' ')}`),
  );

describe('the help of the command line', () => {
  const paths = commandPaths(program).map(({ names }) => names);

  it('lists every command', () => {
    const groups = Object.keys(commands);
    const all = ['serve', 'demo', ...groups, ...pathsOf(commands)];
    expect(paths.map((path) => path.join(' '))).to.have.members(all);
  });

  for (const path of paths) {
    it(`describes "${path.join(' ')}" with the options of every command, and does nothing`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await cli.run([...path, '--help']);
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(new RegExp(`^Usage: latchkey ${path.join(' ')} .*--store <url> .*--json `, 's'));
      const hasBatch = stdout.replaceAll(/\s+/g, ' ').includes('- to read one change a line from standard input');
      const expected = path.length > 1 && !pathsOf(withoutBatch).includes(path.join(' '));
      expect(hasBatch).to.equal(expected);
      expect([cli.opened, cli.served, cli.demonstrated]).to.deep.equal([[], [], []]);
    });
  }

  it('prints the version', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['--version'])).to.deep.equal({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
  });
});
