import { Writable } from 'node:stream';
import { expect } from 'chai';
import { jsonError, type TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithProduct, importEntitlements } from '../../../support/cli/line-files.ts';

const line = { id: 'e1', productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const end = '2026-09-01T00:00:00Z';
const allMissing = ['id', 'productId', 'tierId', 'tierName', 'billingInterval']
  .map((name) => `${name} is missing.`)
  .join(' ');

describe('entitlement import', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  const imported = (lines: readonly unknown[], ...more: readonly string[]): ReturnType<typeof importEntitlements> =>
    importEntitlements(cli, lines, ...more);

  it('reads every member, with the defaults of a grant for members that are missing or null', async () => {
    const whole = {
      ...line,
      id: 'e2',
      billingIntervalCount: 3,
      currentPeriodStart: '2026-07-01T00:00:00+02:00',
      currentPeriodEnd: end,
      status: 'trialing',
      grace: '90m',
      licenseKey: 'a-key-that-was-sold-elsewhere',
      unknown: 1,
    };
    const once = { ...line, id: 'e3', billingInterval: 'one_time', currentPeriodEnd: null, grace: null };
    const { exitCode, stdout, stderr } = await imported([line, whole, '', once]);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 3, failed: 0, errors: [] });
    const [first, second, third] = [...cli.store.entitlements.byId.values()];
    expect(first).to.deep.include({
      standing: 'active',
      billingIntervalCount: 1,
      license: null,
      currentPeriodStart: new Date('2026-07-18T12:00:00Z'),
      currentPeriodEnd: new Date('2026-08-18T12:00:00Z'),
      graceUntil: new Date('2026-08-19T12:00:00Z'),
    });
    expect(second).to.deep.include({
      standing: 'trialing',
      billingIntervalCount: 3,
      currentPeriodStart: new Date('2026-06-30T22:00:00Z'),
      currentPeriodEnd: new Date(end),
      graceUntil: new Date('2026-09-01T01:30:00Z'),
    });
    expect(third).to.deep.include({ kind: 'one_time', standing: 'active' });
    expect(await cli.json('license find -', 'a-key-that-was-sold-elsewhere')).to.include({ id: 'e2' });
    expect(cli.opened.map(({ create }) => create)).to.deep.equal([true, true, false]);
    expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 3 }]);
  });

  it('imports purchases with an end by either name, and until when there are updates', async () => {
    const once = { ...line, billingInterval: 'one_time' };
    const lines = [
      { ...once, id: 'e1', currentPeriodEnd: end },
      { ...once, id: 'e2', accessEndsAt: end, updatesUntil: end },
      { ...line, id: 'e3', updatesUntil: end },
    ];
    expect((await imported(lines)).exitCode).to.equal(0);
    const stored = [...cli.store.entitlements.byId.values()].map(({ updatesUntil, ...each }) => [
      each.kind === 'one_time' ? each.accessEndsAt : null,
      updatesUntil,
    ]);
    expect(stored).to.deep.equal([
      [new Date(end), null],
      [new Date(end), new Date(end)],
      [null, new Date(end)],
    ]);
  });

  it('imports what was suspended or revoked before as it is', async () => {
    const { exitCode } = await imported([
      { ...line, status: 'suspended' },
      { ...line, id: 'e2', billingInterval: 'one_time', status: 'revoked' },
    ]);
    expect(exitCode).to.equal(0);
    expect(await cli.json('entitlement show e1')).to.deep.include({ status: 'suspended', endedAt: null });
    expect(await cli.json('entitlement show e2')).to.deep.include({
      status: 'revoked',
      endedAt: '2026-07-18T12:00:00.000Z',
    });
  });

  it('adds the rest after an interrupted import, and reports the lines that exist already', async () => {
    await imported([line]);
    const { exitCode, stdout, stderr } = await imported([line, { ...line, id: 'e2' }]);
    const errors = [{ line: 1, code: 'entitlement_exists', error: 'There is an entitlement with this id already.' }];
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 1, errors });
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '1 of 2 lines were rejected.')]);
  });

  it('warns of guessable keys by their count, in a dry run too', async () => {
    const keys = ['ACME-LICENSE-KEY-0000001', 'ACME-LICENSE-KEY-0000002', 'x8Kw-p2Lm-w5Nz-q7Rt-v9Yb-a'];
    const lines = keys.map((licenseKey, index) => ({ ...line, id: `e${index}`, licenseKey }));
    for (const more of [['--dry-run'], []]) {
      const { exitCode, stderr } = await imported(lines, ...more);
      expect(exitCode).to.equal(0);
      expect(stderr).to.match(/^Warning: 2 license keys .*\n$/);
      expect(stderr).not.to.match(/ACME/);
    }
  });

  it('warns of tiers that are not declared where others are, by tier, in a dry run and in the log too', async () => {
    await cli.json('product add --id p2 --name Two');
    await cli.json('tier put --product p1 --id pro');
    const lines = [
      line,
      { ...line, id: 'e2', tierId: 'prou' },
      { ...line, id: 'e3', tierId: 'prou' },
      { ...line, id: 'e4', tierId: 'tema' },
      { ...line, id: 'e5', productId: 'p2', tierId: 'prou' },
      { ...line, id: 'e1', tierId: 'refused' },
    ];
    const [known, advice] = ['Warning: p1 has declared tiers, but not', 'check its id, or declare it with tier put.'];
    const warnings = `${known} prou: ${advice} 2 entitlements have it.\n${known} tema: ${advice} 1 entitlement has it.\n`;
    for (const options of [['--dry-run'], []]) {
      const { exitCode, stderr } = await imported(lines, ...options);
      expect(exitCode).to.equal(1);
      expect(stderr).to.include(warnings);
      expect(stderr.match(/Warning/g)).to.have.length(2);
    }
    const log = { command: 'entitlement import', entitlements: 5, warning: 'tier_not_declared' };
    expect(cli.changes.slice(-1)).to.deep.equal([log]);
    const many = Array.from({ length: 15 }, (_, n) => ({ ...line, id: `m${n}`, tierId: `t${n}` }));
    const { stderr } = await imported(many);
    expect(stderr.match(/Warning: p1/g)).to.have.length(10);
    expect(stderr).to.include('Warning: entitlements that have further tiers of this kind: 5.');
    expect((await imported([{ ...line, id: 'e9' }])).stderr).to.equal('');
  });

  it('counts no guessable keys of refused lines', async () => {
    await imported([{ ...line, id: 'e0', licenseKey: numberedKey(0) }]);
    const lines = [
      { ...line, id: 'e0', licenseKey: numberedKey(1) },
      { ...line, id: 'e1', licenseKey: numberedKey(0) },
      { ...line, id: 'e2', productId: 'p2', licenseKey: numberedKey(2) },
      { ...line, id: 'e3', licenseKey: numberedKey(3) },
    ];
    for (const more of [['--dry-run'], []]) {
      const { stderr } = await imported(lines, ...more);
      expect(stderr).to.equal(jsonError('lines_refused', '3 of 4 lines were rejected.'));
    }
  });

  it('reports in a dry run what the import then reports, and changes nothing', async () => {
    const licenseKey = 'a-key-that-was-sold-elsewhere';
    await imported([{ ...line, id: 'e0', licenseKey }]);
    cli.changes.length = 0;
    cli.opened.length = 0;
    const before = structuredClone(cli.store);
    const lines = [{ ...line, id: 'e0' }, '{', line, { ...line, id: 'e2', licenseKey }, line];
    const tried = await imported(lines, '--dry-run');
    expect([structuredClone(cli.store), cli.changes]).to.deep.equal([before, []]);
    expect(cli.opened).to.deep.equal([{ url: 'sqlite:data/latchkey.db', create: false, pretend: true }]);
    expect(await imported(lines)).to.deep.equal(tried);
    const { imported: good, errors } = JSON.parse(tried.stdout) as { imported: number; errors: { line: number }[] };
    expect([good, errors.map(({ line: number }) => number)]).to.deep.equal([1, [1, 2, 4, 5]]);
  });

  it('ignores members that are far from every other, or near one that the line has', async () => {
    const { exitCode } = await imported([{ ...line, email: 'x', note: 1, Id: 'e9', startDate: end, tier: 'pro' }]);
    expect(exitCode).to.equal(0);
  });

  it('says good instead of imported in a dry run', async () => {
    const { exitCode, stdout } = await cli.run(
      ['entitlement', 'import', '-', '--dry-run'],
      `${JSON.stringify(line)}\n{}\n`,
    );
    expect([exitCode, stdout]).to.deep.equal([1, `Line 2: ${allMissing}\nValid: 1. Failed: 1.\n`]);
  });

  it('logs no change if nothing was imported', async () => {
    await imported([]);
    await imported([{}]);
    expect(cli.changes).to.deep.equal([]);
  });

  it('shows progress on a terminal, and none in a pipe', async () => {
    const content = Buffer.from(JSON.stringify(line));
    for (const isTTY of [true, false]) {
      let shown = '';
      const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
        shown += chunk.toString();
        done();
      };
      const stderr = Object.assign(new Writable({ write }), { isTTY });
      const openFile = async () => ({ size: content.length, content: only(content) });
      await cli.run(['entitlement', 'import', 'file.ndjson', '--dry-run'], '', { stderr, openFile });
      expect(shown.includes('100 %')).to.equal(isTTY);
      if (!isTTY) expect(shown).to.equal('');
    }
  });
});

function numberedKey(number: number): string {
  return `ACME-LICENSE-KEY-000000${number}`;
}

async function* only(chunk: Uint8Array): AsyncIterable<Uint8Array> {
  yield chunk;
}
