import { expect } from 'chai';
import { aPromotion, aSale } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { TestCommandLine, TextSink } from '../../../support/cli/command-line.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

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
  const store = freshStore(memory.open);
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
    const message =
      'handle must be 3 to 30 characters out of a-z, 0-9 and "-", neither begin nor end with "-", and not be "via"';
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
    await cli.json('entitlement grant --id s1 --product p1 --tier pro --tier-name Pro --interval month');
    expect((await cli.run(['sale', 'show', 's1'])).stderr).to.include('No affiliate has brought this entitlement.');
    const [paidAt, now] = [later(day).toISOString(), later(32 * day)];
    const payments = [`ch_1,${paidAt},4900,4900`, `ch_2,${later(31 * day).toISOString()},4900,0`];
    const options = payments.flatMap((payment) => ['--payment', payment]);
    const put = ['sale', 'put', 's1', '--handle', 'ada', '--currency', 'usd', ...options];
    expect((await cli.run(put)).stderr).to.include('paidAt must not be later than now.');
    const early = await cli.run([...put, '--attributed-at', '2020-01-01T00:00:00Z'], '', {
      newCall: () => aCall({ now }),
    });
    expect(early.stderr).to.include('has no terms at 2020-01-01T00:00:00.000Z; its first count from after 20');
    expect((await cli.run(put, '', { newCall: () => aCall({ now }) })).stdout).to.match(/^Commission +1470$/m);
    const twice = await cli.run([...put, ...options]);
    expect([twice.exitCode, twice.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && text.includes('--payment must be at most 1000 payments'),
    );
    const sales = (await cli.run(['sale', 'list'])).stdout.split('\n')[1]?.split(/  +/);
    const { id } = aSale({ entitlementId: 's1' });
    expect(sales).to.deep.equal(['s1', id, 'p1', 'ada', 'put', paidAt, 'usd', '1470', '0', '-']);
    expect(await cli.json('sale void s1 --reason Fraud')).to.deep.include({ commission: 0, waiting: 0 });
    expect((await cli.run(['sale', 'list'])).stdout).to.include('Fraud');
    expect(await cli.json('sale restore s1')).to.deep.include({ commission: 1470, due: 0, waiting: 1470 });
    expect(await cli.json('promotion end ada sketchpad')).to.include({ state: 'ended', revision: 2 });
    expect(cli.changes.map(({ command }) => command)).to.deep.equal([
      'product add',
      'listing import',
      'affiliate add',
      'promotion put',
      'entitlement grant',
      'sale put',
      'sale void',
      'sale restore',
      'promotion end',
    ]);
  });

  it('list in full what other commands ask for, on a terminal of any width', async () => {
    const [entitlementId, slug] = [`cs_live_${'a'.repeat(58)}`, `sketchpad-${'s'.repeat(60)}`];
    await store().sales.replace(null, aSale({ entitlementId }), null, aCall());
    await store().promotions.replace(null, aPromotion({ slug }), aCall());
    for (const [listed, shown] of [
      ['sale list', entitlementId],
      ['promotion list', slug],
    ] as const) {
      for (const columns of [80, 110, 140, 170, 200]) {
        const stdout = Object.assign(new TextSink(), { columns });
        await new TestCommandLine(store()).run(listed.split(' '), '', { stdout });
        expect(stdout.text, `${listed}, ${columns}`).to.include(shown);
      }
    }
  });
});
