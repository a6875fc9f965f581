import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { Administration } from '../../../../core/administration/administration.ts';
import { refusalMessage } from '../../../../adapters/cli/output/refusal-messages.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { administrationOver } from '../../../support/administration.ts';
import { jsonError, TestCommandLine, TextSink } from '../../../support/processes/command-line.ts';
import { InjectedFault } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { thrownBy } from '../../../support/thrown.ts';

const line = { id: 'e1', productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const end = '2026-09-01T00:00:00Z';
const allMissing = ['id', 'productId', 'tierId', 'tierName', 'billingInterval']
  .map((name) => `${name} is missing.`)
  .join(' ');

describe('entitlement import', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
    cli.changes.length = 0;
  });

  async function imported(lines: readonly unknown[], ...more: readonly string[]): ReturnType<TestCommandLine['run']> {
    const text = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
    return cli.run(['entitlement', 'import', '-', '--json', ...more], text);
  }

  it('reads every member, with the defaults of a grant for members that are missing or null', async () => {
    const whole = {
      ...line,
      id: 'e2',
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
    const [first, second, third] = [...cli.store.entitlements.values()];
    expect(first).to.deep.include({
      standing: 'active',
      license: null,
      currentPeriodStart: new Date('2026-07-18T12:00:00Z'),
      currentPeriodEnd: new Date('2026-08-18T12:00:00Z'),
      graceUntil: new Date('2026-08-19T12:00:00Z'),
    });
    expect(second).to.deep.include({
      standing: 'trialing',
      currentPeriodStart: new Date('2026-06-30T22:00:00Z'),
      currentPeriodEnd: new Date(end),
      graceUntil: new Date('2026-09-01T01:30:00Z'),
    });
    expect(third).to.deep.include({ kind: 'one_time', standing: 'active' });
    expect(await cli.json('license find -', 'a-key-that-was-sold-elsewhere')).to.include({ id: 'e2' });
    expect(cli.opened.map(({ create }) => create)).to.deep.equal([true, true, false]);
    expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 3 }]);
  });

  it('adds the rest after an interrupted import, and reports the lines that exist already', async () => {
    await imported([line]);
    const { exitCode, stdout, stderr } = await imported([line, { ...line, id: 'e2' }]);
    const errors = [{ line: 1, code: 'entitlement_exists', error: 'There is an entitlement with this id already.' }];
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 1, errors });
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '1 of 2 lines were bad.')]);
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
      expect(stderr).to.equal(jsonError('lines_refused', '3 of 4 lines were bad.'));
    }
  });

  it('reports in a dry run what the import then reports, and changes nothing', async () => {
    const licenseKey = 'a-key-that-was-sold-elsewhere';
    await imported([{ ...line, id: 'e0', licenseKey }]);
    cli.changes.length = 0;
    cli.opened.length = 0;
    const before = structuredClone(cli.store);
    const first = [
      { ...line, id: 'e0' },
      { ...line, licenseKey },
      { ...line, productId: 'p2' },
      {},
      '{',
      { ...line, id: 'e1', licenseKey: `${licenseKey}!` },
      { ...line, id: 'e1' },
      { ...line, id: 'e2', licenseKey: ` ${licenseKey}!` },
      { ...line, id: 'e2', currentPeriodEnd: '2020-01-01T00:00:00Z' },
    ];
    const many = range(1500).map((number) => ({ ...line, id: `many-${number}` }));
    const lines = [...first, ...many, { ...line, id: 'many-0' }, { ...line, id: 'e3', licenseKey: `${licenseKey}!` }];
    const tried = await imported(lines, '--dry-run');
    expect([structuredClone(cli.store), cli.changes]).to.deep.equal([before, []]);
    expect(cli.opened).to.deep.equal([{ url: 'sqlite:data/latchkey.db', create: false, pretend: true }]);
    const really = await imported(lines);
    expect(tried).to.deep.equal(really);
    const { imported: good, errors } = JSON.parse(tried.stdout) as { imported: number; errors: { line: number }[] };
    expect([good, errors.map(({ line: number }) => number)]).to.deep.equal([
      1501,
      [1, 2, 3, 4, 5, 7, 8, 9, 1510, 1511],
    ]);
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
    expect([exitCode, stdout]).to.deep.equal([1, `Line 2: ${allMissing}\nGood: 1. Bad: 1.\n`]);
  });

  it('logs no change if nothing was imported', async () => {
    await imported([]);
    await imported([{}]);
    expect(cli.changes).to.deep.equal([]);
  });

  for (const fault of [new Refusal('store_unavailable'), new InjectedFault()]) {
    it(`reports and logs what was imported before a fault, then fails with it: ${fault.name}`, async () => {
      const real = administrationOver(cli.store);
      let batches = 0;
      const importEntitlements: Administration['importEntitlements'] = async (drafts, call) => {
        batches += 1;
        if (batches === 2) throw fault;
        return real.importEntitlements(drafts, call);
      };
      const stdout = new TextSink();
      const stderr = new TextSink();
      const lines = ['{}', ...range(1500).map((number) => JSON.stringify({ ...line, id: `e${number}` }))];
      const run = cli.run(['entitlement', 'import', '-', '--json'], lines.join('\n'), {
        openStore: async () => ({ ...real, importEntitlements }),
        stdout,
        stderr,
      });
      if (fault instanceof Refusal) {
        expect((await run).exitCode).to.equal(1);
        const error = refusalMessage('store_unavailable');
        expect(JSON.parse(stderr.text)).to.deep.equal({ code: 'store_unavailable', error });
      } else expect(await thrownBy(run)).to.equal(fault);
      expect(JSON.parse(stdout.text)).to.deep.equal({
        imported: 1000,
        failed: 1,
        errors: [{ line: 1, code: 'invalid_line', error: allMissing }],
      });
      expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 1000 }]);
    });
  }

  it('reports what was imported before reading the file failed', async () => {
    const stdout = new TextSink();
    const run = cli.run(['entitlement', 'import', '-', '--json'], '', { stdin: lost(), stdout });
    expect(await thrownBy(run)).to.be.instanceOf(InjectedFault);
    expect(JSON.parse(stdout.text)).to.deep.equal({ imported: 1000, failed: 0, errors: [] });
    expect([cli.changes, cli.store.entitlements.size]).to.deep.equal([
      [{ command: 'entitlement import', entitlements: 1000 }],
      1000,
    ]);
  });

  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  for (const [signal, exitCode] of signals) {
    it(`reports and logs what was imported before ${signal}, while the file is still being written`, async () => {
      const stopping = new AbortController();
      const stdin = new PassThrough();
      for (const number of range(2500)) stdin.write(`${JSON.stringify({ ...line, id: `e${number}` })}\n`);
      const real = administrationOver(cli.store);
      const importEntitlements: Administration['importEntitlements'] = async (drafts, call) => {
        if (cli.store.entitlements.size > 0) setTimeout(() => stopping.abort(signal), 1);
        await setImmediate();
        return real.importEntitlements(drafts, call);
      };
      const { stdout, stderr, ...run } = await cli.run(['entitlement', 'import', '-', '--json'], '', {
        stdin,
        takeOverSignals: () => stopping.signal,
        openStore: async () => ({ ...real, importEntitlements }),
      });
      expect(run.exitCode).to.equal(exitCode);
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 2000, failed: 0, errors: [] });
      expect(JSON.parse(stderr)).to.have.property('code', 'interrupted');
      expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 2000 }]);
      expect([cli.store.entitlements.size, stdin.destroyed]).to.deep.equal([2000, true]);
    });
  }

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

  const wrong: readonly (readonly [words: string, message: string])[] = [
    ['entitlement import', "Missing required argument 'file'."],
    ['entitlement import a b', "Too many arguments for 'import'. Expected 1 argument but got 2."],
    ['entitlement import - --format csv', "Unknown option '--format'. See --help."],
    ['entitlement import - --dry-rn', "Unknown option '--dry-rn'. Did you mean --dry-run?"],
    ['entitlement suspend - -', "Too many arguments for 'suspend'. Expected 1 argument but got 2."],
    ['entitlement grant e1', 'The argument of grant must be "-".'],
    ['product add p1', 'The argument of add must be "-".'],
  ];
  for (const [words, message] of wrong) {
    it(`refuses "${words}" before the store is opened`, async () => {
      cli.opened.length = 0;
      const { exitCode, stdout, stderr } = await cli.run(words.split(' '), JSON.stringify(line));
      expect([exitCode, stdout, stderr, cli.opened]).to.deep.equal([2, '', `${message}\n`, []]);
    });
  }

  const identifierRule = 'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".';
  const instantRule = 'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.';
  const durationRule = 'must be a whole number with s, m, h or d, such as 24h, of at most 36500d.';
  const licenseKeyRule =
    'must have 24 to 120 characters, not counting white space at its ends, and be well-formed Unicode.';
  const bad: readonly (readonly [change: unknown, error: string, code?: string])[] = [
    ...['{', '[]', '1', '"e1"', 'null', '{"id":}'].map((text) => [text, 'The line must be a JSON object.'] as const),
    ...['id', 'productId', 'tierId', 'tierName', 'billingInterval'].flatMap((member) => [
      [{ [member]: undefined }, `${member} is missing.`] as const,
      [{ [member]: null }, `${member} is missing.`] as const,
    ]),
    ...['id', 'productId', 'tierId'].flatMap((member) =>
      ['', 'a b', 'a/b', 'é', 'x'.repeat(129), 1, ['e1'], {}].map(
        (value) => [{ [member]: value }, `${member} ${identifierRule}`] as const,
      ),
    ),
    ...['', ' ', 'x'.repeat(201), 'a\u0007b', 1].map(
      (value) =>
        [
          { tierName: value },
          'tierName must be 1 to 200 characters, not blank and without control characters.',
        ] as const,
    ),
    ...['hour', 'Month', '', 1].map(
      (value) =>
        [{ billingInterval: value }, 'billingInterval must be one of day, week, month, year, one_time.'] as const,
    ),
    ...['canceled', 'Active', '', true].map(
      (value) => [{ status: value }, 'status must be one of trialing, active, past_due.'] as const,
    ),
    ...['currentPeriodStart', 'currentPeriodEnd'].flatMap((member) =>
      ['2026-09-01', '2026-02-30T00:00:00Z', '2026-09-01T00:00:00', 1788000000, ''].map(
        (value) => [{ [member]: value }, `${member} ${instantRule}`] as const,
      ),
    ),
    ...['1', '24', '1y', '-1h', '1.5h', '', 24].map((value) => [{ grace: value }, `grace ${durationRule}`] as const),
    ...[
      'k'.repeat(23),
      'k'.repeat(121),
      '',
      ' '.repeat(24),
      `${'\u00a0'.repeat(23)}k`,
      `${'k'.repeat(24)}\uD83C`,
      1,
    ].map((value) => [{ licenseKey: value }, `licenseKey ${licenseKeyRule}`] as const),
    [{ currentperiodend: end }, '"currentperiodend" is unknown; did you mean currentPeriodEnd?'],
    [{ tierName: undefined, tier_name: 'Pro' }, '"tier_name" is unknown; did you mean tierName?'],
    [
      { licenceKey: 'the-key-of-entitlement-e1', graec: '1h' },
      '"licenceKey" is unknown; did you mean licenseKey? "graec" is unknown; did you mean grace?',
    ],
    [
      { id: 'a b', tierName: '', grace: 1, 'statu\u0007': 'active' },
      `"statu\\u0007" is unknown; did you mean status? id ${identifierRule} tierName must be 1 to 200 characters, not blank and without control characters. grace ${durationRule}`,
    ],
    [
      { currentPeriodEnd: '2020-01-01T00:00:00Z' },
      'currentPeriodEnd must be later than currentPeriodStart.',
      'period_end_too_early',
    ],
    [
      { currentPeriodStart: end, currentPeriodEnd: end },
      'currentPeriodEnd must be later than currentPeriodStart.',
      'period_end_too_early',
    ],
    [
      { billingInterval: 'one_time', currentPeriodEnd: end },
      'currentPeriodEnd does not go with billingInterval one_time, which never ends.',
    ],
    [
      { billingInterval: 'one_time', grace: '1h' },
      'grace does not go with billingInterval one_time, which never ends.',
    ],
    [{ productId: 'p2' }, 'productId must be that of a product; add it first.', 'product_not_found'],
    [{ id: 'e0' }, 'There is an entitlement with this id already.', 'entitlement_exists'],
    [{ licenseKey: 'the-key-of-entitlement-e0' }, 'There is a license with this key already.', 'license_key_exists'],
  ];
  for (const [change, error, code = 'invalid_line'] of bad) {
    it(`refuses the line: ${JSON.stringify(change)?.slice(0, 80)}`, async () => {
      await imported([{ ...line, id: 'e0', licenseKey: 'the-key-of-entitlement-e0' }]);
      const before = structuredClone(cli.store);
      const text = typeof change === 'string' ? change : { ...line, ...(change as object) };
      const { exitCode, stdout, stderr } = await imported([text]);
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 0, failed: 1, errors: [{ line: 1, code, error }] });
      expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '1 of 1 lines were bad.')]);
      expect(structuredClone(cli.store)).to.deep.equal(before);
    });
  }
});

function numberedKey(number: number): string {
  return `ACME-LICENSE-KEY-000000${number}`;
}

/** Lines of a file that breaks off. */
async function* lost(): AsyncIterable<Uint8Array> {
  for (const number of range(1500)) yield Buffer.from(`${JSON.stringify({ ...line, id: `e${number}` })}\n`);
  throw new InjectedFault();
}

async function* only(chunk: Uint8Array): AsyncIterable<Uint8Array> {
  yield chunk;
}
