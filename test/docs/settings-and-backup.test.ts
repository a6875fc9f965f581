import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommands } from '../support/documents/in-process.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

describe('docs/settings.md and docs/backup.md', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('shows a settings file that can be used', async () => {
    const [example = ''] = (await readMarkdown('docs/settings.md')).codeBlocks('json');
    await writeFile(join(folder, 'latchkey.json'), example);
    const settings: readonly Setting[] = JSON.parse(
      await runAll('./latchkey config print --config latchkey.json --json'),
    );
    const fromFile = settings
      .filter(({ source }) => source === 'latchkey.json')
      .map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(fromFile)).to.deep.equal(JSON.parse(example));
  });

  it('has commands that restore a backup', async () => {
    const [backup = '', restore = ''] = (await readMarkdown('docs/backup.md')).codeBlocks('sh');
    await runAll('./latchkey product add --id kept --name Kept');
    await runAll(backup);
    await runAll('./latchkey product add --id lost --name Lost');
    await runAll(restore);
    expect(JSON.parse(await runAll('./latchkey product list --json'))).to.have.length(1);
  });

  /** Runs a script in an empty folder. */
  function runAll(script: string): Promise<string> {
    const { STORE_URL: _, ...env } = process.env;
    return runCommands(script, { env, cwd: folder });
  }
});
