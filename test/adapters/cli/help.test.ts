import { expect } from 'chai';
import { declaredGroups } from '../../../adapters/administration/groups.ts';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { commandPaths, TestCommandLine } from '../../support/cli/command-line.ts';

const program = await commandLine(new TestCommandLine().shell());

/** The commands that are declared nowhere, by their groups. */
const ownCommands = {
  config: 'check print',
  texts: 'print',
  entitlement: 'grant import',
  license: 'receipt find',
  listing: 'import export',
  statement: 'close export',
  waitlist: 'export',
  stripe: 'map check reconcile backfill',
  store: 'copy compare check migrate backup restore prune',
};

/** Those of them that read no batch. */
const withoutBatch = { ...ownCommands, entitlement: 'import', license: 'find' };

const pathsOf = (names: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(names).flatMap(([group, words]) => words.split(' ').map((name) => `${group} ${name}`));

const declared = declaredGroups.flatMap(({ name, commands }) =>
  commands.flatMap(({ verb, hasBatch, operation }) =>
    verb === null
      ? []
      : [{ path: `${name} ${verb}`, hasBatch: hasBatch ?? operation?.route.startsWith('GET ') !== true }],
  ),
);
const handWritten = pathsOf(ownCommands);
const readNoBatch = [...pathsOf(withoutBatch), ...declared.filter(({ hasBatch }) => !hasBatch).map(({ path }) => path)];

describe('the help of the command line', () => {
  const paths = commandPaths(program).map(({ names }) => names);

  it('lists every command', () => {
    const named = [...handWritten, ...declared.map(({ path }) => path)];
    const groups = named.map((path) => path.split(' ')[0]);
    expect(paths.map((path) => path.join(' '))).to.have.members(['serve', 'demo', ...new Set([...groups, ...named])]);
  });

  for (const path of paths) {
    it(`describes "${path.join(' ')}" with the options of every command, and does nothing`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await cli.run([...path, '--help']);
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(new RegExp(`^Usage: latchkey ${path.join(' ')} .*--store <url> .*--json `, 's'));
      const hasBatch = stdout.replaceAll(/\s+/g, ' ').includes('- to read one change a line from standard input');
      const expected = path.length > 1 && !readNoBatch.includes(path.join(' '));
      expect(hasBatch).to.equal(expected);
      expect([cli.opened, cli.served, cli.demonstrated]).to.deep.equal([[], [], []]);
    });
  }

  it('prints the version', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['--version'])).to.deep.equal({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
  });
});
