import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { VendorName } from '../../../../adapters/cli/moving/record/vendor-names.ts';
import { TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import {
  goldenFiles,
  goldenFolder,
  importWords,
  stripeExport,
  vendorExports,
} from '../../../support/cli/vendor-exports.ts';

/** The summary of each golden file: what was dropped, left out, or needs a look. */
const notices: Readonly<Record<VendorName, readonly string[]>> = {
  gumroad: [
    'Warning: 1 trial has no end in the export; a month was assumed, or one interval if that is shorter.',
    'Warning: the activations of 1 record were dropped; no export names the devices, which take new seats.',
    'Dropped 22 e-mail addresses and 21 names.',
    'Left out: 1 without a license key, 1 by the map.',
  ],
  lemonsqueezy: [
    'Warning: 3 records with an end have no billingInterval in the map; a year was assumed.',
    'Warning: 1 record is past due: a payment is missing, so access lasts only as long as the vendor tries it again.',
    'Warning: 1 record is suspended, because of a pause, a payment or a decision at the vendor; latchkey entitlement reinstate gives access again.',
    'Warning: the activations of 1 record were dropped; no export names the devices, which take new seats.',
    'Dropped 23 e-mail addresses and 23 names.',
    'Left out: 1 by the map.',
  ],
  polar: [
    'Warning: 2 records with an end have no billingInterval in the map; a year was assumed.',
    'Warning: the activations of 1 record were dropped; no export names the devices, which take new seats.',
    'Dropped 7 e-mail addresses and 7 names.',
  ],
  keygen: [
    'Warning: the key of keygen_00000007-67ae-4bbb-8ccc-0123456789ab has 292 characters, and a license key has 24 to 120; give it a new one with latchkey license rotate keygen_00000007-67ae-4bbb-8ccc-0123456789ab.',
    'Warning: 2 records with an end have no billingInterval in the map; a year was assumed.',
    'Warning: 1 record is suspended, because of a pause, a payment or a decision at the vendor; latchkey entitlement reinstate gives access again.',
    'Warning: the activations of 1 record were dropped; no export names the devices, which take new seats.',
    'Dropped 8 e-mail addresses and 8 names.',
  ],
  stripe: [
    'Warning: 1 record is past due: a payment is missing, so access lasts only as long as the vendor tries it again.',
    'Warning: 2 records are suspended, because of a pause, a payment or a decision at the vendor; latchkey entitlement reinstate gives access again.',
    'Dropped 9 e-mail addresses and 9 names.',
    'Left out: 2 never paid.',
  ],
  creem: [
    'Warning: 2 records with an end have no billingInterval in the map; a year was assumed.',
    'Warning: the activations of 1 record were dropped; no export names the devices, which take new seats.',
    'Dropped 0 e-mail addresses and 1 name.',
  ],
};

describe('entitlement import --print', () => {
  for (const each of [...vendorExports, stripeExport]) {
    it(`prints the lines of the export of ${each.vendor}, says what it drops, and opens no store`, async () => {
      const cli = new TestCommandLine();
      const { exitCode, stdout, stderr } = await printed(cli, each);
      expect(exitCode).to.equal(0);
      const expected = await readFile(join(goldenFolder, `${each.vendor}.lines.ndjson`), 'utf8');
      expect(linesOf(stdout)).to.deep.equal(linesOf(expected));
      expect(stderr.trimEnd().split('\n')).to.deep.equal(notices[each.vendor]);
      expect([cli.opened, cli.changes, [...cli.files]]).to.deep.equal([[], [], []]);
    });
  }

  it('prints what entitlement import stores in the same way', async () => {
    for (const each of vendorExports) {
      const [direct, byLines] = [new TestCommandLine(), new TestCommandLine()];
      for (const cli of [direct, byLines]) await cli.json('product add --id prod_1 --name One');
      await direct.run(importWords(each), '', goldenFiles());
      const { stdout } = await printed(direct, each);
      await byLines.run(['entitlement', 'import', '-'], stdout);
      const stored = [direct, byLines].map(({ store }) => structuredClone(store.entitlements.byId));
      expect(stored[0]?.size).to.be.greaterThan(0);
      expect(byId(stored[0])).to.deep.equal(byId(stored[1]));
    }
  });
});

function printed(cli: TestCommandLine, each: Parameters<typeof importWords>[0]): Promise<Run> {
  return cli.run([...importWords(each), '--print'], '', goldenFiles());
}

function linesOf(text: string): readonly unknown[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line): unknown => JSON.parse(line.replace(/"LK-[^"]*"/, '"made"')));
}

/** The entitlements by their ids. */
function byId(entitlements: ReadonlyMap<string, unknown> | undefined): unknown {
  return Object.fromEntries(entitlements ?? []);
}
