import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { cellsOf, csvRecords } from '../../../../adapters/cli/input/csv-records.ts';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { goldenFiles, goldenFolder, importWords, vendorExports } from '../../../support/cli/vendor-exports.ts';
import { rounds } from '../../../support/run/long-runs.ts';

const stripe = { vendor: 'stripe', files: ['stripe.csv'], products: 'stripe.products.json' } as const;
const exports = [...vendorExports, stripe];
const golden = (file: string): Promise<Buffer> => readFile(join(goldenFolder, file));

describe('entitlement import of a file that it cannot use', () => {
  for (const each of exports) {
    const { vendor } = each;
    const others = exports.filter((other) => other.vendor !== vendor);

    it(`says that exports of other vendors are not from ${vendor}`, async () => {
      for (const { files } of others) {
        const message = await refusal(each, await golden(files[0] ?? ''));
        expect(message, files[0]).to.match(/^The file is not from [A-Z].*: it must be (the CSV|JSON) .*\.\n$/);
      }
    });

    it(`says that a cut export of ${vendor} was cut`, async () => {
      const whole = await golden(each.files[0] ?? '');
      const step = rounds(97, 7);
      for (let length = Math.floor(whole.length / 3); length < whole.length - 20; length += step) {
        const part = whole.subarray(0, length);
        if (isWholeRows(part.toString())) continue;
        expect(await refusal(each, part), `${length} bytes`).to.match(/^The file ends in the middle of .*\.\n$/);
      }
    });

    it(`says that an export of ${vendor} in another encoding is not UTF-8`, async () => {
      const text = (await golden(each.files[0] ?? '')).toString('utf8');
      for (const mark of ['\uFEFF', '']) {
        const wide = Buffer.from(mark + text, 'utf16le');
        expect(await refusal(each, wide)).to.equal('The file is UTF-16: save it as UTF-8.\n');
        expect(await refusal(each, wide.swap16())).to.equal('The file is UTF-16: save it as UTF-8.\n');
      }
      expect(await refusal(each, gzipSync(text))).to.equal('The file is not UTF-8: save it as UTF-8.\n');
      const latin = Buffer.from(text.replaceAll('Ada', 'Zoë').replaceAll('2', 'é'), 'latin1');
      expect(await refusal(each, latin)).to.equal('The file is not UTF-8: save it as UTF-8.\n');
    });

    it(`says that an empty file is empty, and that other texts are not from ${vendor}`, async () => {
      for (const text of ['', ' \n', '\uFEFF']) {
        expect(await refusal(each, text)).to.equal('The file is empty.\n');
      }
      for (const text of ['{"errors":[{"title":"Unauthorized"}]}', '<html></html>', 'a,b\n1,2\n', '[{}]', '"x"']) {
        expect(await refusal(each, text), text).to.match(/^The file is not (from|JSON) .*\.\n$/);
      }
    });
  }

  it('names the file if there are several', async () => {
    const words = [
      'entitlement',
      'import',
      '--from',
      'polar',
      '--products',
      'polar.products.json',
      'polar.json',
      'other',
    ];
    const cli = new TestCommandLine();
    const { exitCode, stderr } = await cli.run(words, '', goldenFiles({ other: 'x' }));
    expect([exitCode, stderr]).to.deep.equal([
      2,
      'File 2 is not from Polar: it must be JSON pages of its license keys.\n',
    ]);
    const { stderr: missing } = await cli.run(words, '', goldenFiles());
    expect(missing).to.equal('File 2 must exist and be readable.\n');
  });

  it('takes a byte order mark, rows that end with CRLF, rows of empty cells, other separators, pages behind each other and records on lines of their own', async () => {
    const [gumroad, , polar] = vendorExports;
    if (gumroad === undefined || polar === undefined) throw new Error('the golden files are missing');
    const csv = (await golden('gumroad.csv')).toString('utf8');
    const page = JSON.parse((await golden('polar.json')).toString('utf8')) as { items: readonly unknown[] };
    const same = [
      [gumroad, `\uFEFF${csv.replaceAll('\n', '\r\n')}`],
      [gumroad, `sep=;\r\n;;\r\n${await separatedBy(';', csv)} ;""\r\n`],
      [gumroad, await separatedBy('\t', csv)],
      [
        polar,
        `\uFEFF${JSON.stringify({ ...page, items: page.items.slice(0, 3) })}${JSON.stringify({ items: page.items.slice(3) })}`,
      ],
      [polar, page.items.map((item) => JSON.stringify(item)).join('\n')],
      [polar, JSON.stringify(page.items)],
    ] as const;
    for (const [each, text] of same) {
      const words = [...importWords({ ...each, files: ['given'] }), '--print'];
      const { exitCode, stdout } = await new TestCommandLine().run(words, '', goldenFiles({ given: text }));
      expect([exitCode, stdout]).to.deep.equal([0, (await golden(`${each.vendor}.lines.ndjson`)).toString('utf8')]);
    }
  });
});

/** A CSV as spreadsheets with another separator write it. */
async function separatedBy(separator: string, csv: string): Promise<string> {
  const records = await Array.fromAsync(csvRecords(Readable.from([Buffer.from(csv)])));
  const rows = records.map(({ text }) => cellsOf(text ?? '', ',').map((cell) => `"${cell.replaceAll('"', '""')}"`));
  return rows.map((cells) => `${cells.join(separator)}\r\n`).join('');
}

/** Imports a file, expects that nothing is done, and gives the message. */
async function refusal(each: Parameters<typeof importWords>[0], content: string | Uint8Array): Promise<string> {
  const cli = new TestCommandLine();
  const words = [...importWords({ ...each, files: ['given'] }), '--dry-run'];
  const { exitCode, stdout, stderr } = await cli.run(words, '', goldenFiles({ given: content }));
  expect([exitCode, stdout, cli.opened, [...cli.files]]).to.deep.equal([2, '', [], []]);
  return stderr;
}

/** Whether a part of a CSV ends with a row, of which nobody can see that others are missing. */
function isWholeRows(part: string): boolean {
  return part.startsWith('[') || part.startsWith('{') ? false : /\n$|,(?:Card|[\d: -]*),*"?$/.test(part);
}
