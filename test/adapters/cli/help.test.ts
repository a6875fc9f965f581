import { expect } from 'chai';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { commandPaths, TestCommandLine } from '../../support/processes/command-line.ts';

const program = await commandLine(new TestCommandLine().shell());

describe('the help of the command line', () => {
  const commands = commandPaths(program);
  const paths = commands.map(({ names }) => names);

  it('lists every command', () => {
    expect(paths.map((path) => path.join(' '))).to.have.members([
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
      'operator',
      'operator issue',
      'operator list',
      'operator revoke',
      'operator rotate',
      'entitlement',
      'entitlement grant',
      'entitlement import',
      'entitlement show',
      'entitlement list',
      'entitlement history',
      'entitlement renew',
      'entitlement change-tier',
      'entitlement cancel',
      'entitlement resume',
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
      'listing delete',
      'webhook',
      'webhook add',
      'webhook list',
      'webhook show',
      'webhook rotate-secret',
      'webhook enable',
      'webhook disable',
      'webhook test',
      'webhook retry',
      'webhook replay',
      'webhook skip',
      'webhook delete',
      'waitlist',
      'waitlist export',
      'waitlist erase',
      'store',
      'store copy',
      'store compare',
      'store check',
      'store migrate',
      'store backup',
      'store prune',
    ]);
  });

  for (const path of paths) {
    it(`describes "${path.join(' ')}" with the options of every command, and does nothing`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await cli.run([...path, '--help']);
      expect([exitCode, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(new RegExp(`^Usage: latchkey ${path.join(' ')} .*--store <url> .*--json `, 's'));
      expect([cli.opened, cli.served, cli.demonstrated]).to.deep.equal([[], [], []]);
    });
  }

  /** Commands without a batch mode. */
  const others = [
    'serve',
    'demo',
    'config check',
    'config print',
    'store check',
    'store backup',
    'store prune',
    'store migrate',
    'store copy',
    'store compare',
    'product list',
    'key list',
    'operator list',
    'entitlement show',
    'entitlement list',
    'entitlement history',
    'entitlement import',
    'license find',
    'listing import',
    'listing export',
    'listing list',
    'waitlist export',
    'webhook list',
  ];
  for (const { names, command } of commands) {
    const path = names.join(' ');
    if (command.commands.length > 0 || others.includes(path)) continue;
    it(`says that "${path}" has a batch mode`, async () => {
      const { stdout } = await new TestCommandLine().run([...names, '--help']);
      expect(stdout.replaceAll(/\s+/g, ' ')).to.contain('- to read one change a line from standard input');
    });
  }

  it('prints the version', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['--version'])).to.deep.equal({ exitCode: 0, stdout: '9.8.7\n', stderr: '' });
  });
});
