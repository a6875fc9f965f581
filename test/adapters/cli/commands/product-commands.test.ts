import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey product', () => {
  it('adds products, creating the store, lists them, and logs each', async () => {
    const cli = new TestCommandLine();
    const added = { id: 'p0', name: 'Zéro', createdAt: '2026-07-18T12:00:00.000Z' };
    await cli.json('product add --id p1 --name One');
    expect(await cli.json('product add --id p0 --name Zéro --store sqlite:x.db')).to.deep.equal(added);
    expect(await cli.json('product list')).to.deep.equal([added, { ...added, id: 'p1', name: 'One' }]);
    expect(cli.opened).to.deep.equal([
      { url: 'sqlite:data/latchkey.db', create: true },
      { url: 'sqlite:x.db', create: true },
      { url: 'sqlite:data/latchkey.db', create: false },
    ]);
    expect(cli.closed).to.equal(3);
    expect(cli.changes).to.deep.equal(['p1', 'p0'].map((productId) => ({ command: 'product add', productId })));
  });

  it('lists no products as an empty array', async () => {
    expect(await new TestCommandLine().run(['product', 'list', '--json'])).to.deep.equal({
      exitCode: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});
