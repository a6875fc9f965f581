import { expect } from 'chai';
import { jsonError, TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import { goldenFiles, importWords, vendorExports } from '../../../support/cli/vendor-exports.ts';

const basic = { productId: 'prod_1', tierId: 'basic', tierName: 'Basic' };

describe('the map of entitlement import --from', () => {
  it('lists each id that it lacks once with a count, before anything is written', async () => {
    for (const more of [[], ['--dry-run'], ['--print']]) {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await imported(cli, 'gumroad', { tool: basic }, ...more);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      expect(stderr.split('\n').slice(1)).to.deep.equal(['"club": 6 records', '"mug": 1 record', '']);
      expect([cli.opened, cli.changes]).to.deep.equal([[], []]);
    }
  });

  it('gives the same list to a program as one JSON object', async () => {
    const { exitCode, stderr } = await imported(new TestCommandLine(), 'polar', { ben_club: basic }, '--json');
    const error =
      'Nothing was written, because the map of --products lacks these ids; add each, with null to leave it out:\n"ben_tool": 7 records';
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('ids_not_mapped', error)]);
  });

  it('needs no id of what is left out before, as it has no key', async () => {
    const { exitCode } = await imported(
      new TestCommandLine(),
      'gumroad',
      { tool: basic, club: basic, mug: null },
      '--print',
    );
    expect(exitCode).to.equal(0);
  });

  it('leaves out what it maps to null', async () => {
    const { stdout, stderr } = await imported(
      new TestCommandLine(),
      'polar',
      { ben_tool: null, ben_club: basic },
      '--print',
    );
    expect(stdout.trimEnd().split('\n')).to.have.length(1);
    expect(stderr).to.include('Left out: 7 by the map.');
  });

  it('maps the most specific id that it has', async () => {
    const all = { 'tool (Pro)': tier('a'), 'Tool (Pro)': tier('b'), Pro: tier('c'), tool: tier('d'), Tool: tier('e') };
    const entries = Object.entries(all);
    for (const [position, [, { tierId }]] of (entries as [string, { tierId: string }][]).entries()) {
      expect(await tierOf(Object.fromEntries(entries.slice(position)))).to.equal(tierId);
    }
  });

  it('says for renewals what the vendor does not, and nothing against it', async () => {
    const half = { ...basic, billingInterval: 'month', billingIntervalCount: 6 };
    const once = { ...basic, billingInterval: 'one_time' };
    const polar = { ben_tool: half, ben_club: once };
    expect(await intervalOf('polar', polar, 'TOOL_38B1466F')).to.deep.equal(['month', 6]);
    expect(await intervalOf('polar', polar, 'CLUB_')).to.deep.equal(['one_time', undefined]);
    const ending = { ben_tool: once, ben_club: null };
    expect(await intervalOf('polar', ending, 'TOOL_38B14674')).to.deep.equal(['year', undefined]);
    const gumroad = { tool: basic, mug: null, club: half };
    expect(await intervalOf('gumroad', gumroad, 'A0013556')).to.deep.equal(['year', undefined]);
    expect(await intervalOf('gumroad', { ...gumroad, club: once }, 'A000D889')).to.deep.equal(['one_time', undefined]);
  });

  const wrong: readonly (readonly [map: string, message: string])[] = [
    ['', 'The file that --products names must be a JSON object from ids to tiers.'],
    ['[]', 'The file that --products names must be a JSON object from ids to tiers.'],
    ['{"a":1}', 'The map of --products is wrong for "a": It must be a JSON object or null.'],
    ['{"a":[]}', 'The map of --products is wrong for "a": It must be a JSON object or null.'],
    ['{"a":{"productId":"p","tierId":"t"}}', 'The map of --products is wrong for "a": tierName is missing.'],
    [
      '{"a":{"productId":"p","tierId":"t","tierNam":"T"}}',
      'The map of --products is wrong for "a": "tierNam" is unknown; did you mean tierName?',
    ],
    [
      '{"a":{"productId":"p","tierId":"t","tierName":"T","billingInterval":"one_time","billingIntervalCount":2}}',
      'The map of --products is wrong for "a": billingIntervalCount cannot be combined with billingInterval one_time.',
    ],
    [
      '{"ben_tool":{"productId":"p","tierId":"t","tierName":"T","billingIntervalCount":3},"ben_club":null}',
      'The map of --products is wrong for "ben_tool": billingIntervalCount needs a billingInterval, because Polar does not name it.',
    ],
  ];
  for (const [map, message] of wrong) {
    it(`is refused: ${map}`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stderr } = await imported(cli, 'polar', map);
      expect([exitCode, stderr, cli.opened]).to.deep.equal([2, `${message}\n`, []]);
    });
  }

  it('is named if it cannot be read', async () => {
    const words = ['entitlement', 'import', '--from', 'polar', '--products', 'none', 'polar.json'];
    const { exitCode, stderr } = await new TestCommandLine().run(words, '', goldenFiles());
    expect([exitCode, stderr]).to.deep.equal([2, 'The file that --products names must exist and be readable.\n']);
  });
});

function imported(
  cli: TestCommandLine,
  name: 'gumroad' | 'polar',
  map: object | string,
  ...more: readonly string[]
): Promise<Run> {
  const found = vendorExports.find(({ vendor }) => vendor === name);
  if (found === undefined) throw new Error(`there is no export of ${name}`);
  const text = typeof map === 'string' ? map : JSON.stringify(map);
  return cli.run([...importWords({ ...found, products: 'map' }), ...more], '', goldenFiles({ map: text }));
}

function tier(tierId: string): object {
  return { ...basic, tierId };
}

/** The tier of a sale with the variant "Pro". */
async function tierOf(map: object): Promise<unknown> {
  const { stdout } = await imported(new TestCommandLine(), 'gumroad', { club: null, mug: null, ...map }, '--print');
  return lineWith('A0019223', stdout)['tierId'];
}

async function intervalOf(vendor: 'gumroad' | 'polar', map: object, key: string): Promise<unknown> {
  const { stdout } = await imported(new TestCommandLine(), vendor, map, '--print');
  const { billingInterval, billingIntervalCount } = lineWith(key, stdout);
  return [billingInterval, billingIntervalCount];
}

function lineWith(key: string, stdout: string): Readonly<Record<string, unknown>> {
  const line = stdout.split('\n').find((each) => each.includes(key));
  return JSON.parse(line ?? '{}') as Readonly<Record<string, unknown>>;
}
