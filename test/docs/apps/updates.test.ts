import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMarkdown } from '../../support/documents/markdown.ts';
import { runModule } from '../../support/documents/run-module.ts';

describe('docs/updates.md', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('shows a program that chooses the release of a license among three', async () => {
    const document = await readMarkdown('docs/updates.md');
    const [releases = ''] = document.codeBlocks('json');
    const [program = ''] = document.codeBlocks('js');
    await writeFile(join(folder, 'releases.json'), releases);
    const printed = async (entitlement: object): Promise<string> => {
      await writeFile(join(folder, 'check.json'), JSON.stringify({ entitlement }));
      return runModule(program, { cwd: folder });
    };
    expect(await printed({ updatesUntil: '2027-03-01T00:00:00.000Z' })).to.equal(
      'Update from https://dl.example/2.2.0/\n3.0.0 needs a renewal; 2.2.0 is yours.\n',
    );
    expect(await printed({ updatesUntil: '2025-01-01T00:00:00.000Z' })).to.equal(
      '2.1.0 needs a renewal; no version is yours.\n',
    );
    expect(await printed({})).to.equal('Update from https://dl.example/3.0.0/\n');
  });
});
