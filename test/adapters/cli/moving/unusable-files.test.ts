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

/** Records of services that the import does not know, with the names that their documents have for them. */
const foreignRecords: readonly object[] = [
  // A license key, a subscription and a delivery of Dodo Payments.
  {
    id: 'lic_1',
    business_id: 'bus_1',
    product_id: 'pdt_1',
    payment_id: 'pay_1',
    key: '11111111-aaaa-4bbb-8ccc-0000000009d0',
    status: 'active',
    activations_limit: 5,
    instances_count: 0,
    expires_at: null,
    created_at: '2025-02-01T10:00:00Z',
  },
  { subscription_id: 'sub_1', product_id: 'pdt_1', status: 'active', next_billing_date: '2025-02-01T10:00:00Z' },
  {
    business_id: 'bus_1',
    type: 'license_key.created',
    data: { payload_type: 'LicenseKey', id: 'lic_1', key: 'x', status: 'active' },
  },
  // A subscription of Creem and one of Recurly, which are called as those of Stripe.
  {
    id: 'sub_1',
    object: 'subscription',
    mode: 'prod',
    status: 'active',
    items: [{ id: 'sitem_1' }],
    current_period_end_date: '2098-01-01T00:00:00Z',
  },
  {
    id: 'sub_1',
    object: 'subscription',
    state: 'active',
    plan: { id: 'p', object: 'plan_mini' },
    current_period_ends_at: '2098-01-01',
  },
  // A subscription of Paddle, a license of Freemius, and the answers of the license APIs of Lemon Squeezy and Gumroad.
  {
    id: 'sub_1',
    status: 'active',
    customer_id: 'ctm_1',
    current_billing_period: { ends_at: '2098-01-01T00:00:00Z' },
    items: [{ id: 'sitem_1' }],
  },
  { id: '1', plugin_id: '2', plan_id: '3', secret_key: 'sk_x', expiration: null, is_cancelled: false },
  { valid: true, license_key: { id: 1, status: 'active', key: 'x', activation_limit: 1, activation_usage: 0 } },
  { success: true, uses: 1, purchase: { product_id: 'p', license_key: 'x' } },
  // Other documents in the form of JSON:API.
  { type: 'subscriptions', id: '1', attributes: { status: 'active', plan_name: 'Pro' } },
  { type: 'license-keys', id: '1', attributes: { value: 'x' } },
];

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

    it(`says that what other services have under similar names is not from ${vendor}`, async () => {
      for (const foreign of foreignRecords) {
        for (const text of [JSON.stringify({ data: [foreign] }), JSON.stringify(foreign)]) {
          expect(await refusal(each, text), text).to.match(/^The file is not from [A-Z].*: it must be .*\.\n$/);
        }
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
