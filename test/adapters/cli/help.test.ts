import { expect } from 'chai';
import type { Command } from 'commander';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { TestCommandLine } from '../../support/command-line.ts';

describe('the help of the command line', () => {
  const paths = pathsOf(commandLine(new TestCommandLine().shell()));

  it('knows every command', () => {
    expect(paths.map((path) => path.join(' '))).to.include.members([
      'serve',
      'demo',
      'config',
      'config check',
      'config print',
      'product',
      'product add',
      'product list',
      'key',
      'key issue',
      'key list',
      'key revoke',
      'key rotate',
      'entitlement',
      'entitlement grant',
      'entitlement import',
      'entitlement show',
      'entitlement list',
      'entitlement renew',
      'entitlement past-due',
      'entitlement suspend',
      'entitlement reinstate',
      'entitlement revoke',
      'license',
      'license rotate',
      'license revoke',
      'license find',
      'listing',
      'listing import',
      'listing export',
      'listing list',
      'listing pause',
      'listing publish',
      'waitlist',
      'waitlist export',
      'waitlist erase',
      'store',
      'store check',
      'store backup',
      'store prune',
    ]);
  });

  for (const path of paths) {
    it(`tells what "${path.join(' ')}" does, with the options of every command, and does nothing`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await cli.run([...path, '--help']);
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(new RegExp(`^Usage: latchkey ${path.join(' ')} .*--store <url> .*--json `, 's'));
      expect([cli.opened, cli.served, cli.demonstrated]).to.deep.equal([[], [], []]);
    });
  }

  it('has the version', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['--version'])).to.deep.equal({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
  });
});

function pathsOf(command: Command, above: readonly string[] = []): readonly (readonly string[])[] {
  return command.commands.flatMap((each) => {
    const path = [...above, each.name()];
    return [path, ...pathsOf(each, path)];
  });
}
