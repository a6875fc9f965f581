import { expect } from 'chai';
import { TestCommandLine } from '../../support/command-line.ts';

describe('the command line, asked to serve', () => {
  it('serves the default store on the loopback address', async () => {
    const cli = new TestCommandLine();
    expect(await cli.run(['serve'])).to.deep.equal({ exitCode: 0, stdout: '', stderr: '' });
    expect(cli.served).to.deep.equal([
      { store: 'sqlite:data/latchkey.db', host: '127.0.0.1', port: 3000, json: false },
    ]);
  });

  it('serves whichever store on whichever address, one in memory too', async () => {
    const cli = new TestCommandLine();
    await cli.run(['serve', '--store', 'memory:', '--host', '::1', '--port', '0', '--json']);
    expect(cli.served).to.deep.equal([{ store: 'memory:', host: '::1', port: 0, json: true }]);
  });

  it('demonstrates on a store of its own unless one is named', async () => {
    const cli = new TestCommandLine();
    await cli.run(['demo', '--port', '65535']);
    await cli.run(['demo', '--store', 'memory:']);
    expect(cli.demonstrated).to.deep.equal([
      { store: undefined, host: '127.0.0.1', port: 65_535, json: false },
      { store: 'memory:', host: '127.0.0.1', port: 3000, json: false },
    ]);
  });
});
