import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMarkdown } from '../support/documents/markdown.ts';
import { runScript } from '../support/documents/shell.ts';
import { programPath } from '../support/processes/command-process.ts';

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
    const run = (script: string): Promise<string> =>
      runScript(script.replaceAll('./latchkey', `'${process.execPath}' '${programPath}'`), { env, cwd: folder });
    const lines = begin.trim().split('\n');
    for (const line of lines.slice(0, -1)) await run(line);
    const listed = async (): Promise<readonly string[] | undefined> =>
      (await run(lines.at(-1) ?? '')).split('\n')[1]?.split(/ {2,}/);
    expect(await listed()).to.deep.equal(['ada', 'sketchpad', 'sketchpad', 'live', '30', '12', '30', 'ada20']);
    await run(terms);
    expect(await listed()).to.deep.equal(['ada', 'sketchpad', 'sketchpad', 'live', '40', 'lifetime', '14', 'ada20']);
  });
});
