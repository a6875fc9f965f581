import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey stripe map', () => {
  const mapping = { price: 'price_1', productId: 'sketchpad', tierId: 'pro', tierName: 'Pro', deviceLimit: null };
  const add = ['stripe', 'map', 'add', '--price', 'price_1', '--product', 'sketchpad', '--tier', 'pro', '--json'];

  it('adds a price, replaces it, lists it and removes it, and logs each change', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id sketchpad --name Sketchpad');
    expect(JSON.parse((await cli.run([...add, '--tier-name', 'Pro'])).stdout)).to.deep.equal(mapping);
    await cli.run([...add, '--tier-name', 'Professional']);
    await cli.run([...add, '--tier-name', 'Professional']);
    expect(await cli.json('stripe map list')).to.deep.equal([{ ...mapping, tierName: 'Professional' }]);
    expect(await cli.json('stripe map remove --price price_1')).to.deep.equal({ removed: true });
    expect((await cli.run(['stripe', 'map', 'remove', '--price', 'price_1'])).stdout).to.equal(
      'The price was not mapped.\n',
    );
    expect(await cli.json('stripe map list')).to.deep.equal([]);
    expect(cli.changes.slice(1)).to.deep.equal([
      { command: 'stripe map add', price: 'price_1' },
      { command: 'stripe map add', price: 'price_1' },
      { command: 'stripe map remove', price: 'price_1' },
    ]);
  });

  it('maps a price to a tier that is not declared where others are, and says so', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id sketchpad --name Sketchpad');
    await cli.json('tier put --product sketchpad --id solo');
    const [warned, known] = ['pro', 'solo'].map((tier) =>
      `stripe map add --price price_${tier} --product sketchpad --tier ${tier} --tier-name Any`.split(' '),
    );
    const message = 'The product has declared tiers, but not this one: check its id, or declare it with tier put.';
    const { exitCode, stdout } = await cli.run(warned ?? []);
    expect([exitCode, stdout.includes(`Warning: ${message}`)]).to.deep.equal([0, true]);
    expect(JSON.parse((await cli.run([...(warned ?? []), '--json'])).stdout)).to.deep.include({
      tierId: 'pro',
      warnings: [{ code: 'tier_not_declared', message }],
    });
    expect(JSON.parse((await cli.run([...(known ?? []), '--json'])).stdout)).not.to.have.property('warnings');
    expect(cli.changes.slice(2)).to.deep.equal([
      { command: 'stripe map add', price: 'price_pro', warning: 'tier_not_declared' },
      { command: 'stripe map add', price: 'price_solo' },
    ]);
  });

  it('refuses a product that does not exist', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id another --name Another');
    const { exitCode, stderr } = await cli.run([...add, '--tier-name', 'Pro']);
    expect([exitCode, JSON.parse(stderr)]).to.deep.equal([
      1,
      { code: 'product_not_found', error: 'There is no product with this id.' },
    ]);
  });
});
