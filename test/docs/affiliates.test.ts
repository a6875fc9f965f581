import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { runCommands } from '../support/documents/in-process.ts';
import { readMarkdown } from '../support/documents/markdown.ts';
import { isLeftOut } from '../support/run/left-out.ts';

type ViaOf = (
  request: { readonly url: string; readonly headers: { readonly cookie?: string } },
  response: { readonly setHeader: (name: string, value: string) => void },
) => object;

/** Requests of visitors, the metadata of their checkouts, and what their browsers keep. */
const visits = [
  { query: '', cookie: null, metadata: {}, kept: [] },
  {
    query: '?via=ada_sketchpad',
    cookie: null,
    metadata: { latchkey_via: 'ada_sketchpad' },
    kept: ['via=ada_sketchpad'],
  },
  { query: '', cookie: 'via=ada_sketchpad', metadata: { latchkey_via: 'ada_sketchpad' }, kept: [] },
  { query: '?via=bob', cookie: 'via=ada_sketchpad', metadata: { latchkey_via: 'bob' }, kept: ['via=bob'] },
  { query: '?via=a;b', cookie: 'via=bob', metadata: { latchkey_via: 'bob' }, kept: [] },
  { query: '', cookie: 'via=<b>', metadata: {}, kept: [] },
  { query: '?via=%22%3E%3Cscript', cookie: null, metadata: {}, kept: [] },
] as const;

describe('docs/affiliates.md', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leads from a listing to a live promotion, and to other terms', async () => {
    const document = await readMarkdown('docs/affiliates.md');
    const [listing = ''] = document.codeBlocks('jsonl');
    const [begin = '', , terms = ''] = document.codeBlocks('sh');
    await writeFile(join(folder, 'sketchpad.json'), listing);
    const env = { ...process.env, STORE_URL: `sqlite:${join(folder, 'latchkey.db')}` };
    const run = (script: string): Promise<string> => runCommands(script, { env, cwd: folder });
    const lines = begin.trim().split('\n');
    for (const line of lines.slice(0, -1)) await run(line);
    const listed = async (): Promise<readonly string[] | undefined> =>
      (await run(lines.at(-1) ?? '')).split('\n')[1]?.split(/ {2,}/);
    expect(await listed()).to.deep.equal(['ada', 'sketchpad', 'sketchpad', 'live', '30', '12', '30', 'ada20']);
    await run(terms);
    expect(await listed()).to.deep.equal(['ada', 'sketchpad', 'sketchpad', 'live', '40', 'lifetime', '14', 'ada20']);
    const [, , , sales = '', put = ''] = document.codeBlocks('sh');
    // Terms count from strictly before a payment, whose instant the document has in whole seconds.
    await run(put.replace(/\$\(date .*?\)/, new Date().toISOString()));
    for (const line of sales.trim().split('\n')) await run(line.replace('sub_1', 'gumroad_1'));
    expect((await run('./latchkey sale list')).split('\n')[1]).to.match(
      /^gumroad_1 +sale_[\w-]+ +sketchpad +ada +put .* 1960 /,
    );
  });

  it('remembers who has led a visitor to a site in Node, and names it to the checkout', async () => {
    const [sample = ''] = (await readMarkdown('docs/affiliates.md')).codeBlocks('js');
    const file = join(folder, 'via.mjs');
    await writeFile(file, sample);
    const { viaOf } = (await import(pathToFileURL(file).href)) as { readonly viaOf: ViaOf };
    for (const { query, cookie, metadata, kept } of visits) {
      const set: string[] = [];
      const request = { url: `/buy${query}`, headers: cookie === null ? {} : { cookie } };
      const found = viaOf(request, { setHeader: (_name, value) => set.push(value) });
      expect([found, set.map((line) => line.split(';')[0])]).to.deep.equal([metadata, kept]);
    }
  });

  if (!isLeftOut('php'))
    it('does the same in PHP', async () => {
      const [sample = ''] = (await readMarkdown('docs/affiliates.md')).codeBlocks('php');
      for (const { query, cookie, metadata, kept } of visits) {
        const set = `parse_str(${JSON.stringify(query.slice(1))}, $_GET); parse_str(${JSON.stringify(cookie ?? '')}, $_COOKIE);`;
        const told = 'function told($n, $v, $o) { global $set; $set[] = "$n=$v"; } $set = [];';
        const code = `${told} ${set} ${sample.replace('setcookie(', 'told(')} echo json_encode([(object) via_of(), $set]);`;
        const { stdout, stderr } = spawnSync('php', ['-r', code], { encoding: 'utf8' });
        expect(stderr).to.equal('');
        expect(JSON.parse(stdout)).to.deep.equal([metadata, kept]);
      }
    });
});
