import { expect } from 'chai';
import type { NewFile } from '../../../../adapters/cli/shell/shell.ts';
import { jsonError, TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import {
  goldenFiles,
  importWords,
  stripeExport,
  vendorExports,
  type VendorExport,
} from '../../../support/cli/vendor-exports.ts';
import { memory } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';

describe('entitlement import --from', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id prod_1 --name One');
    cli.changes.length = 0;
  });

  const run = (each: Parameters<typeof importWords>[0], ...more: readonly string[]): Promise<Run> =>
    cli.run([...importWords(each), ...more], '', goldenFiles());

  it('leaves out with --skip-ended what has ended, and keeps what is suspended', async () => {
    for (const each of vendorExports) {
      await run(each, '--skip-ended');
      const { living, dead } = each;
      const known = await Promise.all([...living, ...dead].map(async (key) => [key, await isKnown(key)] as const));
      const missing = known.flatMap(([key, isStored]) => (isStored ? [] : [key]));
      const suspended = { lemonsqueezy: ['38b14615-5104-4067-a91d-77b872934d51'], keygen: [dead[1]] } as const;
      const kept: readonly unknown[] = suspended[each.vendor as keyof typeof suspended] ?? [];
      expect(missing, each.vendor).to.deep.equal(dead.filter((key) => !kept.includes(key)));
    }
  });

  it('reports in a dry run what the import then reports, and changes nothing', async () => {
    for (const each of vendorExports) {
      const before = structuredClone(cli.store);
      const tried = await run(each, '--json', '--dry-run');
      expect([structuredClone(cli.store), cli.changes]).to.deep.equal([before, []]);
      expect(await run(each, '--json')).to.deep.equal(tried);
      cli.changes.length = 0;
    }
  });

  it('logs how many entitlements were imported', async () => {
    await run(vendorExportOf('polar'));
    expect(cli.changes).to.deep.equal([{ command: 'entitlement import', entitlements: 8 }]);
  });

  it('reports a record that cannot be read by its line, without its values, and imports the others', async () => {
    const items = ['2026-13-40', 'ada@example.com', 7].map((expires_at, number) => ({
      id: `k${number}`,
      key: `TOOL_38B1466F-5104-4067-A91D-77B8729${number}`,
      status: number === 2 ? 'odd' : 'granted',
      benefit_id: 'ben_tool',
      expires_at,
    }));
    const good = { ...items[0], id: 'k9', expires_at: null };
    const text = [...items, good].map((item) => JSON.stringify(item)).join('\n');
    const words = importWords({ ...vendorExportOf('polar'), files: ['given'] });
    for (const more of [['--json'], ['--json', '--dry-run']]) {
      const { exitCode, stdout } = await cli.run([...words, ...more], '', goldenFiles({ given: text }));
      const { errors } = JSON.parse(stdout) as { errors: readonly { line: number; error: string }[] };
      const before = more.length === 1 ? 3 : 4;
      expect([exitCode, errors.length]).to.deep.equal([1, before]);
      expect(errors.slice(0, 3)).to.deep.equal([
        { line: 1, code: 'invalid_line', error: 'polar_k0: expires_at must be an instant.' },
        { line: 2, code: 'invalid_line', error: 'polar_k1: expires_at must be an instant.' },
        { line: 3, code: 'invalid_line', error: 'polar_k2: status must be one of granted, revoked, disabled.' },
      ]);
    }
  });

  it('imports a record that is on two pages once', async () => {
    const words = [...importWords(vendorExportOf('polar')), 'polar.json', '--json'];
    const { exitCode, stdout, stderr } = await cli.run(words, '', goldenFiles());
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([0, { imported: 8, failed: 0, errors: [] }]);
    expect(stderr).to.include('Left out: 8 repeated.');
  });

  it('warns of a CSV of Gumroad without its row of totals, which may have been cut', async () => {
    let text = '';
    for await (const chunk of (await goldenFiles().openFile('gumroad.csv')).content)
      text += Buffer.from(chunk).toString();
    const part = text.slice(0, text.indexOf('Totals'));
    const words = importWords({ ...vendorExportOf('gumroad'), files: ['given'] });
    const { exitCode, stderr } = await cli.run(words, '', goldenFiles({ given: part }));
    expect([exitCode, stderr.split('\n')[0]]).to.deep.equal([
      0,
      'Warning: The file has no row of totals at its end: was it cut?',
    ]);
  });

  it('takes the period of a Gumroad subscription that its latest charge has paid, and no further one', async () => {
    for (const [asOf, period] of [
      ['2026-01-01T00:00:00Z', 'active undefined'],
      ['2026-07-30T10:14:59Z', 'active undefined'],
      ['2026-07-30T10:15:00Z', 'past_due 5d'],
      ['2030-02-28T23:00:00Z', 'past_due 5d'],
    ] as const) {
      const { stdout } = await run(vendorExportOf('gumroad'), '--print', '--as-of', asOf);
      const line = stdout.split('\n').find((each) => each.includes('A000D889')) ?? '{}';
      const { currentPeriodStart, currentPeriodEnd, status, grace } = JSON.parse(line) as Record<string, string>;
      expect(`${status} ${grace}`, asOf).to.equal(period);
      expect(`${currentPeriodStart} to ${currentPeriodEnd}`).to.equal(
        '2026-06-30T10:15:00.000Z to 2026-07-30T10:15:00.000Z',
      );
    }
  });

  const refused: readonly (readonly [line: string, message: string])[] = [
    ['--from polar polar.json', '--from needs --products.'],
    ['--from polar --products polar.products.json -', 'With --from, name files: they are read several times.'],
    ['--from polar --products m --print --dry-run f', '--print cannot be combined with --dry-run.'],
    ['--from polar --products m --keys-file k f', '--keys-file is for --from stripe.'],
    ['--from stripe --products m f', '--from stripe needs --keys-file, because Stripe has no license keys.'],
    ['--products m f', '--products needs --from.'],
    ['--keys-file k f', '--keys-file needs --from.'],
    ['--as-of 2026-01-01T00:00:00Z f', '--as-of needs --from.'],
    ['--skip-ended f', '--skip-ended needs --from.'],
    ['--print f', '--print needs --from.'],
  ];
  for (const [line, message] of refused) {
    it(`refuses ${line}`, async () => {
      const { exitCode, stderr } = await cli.run(`entitlement import --json ${line}`.split(' '), '', goldenFiles());
      expect([exitCode, stderr, cli.opened.length]).to.deep.equal([2, jsonError('invalid_argument', message), 1]);
    });
  }

  async function isKnown(key: string): Promise<boolean> {
    return (await cli.run(['license', 'find', '-', '--json'], key)).exitCode === 0;
  }
});

describe('entitlement import --from stripe', () => {
  it(`writes the keys that it makes once, and none for what exists`, async () => {
    const opened = await memory.open();
    try {
      const cli = new TestCommandLine(opened);
      await cli.json('product add --id prod_1 --name One');
      const words = [...importWords(stripeExport), '--json', '--keys-file'];
      const first = await cli.run([...words, 'keys'], '', goldenFiles());
      expect([first.exitCode, JSON.parse(first.stdout)]).to.deep.equal([0, { imported: 15, failed: 0, errors: [] }]);
      const keys = (cli.files.get('keys') ?? '').trimEnd().split('\n');
      const entries = keys.map((line) => JSON.parse(line) as Record<string, string>);
      const before = await entitlementsIn(opened);
      const keyed = before.filter(({ license }) => license !== null).map(({ id }) => id);
      expect(entries.map(({ id }) => id))
        .to.have.members(keyed)
        .and.to.have.length(12);
      for (const { id, reference, licenseKey = '' } of entries) {
        expect(await cli.json('license find -', licenseKey)).to.deep.include({ id, reference });
        expect(`${first.stdout}${first.stderr}${JSON.stringify(cli.changes)}`).not.to.include(licenseKey);
      }
      const again = await cli.run([...words, 'more'], '', goldenFiles());
      expect([again.exitCode, cli.files.has('more')]).to.deep.equal([1, false]);
      expect(await entitlementsIn(opened)).to.deep.equal(before);
      const { exitCode, stderr } = await cli.run([...words, 'keys'], '', goldenFiles());
      expect([exitCode, stderr.split('\n').at(-2)]).to.deep.equal([
        2,
        jsonError('invalid_argument', 'The file exists already: name a new one.').trimEnd(),
      ]);
      expect(keys.join('\n')).to.equal(cli.files.get('keys')?.trimEnd());
    } finally {
      await opened.close();
    }
  });

  it('stores no entitlement whose key was not written', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id prod_1 --name One');
    const words = [...importWords(stripeExport), '--keys-file', 'keys'];
    const failed = await cli.run(words, '', { ...goldenFiles(), createFile }).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    expect(cli.store.entitlements.byId.size).to.equal(0);
  });

  it('makes no key in a dry run, and prints keys with --print', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id prod_1 --name One');
    const dry = await cli.run([...importWords(stripeExport), '--dry-run', '--keys-file', 'keys'], '', goldenFiles());
    expect([dry.exitCode, dry.stdout, cli.files.size]).to.deep.equal([0, 'Valid: 15. Failed: 0.\n', 0]);
    const printed = await cli.run([...importWords(stripeExport), '--keys-file', 'keys', '--print'], '', goldenFiles());
    const lines = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const keyed = lines.flatMap(({ id, reference, licenseKey }) =>
      licenseKey === undefined ? [] : [JSON.stringify({ id, reference, licenseKey })],
    );
    expect(cli.files.get('keys')).to.equal(`${keyed.join('\n')}\n`);
  });
});

function vendorExportOf(name: VendorExport['vendor']): VendorExport {
  const found = vendorExports.find(({ vendor }) => vendor === name);
  if (found === undefined) throw new Error(`there is no export of ${name}`);
  return found;
}

/** Creates a file on a full disk. */
async function createFile(): Promise<NewFile> {
  return { write: full, append: full, close: full, discard: async () => undefined };
}

async function full(): Promise<never> {
  throw new Error('no space left');
}
