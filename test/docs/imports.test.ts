import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { vendorNames, type VendorName } from '../../adapters/cli/moving/record/vendor-names.ts';
import { goldenFolder } from '../support/cli/vendor-exports.ts';
import { runCommands } from '../support/documents/in-process.ts';
import { readMarkdown, type Markdown } from '../support/documents/markdown.ts';

/** The golden files that a reader has exported, by the names that the document gives them. */
const exported: Partial<Record<VendorName, Readonly<Record<string, string>>>> = {
  gumroad: { 'sales.csv': 'gumroad.csv' },
  stripe: { 'subscriptions.csv': 'stripe.csv' },
  creem: { 'creem.json': 'creem.json' },
};

/** The entitlements of each golden file. */
const counts: Readonly<Record<VendorName, number>> = {
  gumroad: 16,
  lemonsqueezy: 15,
  polar: 8,
  keygen: 8,
  stripe: 15,
  creem: 6,
};

/** Answers as the vendors do: with a golden file as the first page, and with an empty second one. */
const curl = `#!/bin/sh
for url; do :; done
case "$url" in
  *page=2*|*number]=2*) echo '{"data":[],"items":[]}' ;;
  *lemonsqueezy*license-keys*) cat '${goldenFolder}/lemonsqueezy-keys.json' ;;
  *lemonsqueezy*subscriptions*) cat '${goldenFolder}/lemonsqueezy-subscriptions.json' ;;
  *polar.sh*) cat '${goldenFolder}/polar.json' ;;
  *keygen.sh*) cat '${goldenFolder}/keygen.json' ;;
  *stripe.com*) cat '${goldenFolder}/stripe.json' ;;
  *) exit 22 ;;
esac
`;

describe('docs/imports.md', () => {
  let document: Markdown;
  let folder: string;

  before(async () => {
    document = await readMarkdown('docs/imports.md');
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'curl'), curl);
    await chmod(join(folder, 'bin', 'curl'), 0o755);
  });
  after(() => rm(folder, { recursive: true }));

  it('has a map and commands for each vendor, which work as printed', async () => {
    const [first = '', ...commands] = document.codeBlocks('sh');
    const maps = document.codeBlocks('json');
    expect([commands.length, maps.length]).to.deep.equal([vendorNames.length, vendorNames.length]);
    await runAll(first);
    for (const [position, vendor] of vendorNames.entries()) {
      expect(commands[position]).to.include(`--from ${vendor} `);
      await writeFile(join(folder, 'products.json'), maps[position] ?? '');
      for (const [name, golden] of Object.entries(exported[vendor] ?? {})) {
        await copyFile(join(goldenFolder, golden), join(folder, name));
      }
      const output = await runAll(commands[position] ?? '');
      const count = counts[vendor];
      expect(output).to.include(`Valid: ${count}. Failed: 0.\nImported: ${count}. Failed: 0.\n`);
    }
  });

  it('names every id under which an import finds its entitlements again', async () => {
    const text = document.codeSpans.join(' ');
    for (const prefix of ['gumroad_…', 'ls_…', 'polar_…', 'keygen_…', 'stripe_…', 'creem_…']) {
      expect(text).to.include(prefix);
    }
  });

  /** Runs a script in the folder, with the vendors' answers for `curl`. */
  function runAll(script: string): Promise<string> {
    const { STORE_URL: _, PATH = '', ...env } = process.env;
    const path = `${join(folder, 'bin')}${delimiter}${PATH}`;
    return runCommands(script, { env: { ...env, PATH: path }, cwd: folder });
  }
});
