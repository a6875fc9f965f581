import { expect } from 'chai';
import { plainFacts } from '../../../../core/product/products.port.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { range } from '../../../support/range.ts';

describe('latchkey product', () => {
  it('adds products, creating the store, lists them, and logs each', async () => {
    const cli = new TestCommandLine();
    const added = { id: 'p0', name: 'Zéro', createdAt: '2026-07-18T12:00:00.000Z', ...plainFacts };
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

  it('changes what is named of a product, removes a link that is none, and logs what it changes', async () => {
    const cli = new TestCommandLine();
    const added = await cli.json('product add --id p1 --name One');
    const links = { downloadUrl: 'https://one.example/get', supportUrl: 'https://one.example/help' };
    const accountUrl = 'https://one.example/account';
    const mail = { mailKeys: false, mailSubject: '{product}:{tier}' };
    for (const [options, change] of [
      ['--download-url https://one.example/get', { downloadUrl: links.downloadUrl }],
      ['--support-url https://one.example/help', links],
      ['--name Two', { ...links, name: 'Two' }],
      ['--name Two --download-url none', { supportUrl: links.supportUrl, name: 'Two' }],
      ['--account-url https://one.example/account --support-url none', { accountUrl, name: 'Two' }],
      ['--mail-keys false --mail-subject {product}:{tier}', { accountUrl, name: 'Two', ...mail }],
      ['--mail-keys TRUE --mail-subject none --mail-text Open_it', { accountUrl, name: 'Two', mailText: 'Open_it' }],
      ['--mail-text none', { accountUrl, name: 'Two' }],
      ['--activate-url one-pad://a?k={key}', { accountUrl, name: 'Two', activateUrl: 'one-pad://a?k={key}' }],
      ['--activate-url none', { accountUrl, name: 'Two' }],
      ['--icon-url https://one.example/1.png', { accountUrl, name: 'Two', iconUrl: 'https://one.example/1.png' }],
      ['--icon-url none', { accountUrl, name: 'Two' }],
      ['--mail-ending true', { accountUrl, name: 'Two', mailEnding: true }],
      ['--mail-ending false', { accountUrl, name: 'Two' }],
      ['', { accountUrl, name: 'Two' }],
    ] as const) {
      const product = { ...(added as object), ...change };
      expect(await cli.json(`product set p1 ${options}`.trim())).to.deep.equal(product);
      expect(await cli.json('product list')).to.deep.equal([product]);
    }
    expect(cli.changes.slice(1)).to.deep.equal(range(14).map(() => ({ command: 'product set', productId: 'p1' })));
  });

  it('lists no products as an empty array', async () => {
    expect(await new TestCommandLine().run(['product', 'list', '--json'])).to.deep.equal({
      exitCode: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });
});
