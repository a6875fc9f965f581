import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

describe('latchkey stripe map', () => {
  it('says whether it has removed a price', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id sketchpad --name Sketchpad');
    await cli.run('stripe map add --price price_1 --product sketchpad --tier pro --tier-name Pro'.split(' '));
    expect(await cli.json('stripe map remove --price price_1')).to.deep.equal({ removed: true });
    const { stdout } = await cli.run(['stripe', 'map', 'remove', '--price', 'price_1']);
    expect(stdout).to.equal('The price was not mapped.\n');
  });

  it('maps a price to a tier that is not declared where others are, and says so', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id sketchpad --name Sketchpad');
    await cli.json('tier put --product sketchpad --id solo');
    const warned = 'stripe map add --price price_1 --product sketchpad --tier pro --tier-name Any'.split(' ');
    const message = 'The product has declared tiers, but not this one: check its id, or declare it with tier put.';
    const { exitCode, stdout } = await cli.run(warned);
    expect([exitCode, stdout.includes(`Warning: ${message}`)]).to.deep.equal([0, true]);
    expect(JSON.parse((await cli.run([...warned, '--json'])).stdout)).to.deep.include({
      tierId: 'pro',
      warnings: [{ code: 'tier_not_declared', message }],
    });
  });
});
