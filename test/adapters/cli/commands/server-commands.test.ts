import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey serve', () => {
  it('passes on the settings that were typed', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['serve'])).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' });
    await cli.run(['serve', '--store', 'memory:', '--host', '::1', '--port', '0', '--json']);
    await cli.run(['demo', '--port', '65535']);
    expect(cli.served).to.deep.equal([
      { settings: { flags: {}, file: null }, json: false },
      { settings: { flags: { store: 'memory:', host: '::1', port: '0' }, file: null }, json: true },
    ]);
    await cli.run(['demo', '--seed', 'tests']);
    expect(cli.demonstrated).to.deep.equal([
      { settings: { flags: { port: '65535' }, file: null }, json: false, seed: null },
      { settings: { flags: {}, file: null }, json: false, seed: 'tests' },
    ]);
  });
});

describe('latchkey demo', () => {
  it('refuses --store, because it uses a temporary store', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['demo', '--store', 'memory:'])).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr: 'The demo has a store of its own: leave out --store.\n',
    });
    expect(cli.demonstrated).to.deep.equal([]);
  });

  it('refuses --workers, because it is one process', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['demo', '--workers', '2'])).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr: 'The demo is one process: leave out --workers.\n',
    });
    expect(cli.demonstrated).to.deep.equal([]);
  });
});

describe('latchkey config', () => {
  it('says that the settings are valid', async () => {
    const cli = new TestCommandLine();
    expect(await cli.json('config check --port 4000')).to.deep.equal({ valid: true });
  });

  it('reports every invalid setting at once', async () => {
    const cli = new TestCommandLine();
    const run = await cli.run(['config', 'check', '--port', '70000', '--idempotency-ttl', '23h']);
    expect(run).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr:
        'port (--port) must be an integer from 0 to 65535; 0 means any free port.\n' +
        'idempotencyTtl (--idempotency-ttl) must be a whole number followed by s, m, h or d, at least 24h.\n',
    });
  });

  it('prints every setting with its source', async () => {
    const cli = new TestCommandLine();
    const settings = await cli.json('config print --port 4000');
    expect(settings).to.deep.include({ name: 'port', value: 4000, source: '--port' });
    expect(settings).to.deep.include({ name: 'store', value: 'sqlite:data/latchkey.db', source: 'default' });
  });
});
