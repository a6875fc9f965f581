import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

const listing = {
  slug: 'sketchpad',
  name: 'Sketchpad',
  blurb: '',
  category: 'Design',
  commissionPercent: 10,
  compensationType: 'commission',
  compensationLabel: '10%',
  productId: 'p1',
  commissionFor: 'lifetime',
};

describe('latchkey affiliate and promotion', () => {
  let cli: TestCommandLine;

  beforeEach(() => {
    cli = new TestCommandLine();
  });

  it('show people the link of an affiliate beside the facts', async () => {
    const { stdout } = await cli.run('affiliate add --email ada@example.com --handle ada --name Ada'.split(' '));
    expect(stdout)
      .to.match(/^Handle +ada$/m)
      .and.match(/^Link +\S*\/affiliates\/links\/[\w-]{43}$/m);
    expect(stdout).to.match(/^Mailed +(?:no|false)$/m);
  });

  it('say why there is no handle, and name no address', async () => {
    const message = 'handle must be 3 to 30 characters out of a-z, 0-9 and "-", and neither begin nor end with "-"';
    const outcome = await cli.run('affiliate add --email ada@example.com'.split(' '));
    expect(outcome.exitCode).to.equal(1);
    expect(outcome.stderr).to.include(message).and.not.include('example.com');
  });

  it('list what was agreed last, and whose it is', async () => {
    expect((await cli.run(['promotion', 'list'])).stdout).to.equal('None.\n');
    await cli.json('product add --id p1 --name One');
    await cli.json('listing import -', JSON.stringify(listing));
    await cli.json('affiliate add --email ada@example.com --handle ada --name Ada');
    await cli.json('promotion put ada sketchpad --percent 30 --code ADA20 --code ADA30');
    const { stdout } = await cli.run(['promotion', 'list']);
    expect(stdout.split('\n')[1]?.split(/  +/)).to.deep.equal([
      'ada',
      'sketchpad',
      'p1',
      'live',
      '30',
      'lifetime',
      '30',
      'ada20 ada30',
    ]);
    expect(await cli.json('promotion end ada sketchpad')).to.include({ state: 'ended', revision: 2 });
    expect(cli.changes.map(({ command }) => command)).to.deep.equal([
      'product add',
      'listing import',
      'affiliate add',
      'promotion put',
      'promotion end',
    ]);
  });
});
