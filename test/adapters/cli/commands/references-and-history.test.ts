import { expect } from 'chai';
import { TestCommandLine } from '../../../support/processes/command-line.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';

const terms = '--tier pro --tier-name Pro --interval month';
const imported = { productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };

for (const { name, open } of stores) {
  describe(`references and history on the command line, ${name}`, () => {
    const store = freshStore(open);
    let cli: TestCommandLine;
    beforeEach(async () => {
      cli = new TestCommandLine(store());
      for (const product of ['p1', 'p2']) await cli.json(`product add --id ${product} --name One`);
    });

    it('grants with a reference, and finds the entitlement by it', async () => {
      await cli.json(`entitlement grant --product p1 ${terms} --id e1 --reference sub_1`);
      await cli.json(`entitlement grant --product p1 ${terms} --id e2`);
      await cli.json(`entitlement grant --product p2 ${terms} --id e3 --reference sub_1`);
      expect(await idsOf('--product p1 --reference sub_1')).to.deep.equal(['e1']);
      expect(await idsOf('--product p2 --reference sub_1')).to.deep.equal(['e3']);
      expect(await idsOf('--product p1 --reference sub_2')).to.deep.equal([]);
      expect(await idsOf('--product p1 --reference sub_1 --status expired')).to.deep.equal([]);
      expect(await idsOf('--product p1')).to.deep.equal(['e1', 'e2']);
    });

    it('refuses a reference that another entitlement of the product has', async () => {
      await cli.json(`entitlement grant --product p1 ${terms} --id e1 --reference sub_1`);
      const again = await cli.run(`entitlement grant --product p1 ${terms} --reference sub_1 --json`.split(' '));
      expect([again.exitCode, again.stdout, JSON.parse(again.stderr)]).to.deep.equal([
        1,
        '',
        { code: 'reference_exists', error: 'Another entitlement of the product has this reference already.' },
      ]);
      expect(await idsOf('--product p1')).to.deep.equal(['e1']);
    });

    it('grants the entitlements of a batch with references', async () => {
      const line = { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'month' };
      const text = ['sub_1', 'sub_2'].map((reference) => JSON.stringify({ ...line, id: `of_${reference}`, reference }));
      expect((await cli.run(['entitlement', 'grant', '-'], text.join('\n'))).exitCode).to.equal(0);
      expect(await idsOf('--product p1 --reference sub_2')).to.deep.equal(['of_sub_2']);
    });

    it('imports entitlements with references, and reports one that is taken', async () => {
      const lines = [
        { ...imported, id: 'e1', reference: 'sub_1' },
        { ...imported, id: 'e2', reference: 'sub_1' },
        { ...imported, id: 'e3', productId: 'p2', reference: 'sub_1' },
        { ...imported, id: 'e4', reference: ' ' },
        { ...imported, id: 'e5', reference: 7 },
      ];
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const dry = await cli.run(['entitlement', 'import', '-', '--dry-run', '--json'], text);
      const { exitCode, stdout } = await cli.run(['entitlement', 'import', '-', '--json'], text);
      const rule = 'reference must be 1 to 200 characters, not blank and without control characters.';
      expect([exitCode, JSON.parse(stdout)]).to.deep.equal([
        1,
        {
          imported: 2,
          failed: 3,
          errors: [
            {
              line: 2,
              code: 'reference_exists',
              error: 'Another entitlement of the product has this reference already.',
            },
            { line: 4, code: 'invalid_line', error: rule },
            { line: 5, code: 'invalid_line', error: rule },
          ],
        },
      ]);
      expect(dry.stdout).to.equal(stdout);
      expect(await idsOf('--product p1 --reference sub_1')).to.deep.equal(['e1']);
    });

    it('shows who has changed an entitlement, the newest change first', async () => {
      await cli.json(`entitlement grant --product p1 ${terms} --id e1`);
      for (const change of [
        'entitlement cancel',
        'entitlement cancel',
        'entitlement resume',
        'license rotate',
        'entitlement revoke',
      ]) {
        await cli.json(`${change} e1`);
      }
      const { now, by, correlationId } = cli.shell().newCall();
      const operations = ['granted', 'cancellation_scheduled', 'cancellation_undone', 'license_rotated', 'revoked'];
      const entries = operations.map((operation, index) => ({
        at: now.toISOString(),
        by,
        operation,
        correlationId,
        version: index + 1,
      }));
      expect(await cli.json('entitlement history e1')).to.deep.equal(entries.toReversed());
    });

    it('shows the import of an entitlement', async () => {
      await cli.json('entitlement import -', JSON.stringify({ ...imported, id: 'e1' }));
      const [entry, ...others] = (await cli.json('entitlement history e1')) as readonly object[];
      expect(entry).to.include({ operation: 'imported', by: 'command:test', version: 1 });
      expect(others).to.deep.equal([]);
    });

    async function idsOf(options: string): Promise<readonly string[]> {
      const found = (await cli.json(`entitlement list ${options}`)) as readonly { readonly id: string }[];
      return found.map(({ id }) => id);
    }
  });
}

describe('the history on a terminal', () => {
  it('is one change a line', async () => {
    const cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
    await cli.json(`entitlement grant --product p1 ${terms} --id e1`);
    await cli.json('entitlement suspend e1');
    const { stdout } = await cli.run(['entitlement', 'history', 'e1']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).to.deep.equal([
      ['At', 'Operation', 'By', 'Version'],
      ['2026-07-18T12:00:00.000Z', 'suspended', 'command:test', '2'],
      ['2026-07-18T12:00:00.000Z', 'granted', 'command:test', '1'],
      [''],
    ]);
  });
});
