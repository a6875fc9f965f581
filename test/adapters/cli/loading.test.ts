import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startNode } from '../../support/processes/node-process.ts';

const program = fileURLToPath(new URL('../../support/processes/print-loaded-modules.ts', import.meta.url));

describe('what a command loads', () => {
  for (const line of ['--help', '--version']) {
    it(`is no group of commands for ${line}`, async () => {
      expect(
        (await loadedBy(line)).filter((url) => /\/cli\/(run|import|batch)\/|string-width/.test(url)),
      ).to.deep.equal([]);
    });
  }

  it('is its own group, and nothing for imports, progress bars or wide characters', async () => {
    const loaded = await loadedBy('product list');
    const groups = loaded.filter((url) => /\/(cli|administration)\/commands\/(?!server)/.test(url));
    expect(groups.map((url) => url.split('/').at(-1))).to.have.members(['command-group.ts', 'product-commands.ts']);
    expect(loaded.filter((url) => /\/cli\/import\/|ajv|csv|progress|string-width/.test(url))).to.deep.equal([]);
  });
});

async function loadedBy(line: string): Promise<readonly string[]> {
  const child = startNode([program, ...line.split(' ')]);
  const [urls, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (errors !== '') throw new Error(errors);
  return JSON.parse(urls) as readonly string[];
}
