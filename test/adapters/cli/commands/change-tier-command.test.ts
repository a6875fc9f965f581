import { expect } from 'chai';
import { TestCommandLine } from '../../../support/processes/command-line.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro';
const team = '--tier team --tier-name Team';

for (const { name, open } of stores) {
  describe(`latchkey entitlement change-tier, ${name}`, () => {
    const store = freshStore(open);
    let cli: TestCommandLine;
    beforeEach(async () => {
      cli = new TestCommandLine(store());
      await cli.json('product add --id p1 --name One');
      await cli.json(`${grant} --interval month --grace 48h --id e1`);
      await cli.json(`${grant} --interval one_time --id e2`);
      cli.changes.length = 0;
    });

    it('changes the tier only, prints the entitlement, and logs its versions once', async () => {
      const [before] = (await cli.json('entitlement list')) as readonly [object];
      const after = { ...before, tierId: 'team', tierName: 'Team', version: 2 };
      expect(await cli.json(`entitlement change-tier e1 ${team}`)).to.deep.equal(after);
      expect(await cli.json(`entitlement change-tier e1 ${team}`)).to.deep.equal(after);
      expect(await cli.json('entitlement show e1')).to.deep.include(after);
      expect(await graceOf('e1')).to.equal('2026-08-20T12:00:00.000Z');
      expect(cli.changes).to.deep.equal([
        { command: 'entitlement change-tier', entitlementId: 'e1', versionBefore: 1, version: 2 },
      ]);
    });

    it('changes the interval, the end of the period and the grace', async () => {
      const period = '--interval year --period-end 2027-07-18T14:00:00+02:00 --grace 1h';
      expect(await cli.json(`entitlement change-tier e1 ${team} ${period}`)).to.include({
        tierId: 'team',
        billingInterval: 'year',
        currentPeriodStart: '2026-07-18T12:00:00.000Z',
        currentPeriodEnd: '2027-07-18T12:00:00.000Z',
        version: 2,
      });
      expect(await graceOf('e1')).to.equal('2027-07-18T13:00:00.000Z');
    });

    it('moves a scheduled cancellation with the period, whose grace keeps its length', async () => {
      await cli.json('entitlement cancel e1');
      const moved = await cli.json(`entitlement change-tier e1 ${team} --period-end 2026-08-01T00:00:00Z`);
      expect(moved).to.include({ cancelAtPeriodEnd: true, cancelAt: '2026-08-01T00:00:00.000Z' });
      expect(await graceOf('e1')).to.equal('2026-08-03T00:00:00.000Z');
    });

    it('changes the tier of a purchase, and refuses an interval for it', async () => {
      expect(await cli.json(`entitlement change-tier e2 ${team}`)).to.include({ tierId: 'team', kind: 'one_time' });
      const { exitCode, stderr } = await cli.run(`entitlement change-tier e2 ${team} --interval year`.split(' '));
      expect([exitCode, stderr]).to.deep.equal([
        1,
        'The entitlement is a one-time purchase, which has no interval and no period to renew, change or cancel.\n',
      ]);
    });

    it('changes the entitlements of a batch, with the options of the command line as defaults', async () => {
      const lines = [
        { id: 'e1', interval: 'year', periodEnd: '2027-07-18T12:00:00Z' },
        { id: 'e2', tier: 'solo', tierName: 'Solo' },
        { id: 'e2', interval: 'one_time' },
        { id: 'e3' },
      ];
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const { exitCode, stdout } = await cli.run(`entitlement change-tier - ${team}`.split(' '), text);
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(exitCode).to.equal(1);
      expect(answers.map(({ tierId, code, error }) => tierId ?? [code, error])).to.deep.equal([
        'team',
        'solo',
        ['invalid_line', 'interval must be one of day, week, month, year.'],
        ['entitlement_not_found', 'There is no entitlement with this id.'],
      ]);
    });

    async function graceOf(id: string): Promise<string | null> {
      const found = await store().allEntitlements.find(id, cli.shell().newCall());
      return found?.kind === 'subscription' ? found.graceUntil.toISOString() : null;
    }
  });
}
