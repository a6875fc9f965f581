import { expect } from 'chai';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { aListing, everyPageMember } from '../../../support/builders.ts';
import { TestCommandLine, TextSink } from '../../../support/cli/command-line.ts';
import { InjectedFault } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { thrownBy } from '../../../support/thrown.ts';

const header = 'slug,name,blurb,category,commissionPercent,compensationType,compensationLabel,storefrontCount,featured';

describe('listing import of CSV', () => {
  let line: TestCommandLine;
  beforeEach(() => {
    line = new TestCommandLine();
  });

  it('imports CSV with a header, by the name of the file or by --format', async () => {
    const rows = [
      `\u{FEFF}${header}`,
      'one,"One, or ""1""","two\nlines",A,12.5,both,x,3,TRUE',
      '',
      'two,Two,,B,1,upfront,x,0,',
      'three,Three,x,B,many,both,x,3,no',
      'four,Four',
      'five,"Five" times,x,B,1,both,x,3,false',
    ].join('\r\n');
    const { exitCode, stdout } = await line.run(['listing', 'import', 'catalog.CSV', '--json'], rows);
    const errors = [
      {
        line: 6,
        code: 'invalid_line',
        error: 'commissionPercent must be a number from 0 to 100. featured must be true or false.',
      },
      { line: 7, code: 'invalid_line', error: 'The line must have as many cells as the first line.' },
    ];
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([1, { imported: 3, failed: 2, errors }]);
    const again = await line.json('listing import - --format csv', rows.split('\r\n').slice(0, 2).join('\n'));
    expect(again).to.deep.equal({ imported: 1, failed: 0, errors: [] });
    const [, one, two] = (await listed()) as [Listing, Listing, Listing];
    expect([one.name, one.blurb, one.featured]).to.deep.equal(['One, or "1"', 'two\nlines', true]);
    expect([two.blurb, two.commissionPercent, two.featured]).to.deep.equal(['', 1, false]);
  });

  async function importCsv(rows: readonly string[]): Promise<{ imported: number; failed: number; errors: unknown }> {
    const { stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], [header, ...rows].join('\r\n'));
    return JSON.parse(stdout) as { imported: number; failed: number; errors: unknown };
  }

  it('removes the URLs of a listing whose line has no cell for them, or an empty one', async () => {
    const urls = { url: 'https://one.example', imageUrl: 'https://one.example/1.png' };
    const withUrls = [`${header},url,imageUrl`, `${row('one')},${urls.url},${urls.imageUrl}`].join('\n');
    for (const without of [`${header}\n${row('one')}`, `${header},imageUrl,url\n${row('one')},,`]) {
      await line.json('listing import - --format csv', withUrls);
      expect((await listed())[0]).to.include(urls);
      await line.json('listing import - --format csv', without);
      expect((await listed())[0]).to.include({ url: null, imageUrl: null });
    }
  });

  it('reports misspelt columns with the nearest, and reads no row', async () => {
    const text = [header.replace('name', 'Name').replace('featured', 'notes,featurd'), row('one')].join('\n');
    const { exitCode, stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], text);
    const error = '"Name" is unknown; did you mean name? "featurd" is unknown; did you mean featured? No row was read.';
    const errors = [{ line: 1, code: 'invalid_line', error }];
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([1, { imported: 0, failed: 1, errors }]);
  });

  it('skips rows of empty cells, as spreadsheets write rows that were emptied', async () => {
    const empty = header.replaceAll(/\w+/g, '');
    const quoted = header.replaceAll(/\w+/g, '""');
    const text = [empty, header, row('one'), empty, ` ,${empty.slice(1)}`, quoted, ',', row('two'), `${empty},,`];
    const { exitCode, stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], text.join('\r\n'));
    expect([exitCode, JSON.parse(stdout)]).to.deep.equal([0, { imported: 2, failed: 0, errors: [] }]);
  });

  it('ignores empty cells behind the last column, and no others', async () => {
    const { imported, errors } = await importCsv([`${row('one')},, `, `${row('two')},,x`]);
    const error = 'The line must have as many cells as the first line.';
    expect([imported, errors]).to.deep.equal([1, [{ line: 3, code: 'invalid_line', error }]]);
  });

  it('reads semicolons and tabs as spreadsheets of other countries and their clipboards have them', async () => {
    for (const separator of [';', '\t']) {
      const rows = [header, row('one', '"a;b\tc"'), row('two').replace(',1,', ',12|5,')];
      const text = rows.map((each) => each.replaceAll(',', separator).replace('|', ',')).join('\r\n');
      const { stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], text);
      const errors = [{ line: 3, code: 'invalid_line', error: 'commissionPercent must be a number from 0 to 100.' }];
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 1, errors });
      expect((await listed())[0]).to.include({ slug: 'one', blurb: 'a;b\tc' });
    }
  });

  it('reads no row if the first line names no column', async () => {
    const error =
      'The first line must name the columns, such as slug, with commas, semicolons or tabs between them. No row was read.';
    for (const first of [header.replaceAll(',', '|'), row('one'), 'Kennung;Bezeichnung']) {
      const { stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], `${first}\n${row('one')}`);
      const errors = [{ line: 1, code: 'invalid_line', error }];
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 0, failed: 1, errors });
    }
  });

  it('refuses more than 1,000 columns, whose names take too long to compare', async () => {
    const outcomes: unknown[] = [];
    for (const more of [1000, 1001].map((columns) => columns - header.split(',').length)) {
      const text = `${header}${',x'.repeat(more)}\n`;
      const { stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], text);
      outcomes.push(JSON.parse(stdout));
    }
    const errors = [{ line: 1, code: 'invalid_line', error: 'The first line must have at most 1000 cells.' }];
    expect(outcomes).to.deep.equal([
      { imported: 0, failed: 0, errors: [] },
      { imported: 0, failed: 1, errors },
    ]);
  });

  it('ignores columns that are far from every other, and empty ones', async () => {
    const text = [`${header},notes,`, `${row('one')},x,`].join('\n');
    const { stdout } = await line.run(['listing', 'import', 'catalog.csv', '--json'], text);
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 0, errors: [] });
  });

  it('reports a CSV row that is too long once, and imports the rows after it', async () => {
    const good = range(300).map((number) => row(`s-${number}`));
    const long = [row('long', 'y'.repeat(70_000)), row('quoted', `"${'y\r\n'.repeat(40_000)}"`)];
    const result = await importCsv([
      ...good.slice(0, 100),
      long[0] ?? '',
      ...good.slice(100, 200),
      long[1] ?? '',
      ...good.slice(200),
    ]);
    const error = 'The line must be UTF-8 and at most 64 KiB long.';
    expect(result).to.deep.equal({
      imported: 300,
      failed: 2,
      errors: [
        { line: 102, code: 'invalid_line', error },
        { line: 203, code: 'invalid_line', error: `${error} The row ends on line 40203.` },
      ],
    });
  });

  it('numbers the lines of CSV right after cells with line breaks of every kind', async () => {
    const { errors } = await importCsv([
      row('one', '"a\r\nb\r\nc"'),
      row('two', '"a\nb"'),
      'three',
      row('four', '"a\rb"'),
      'five,"\r\n"',
      'six',
    ]);
    const error = 'The line must have as many cells as the first line.';
    expect(errors).to.deep.equal([
      { line: 7, code: 'invalid_line', error },
      { line: 10, code: 'invalid_line', error: `${error} The row ends on line 11.` },
      { line: 12, code: 'invalid_line', error },
    ]);
  });

  it('names the rows that a quote without an end takes with it', async () => {
    const { imported, errors } = await importCsv([row('one'), row('two', '"a'), row('three'), row('four')]);
    const error = 'A quote that opens a cell must be closed. The row ends on line 5.';
    expect([imported, errors]).to.deep.equal([1, [{ line: 3, code: 'invalid_line', error }]]);
  });

  it('imports CSV with a replacement character, and reports bytes that are not UTF-8', async () => {
    const text = Buffer.from([header, row('one', 'a\uFFFDb'), row('two', 'a?b'), row('three')].join('\n'));
    text[text.indexOf('?')] = 0xff;
    const { stdout } = await line.run(['listing', 'import', '-', '--format', 'csv', '--json'], text);
    const errors = [{ line: 3, code: 'invalid_line', error: 'The line must be UTF-8 and at most 64 KiB long.' }];
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 2, failed: 1, errors });
    expect((await listed())[0]?.blurb).to.equal('a\uFFFDb');
  });

  it('reports what was imported before reading a CSV file failed', async () => {
    const stdout = new TextSink();
    const run = line.run(['listing', 'import', '-', '--format', 'csv', '--json'], '', { stdin: brokenCsv(), stdout });
    expect(await thrownBy(run)).to.be.instanceOf(InjectedFault);
    expect(JSON.parse(stdout.text)).to.deep.equal({ imported: 1000, failed: 0, errors: [] });
  });

  it('exports what an import reads, in both formats, without formulas', async () => {
    const names = [
      'a;=1',
      'b|@c',
      'd; - e',
      '\uFEFF=1',
      '\u200B-1',
      '=1+1',
      '+1',
      '-1',
      '@a',
      "'quoted",
      'a "b", c',
      '🚀',
      "'=1+1",
      "''-5",
      '\uFFFD',
    ];
    await line.json('product add --id prod_1 --name One');
    const listings = names.map((name, number) =>
      aListing({
        id: `lst_${number}`,
        slug: `s-${number}`,
        name,
        blurb: `${name}\nx\r\ny\rz`,
        state: 'draft',
        upfrontCents: 7,
        ...(number % 3 === 0 && { saleUrl: 'https://buy.example/?a=1,2', holdDays: number, productId: 'prod_1' }),
        ...(number % 12 === 3 && { affiliates: 'open' as const }),
        ...(number % 2 === 0 && { ...everyPageMember, description: `${name}\n- x\r\n\n## ${name}`, maker: name }),
        commissionFor: ([null, 'first_payment', 'lifetime', 7] as const)[number % 4] ?? null,
      }),
    );
    await line.run(['listing', 'import', '-'], listings.map((listing) => JSON.stringify(listing)).join('\n'));
    const before = await listed();
    for (const format of ['ndjson', 'csv']) {
      const { stdout } = await line.run(['listing', 'export', '--format', format]);
      if (format === 'csv') expect(stdout).not.to.match(/(^|,)"?[=+@-]/m);
      const other = new TestCommandLine();
      await other.json('product add --id prod_1 --name One');
      await other.json(`listing import - --format ${format}`, stdout);
      expect(await other.json('listing list')).to.deep.equal(before);
    }
  });

  async function listed(): Promise<readonly Listing[]> {
    return (await line.json('listing list')) as readonly Listing[];
  }
});

function row(slug: string, blurb = 'x'): string {
  return `${slug},S,${blurb},A,1,both,x,0,false`;
}

/** A file that cannot be read to its end. */
async function* brokenCsv(): AsyncIterable<Uint8Array> {
  yield Buffer.from([header, ...range(1500).map((number) => row(`s-${number}`))].join('\n'));
  throw new InjectedFault();
}
