import { expect } from 'chai';
import { anAffiliate, aPayment, aPromotion, aSale, aStatement } from '../../../support/affiliates/builders.ts';
import { aCall, day, later } from '../../../support/builders.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

describe('what commands show people of a member that has members', () => {
  const store = freshStore(memory.open);
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine(store());
    await cli.json('product add --id prod_1 --name One');
    await store().affiliates.replace(null, anAffiliate({ payTo: 'PayPal' }), aCall());
  });

  /** The text of a command, which has no JSON; a run of spaces in it is two. */
  async function textOf(line: string): Promise<string> {
    const { stdout, stderr } = await cli.run(line.split(' '));
    expect(stderr, line).to.equal('');
    expect(stdout, line).to.not.match(/[{}[\]"]/);
    return stdout.replaceAll(/ {2,}/g, '  ');
  }

  it('is a line for each of a sale, and a table of its payments', async () => {
    const payments = ['ch_1', 'ch_2'].map((id) => aPayment({ id, amount: 4900, kept: 900 }));
    await store().sales.replace(null, aSale({ entitlementId: 's1', payments }), null, aCall());
    const shown = await textOf('sale show s1');
    expect(shown).to.include('Commission percent  30\nCommission for  lifetime\nHold days  30\n');
    expect(shown).to.include('Voided at  -\nVoided by  -\nVoided reason  -\n');
    const rows = payments.map(({ id, paidAt }) => `${id}  ${paidAt.toISOString()}  4900  900`);
    expect(shown.split('\n\n')[1]).to.equal(`Id  Paid at  Amount  Kept\n${rows.join('\n')}\n`);
    expect(await textOf('sale void s1 --reason Fraud')).to.include('Voided reason  Fraud\n');
  });

  it('is a table of the terms of a promotion', async () => {
    await store().promotions.replace(null, aPromotion({ codes: ['ada20', 'ada30'] }), aCall());
    const ended = await textOf('promotion end ada sketchpad');
    expect(ended).to.include('Codes  ada20, ada30\n');
    expect(ended).to.match(
      /\n\nFrom {2}By {2}Commission percent {2}Commission for {2}Hold days\n.* {2}30 {2}lifetime {2}30\n.* {2}- {2}- {2}-\n$/,
    );
  });

  it('is a line for each of the affiliate and the payment of a statement', async () => {
    const { id } = aStatement();
    const due = { payments: [aPayment({ paidAt: later(-60 * day) })], attributedAt: later(-61 * day) };
    await store().sales.replace(null, aSale({ entitlementId: 's1', ...due }), null, aCall());
    await cli.json('statement close --month 2026-06');
    const paid = await textOf(`statement paid ${id} --method wire --reference 7XK`);
    expect(paid).to.match(/\nPaid at {2}2.*Z\nPaid method {2}wire\nPaid reference {2}7XK\n/);
    const whom = 'Affiliate name  Ada\nAffiliate email  ada@example.com\nAffiliate pay to  PayPal\n';
    expect(await textOf(`statement show ${id}`)).to.include(`Paid reference  7XK\n${whom}`);
    expect(await textOf(`statement unpaid ${id}`)).to.include('Paid at  -\nPaid method  -\nPaid reference  -\n');
  });

  it('is the features of tiers and entitlements as options write them', async () => {
    const features = 'Features  projects=20, sso=true\n';
    const declared = '--product prod_1 --id pro';
    expect(await textOf(`tier put ${declared} --feature sso=true --feature projects=20`)).to.include(features);
    expect(await textOf(`tier show ${declared}`)).to.include(features);
    expect(await textOf('tier list --product prod_1')).to.include('  projects=20, sso=true  ');
    const grant = 'entitlement grant --id s1 --product prod_1 --tier pro --tier-name Pro --interval month';
    expect(await textOf(grant)).to.include(features);
    expect(await textOf('entitlement allow s1 --feature seats=7')).to.include(
      'Features  projects=20, seats=7, sso=true\n',
    );
    expect(await textOf('entitlement show s1')).to.include('Own features  seats=7\n');
    expect(await textOf(`tier put ${declared}`)).to.include('Features  -\n');
  });
});
