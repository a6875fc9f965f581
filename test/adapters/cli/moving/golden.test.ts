import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { vendorNames } from '../../../../adapters/cli/moving/record/vendor-names.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { TestCommandLine, type Run } from '../../../support/cli/command-line.ts';
import {
  goldenFiles,
  goldenFolder,
  importWords,
  stripeExport,
  vendorExports,
} from '../../../support/cli/vendor-exports.ts';
import { TestService } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

describe("an import of a vendor's export", () => {
  for (const each of vendorExports) {
    const { vendor, living, dead } = each;

    it(`lets the living keys of ${vendor} verify, and no dead one; run again, it changes nothing`, async () => {
      const outputs: string[] = [];
      const importInto = async (ports: StorePorts): Promise<Run> => {
        const cli = new TestCommandLine(ports);
        const run = await cli.run([...importWords(each), '--json'], '', goldenFiles());
        outputs.push(run.stdout, run.stderr, JSON.stringify(cli.changes));
        return run;
      };
      let ports: StorePorts | null = null;
      const service = await TestService.at(await memory.emptyAddress(), {}, async (opened) => {
        ports = opened;
        await new TestCommandLine(opened).json('product add --id prod_1 --name One');
        expect(await importInto(opened)).to.include({ exitCode: 0 });
      });
      try {
        for (const licenseKey of [...living, ...dead]) {
          const { body } = await service.verify({ licenseKey });
          expect(body, licenseKey).to.include({ valid: living.includes(licenseKey) });
        }
        if (ports === null) throw new Error('the store was not opened');
        await expectKnown(ports, dead);
        const before = await service.stored();
        const { exitCode, stdout } = await importInto(ports);
        const report = JSON.parse(stdout) as { imported: number; errors: readonly { code: string }[] };
        expect([exitCode, report.imported]).to.deep.equal([1, 0]);
        expect([...new Set(report.errors.map(({ code }) => code))]).to.deep.equal(['entitlement_exists']);
        expect(report.errors).to.have.length(before.length);
        expect(await service.stored()).to.deep.equal(before);
      } finally {
        await service.stop();
      }
      for (const text of outputs) {
        expect([...living, ...dead].filter((key) => text.includes(key))).to.deep.equal([]);
        expect(text).not.to.match(/example\.com|Ada|Grace/);
      }
    });
  }

  it('lets the keys that are made for living subscriptions of Stripe verify, and none of the others', async () => {
    let made: readonly { readonly reference: string; readonly licenseKey: string }[] = [];
    const service = await TestService.at(await memory.emptyAddress(), {}, async (opened) => {
      const cli = new TestCommandLine(opened);
      await cli.json('product add --id prod_1 --name One');
      const words = [...importWords(stripeExport), '--keys-file', 'keys'];
      expect(await cli.run(words, '', goldenFiles())).to.include({ exitCode: 0 });
      const lines = (cli.files.get('keys') ?? '').trimEnd().split('\n');
      made = lines.map((line) => JSON.parse(line) as (typeof made)[number]);
    });
    try {
      const valid: string[] = [];
      for (const { reference, licenseKey } of made) {
        const { body } = await service.verify({ licenseKey });
        if ((body as { readonly valid: boolean }).valid) valid.push(reference);
      }
      const living = ['001', '002', '003', '004', '005', '011', '012', '013', '015', '018'];
      expect(valid).to.deep.equal(living.map((number) => `sub_${number}`));
      expect(made.map(({ reference }) => reference)).to.have.members([...valid, 'sub_006', 'sub_009']);
    } finally {
      await service.stop();
    }
  });
});

describe('the golden files', () => {
  it('are of every vendor with keys', () => {
    expect(vendorExports.map(({ vendor }) => vendor)).to.have.members(vendorNames.filter((name) => name !== 'stripe'));
  });

  it('have every key that the tests expect', async () => {
    for (const { files, living, dead } of vendorExports) {
      const texts = await Promise.all(files.map((file) => readFile(join(goldenFolder, file), 'utf8')));
      expect([...living, ...dead].filter((key) => !texts.join('').includes(key))).to.deep.equal([]);
    }
  });
});

/** Expects the store to know keys, so that nobody else can be given them. */
async function expectKnown(ports: StorePorts, keys: readonly string[]): Promise<void> {
  const cli = new TestCommandLine(ports);
  for (const key of keys) {
    const { exitCode } = await cli.run(['license', 'find', '-', '--json'], key);
    expect(exitCode, key).to.equal(0);
  }
}
