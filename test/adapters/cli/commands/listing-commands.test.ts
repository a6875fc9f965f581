import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import type { Listing } from '../../../../core/catalog/listing.ts';
import { noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { jsonError, TestCommandLine } from '../../../support/processes/command-line.ts';

const required = {
  slug: 'quiet-editor',
  name: 'Quiet Editor',
  blurb: 'Stays out of the way',
  category: 'Writing',
  commissionPercent: 12.5,
  compensationType: 'both',
  compensationLabel: '12.5 %',
  storefrontCount: 3,
};

describe('latchkey listing', () => {
  let line: TestCommandLine;
  beforeEach(() => {
    line = new TestCommandLine();
  });

  it('imports a listing with defaults for optional members, creating the store', async () => {
    const result = await line.json('listing import -', JSON.stringify(required));
    expect(result).to.deep.equal({ imported: 1, failed: 0, errors: [] });
    const [{ id, ...rest }] = (await listed()) as [Listing];
    expect(id).to.match(/^lst_\w{22}$/);
    const defaults = { featured: false, state: 'live', publishedAt: noon.toISOString(), upfrontCents: 0 };
    expect(rest).to.deep.equal({ ...required, ...defaults });
    expect(line.opened[0]).to.deep.equal({ url: 'sqlite:data/latchkey.db', create: true });
    expect(line.changes).to.deep.equal([{ command: 'listing import', listings: 1 }]);
  });

  it('replaces a listing by its slug, and keeps the id', async () => {
    await line.json('listing import -', JSON.stringify({ ...required, id: 'lst_1', featured: true, state: 'paused' }));
    await line.json('listing import -', JSON.stringify({ ...required, id: 'lst_2', name: 'Renamed' }));
    const [{ id, name, featured, state }] = (await listed()) as [Listing];
    expect([id, name, featured, state]).to.deep.equal(['lst_1', 'Renamed', false, 'live']);
  });

  it('reports each bad line, imports the others, and exits with 1', async () => {
    const { name: _, ...nameless } = required;
    const lines = [
      required,
      { ...required, slug: 'a b' },
      nameless,
      { ...required, commissionPercent: '20' },
      { ...required, commissionPercent: 100.1 },
      { ...required, compensationType: 'Both' },
      { ...required, storefrontCount: 1.5 },
      { ...required, publishedAt: '2026-02-30T00:00:00Z' },
      { ...required, state: 'gone' },
      { ...required, name: ' ' },
      { ...required, blurb: 'x'.repeat(2001) },
      [],
    ].map((value) => JSON.stringify(value));
    const text = [...lines, '{', '', JSON.stringify({ ...required, slug: 'other', id: 'i', unknown: 1 })].join('\r\n');
    const twice = `${text}\n${JSON.stringify({ ...required, slug: 'thief', id: 'i' })}\n`;
    const { exitCode, stdout, stderr } = await line.run(['listing', 'import', '-', '--json'], twice);
    expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '13 of 15 lines were bad.')]);
    const anObject = 'The line must be a JSON object.';
    const errors = [
      [2, 'slug must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".'],
      [3, 'name is missing.'],
      [4, 'commissionPercent must be a number from 0 to 100.'],
      [5, 'commissionPercent must be a number from 0 to 100.'],
      [6, 'compensationType must be one of commission, upfront, both.'],
      [7, 'storefrontCount must be a whole number, 0 or more.'],
      [8, 'publishedAt must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.'],
      [9, 'state must be one of draft, live, paused.'],
      [10, 'name must be 1 to 200 characters, not blank and without control characters.'],
      [11, 'blurb must be a text of at most 2,000 characters.'],
      [12, anObject],
      [13, anObject],
      [16, 'id must not be that of another listing.'],
    ].map(([number, error]) => {
      const code = number === 16 ? 'listing_exists' : 'invalid_line';
      return { line: number, code, error };
    });
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 2, failed: 13, errors });
    expect((await listed()).map(({ slug }) => slug)).to.deep.equal(['other', 'quiet-editor']);
  });

  it('accepts the same names as a command', async () => {
    const names = [
      'n'.repeat(201),
      'One\u2028Two',
      'One\u2029Two',
      'One\ud800',
      'One\u0007',
      '\u00a0',
      '\u{1F600}'.repeat(200),
    ];
    const lines = names.map((name, index) => JSON.stringify({ ...required, slug: `s${index}`, name }));
    const { stdout } = await line.run(['listing', 'import', '-', '--json'], lines.join('\n'));
    expect(JSON.parse(stdout)).to.include({ imported: 1, failed: 6 });
  });

  it('reports in a dry run what the import then reports, and changes nothing', async () => {
    await line.json('listing import -', JSON.stringify({ ...required, id: 'lst_1' }));
    line.changes.length = 0;
    line.opened.length = 0;
    const before = structuredClone(line.store);
    const text = [
      required,
      {},
      { ...required, slug: 'thief', id: 'lst_1' },
      { ...required, slug: 'other', id: 'lst_2' },
      { ...required, slug: 'another', id: 'lst_2' },
      { ...required, slug: 'other', id: 'lst_1' },
    ]
      .map((each) => JSON.stringify(each))
      .join('\n');
    const tried = await line.run(['listing', 'import', '-', '--dry-run', '--json'], text);
    expect([structuredClone(line.store), line.changes]).to.deep.equal([before, []]);
    expect(line.opened).to.deep.equal([{ url: 'sqlite:data/latchkey.db', create: false, pretend: true }]);
    expect(JSON.parse(tried.stdout)).to.deep.equal({
      imported: 3,
      failed: 3,
      errors: [
        {
          line: 2,
          code: 'invalid_line',
          error: Object.keys(required)
            .map((name) => `${name} is missing.`)
            .join(' '),
        },
        { line: 3, code: 'listing_exists', error: 'id must not be that of another listing.' },
        { line: 5, code: 'listing_exists', error: 'id must not be that of another listing.' },
      ],
    });
    expect(await line.run(['listing', 'import', '-', '--json'], text)).to.deep.equal(tried);
  });

  it('reports lines that are too long or not UTF-8', async () => {
    const good = Buffer.from(`${JSON.stringify(required)}\n`);
    const bytes = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`"${'x'.repeat(200_000)}"\n`), good]);
    const { stdout } = await line.run(['listing', 'import', '-', '--json'], bytes);
    const error = 'The line must be UTF-8 and at most 64 KiB long.';
    const errors = [
      { line: 1, code: 'invalid_line', error },
      { line: 2, code: 'invalid_line', error },
    ];
    expect(JSON.parse(stdout)).to.deep.equal({ imported: 1, failed: 2, errors });
  });

  it('stores the first lines before it has read the last', async () => {
    let stored = 0;
    async function* lines(): AsyncIterable<Uint8Array> {
      for (const number of range(2000)) {
        stored = line.store.listings.size;
        yield Buffer.from(`${JSON.stringify({ ...required, slug: `s-${number}` })}\n`);
      }
    }
    await line.run(['listing', 'import', '-'], '', { stdin: lines() });
    expect(stored).to.be.within(1000, 1999);
  });

  it('shows progress on a terminal, and none in a pipe', async () => {
    const text = JSON.stringify(required);
    for (const isTTY of [true, false]) {
      const shown: string[] = [];
      const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
        shown.push(chunk.toString());
        done();
      };
      const stderr = Object.assign(new Writable({ write }), { isTTY });
      const openFile = async () => ({ size: text.length, content: Readable.from([Buffer.from(text)]) });
      await line.run(['listing', 'import', 'catalog.ndjson'], '', { stderr, openFile });
      expect(shown.join('').includes('100 %')).to.equal(isTTY);
      if (!isTTY) expect(shown).to.deep.equal([]);
    }
  });

  it('pauses and publishes a listing, logs each change, and refuses an unknown listing', async () => {
    await line.json('listing import -', JSON.stringify(required));
    expect(await line.json('listing pause quiet-editor')).to.deep.equal({ slug: 'quiet-editor', state: 'paused' });
    expect((await listed())[0]?.state).to.equal('paused');
    expect(await line.json('listing pause quiet-editor')).to.deep.equal({ slug: 'quiet-editor', state: 'paused' });
    expect(await line.json('listing publish quiet-editor')).to.deep.equal({ slug: 'quiet-editor', state: 'live' });
    expect((await listed())[0]?.state).to.equal('live');
    expect(await line.json('listing publish quiet-editor')).to.deep.equal({ slug: 'quiet-editor', state: 'live' });
    const { exitCode, stderr } = await line.run(['listing', 'pause', 'unknown']);
    expect([exitCode, stderr]).to.deep.equal([1, 'There is no listing with this slug.\n']);
    expect(line.changes.slice(1)).to.deep.equal([
      { command: 'listing pause', slug: 'quiet-editor' },
      { command: 'listing publish', slug: 'quiet-editor' },
    ]);
  });

  async function listed(): Promise<readonly Listing[]> {
    return (await line.json('listing list')) as readonly Listing[];
  }
});
