import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parts } from '../../bench/parts/parts.ts';
import { blocksOf, readResults } from '../../bench/report/results.ts';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { fileOf } from '../../docs/generate/repository.ts';

describe('the document of the benchmarks', () => {
  it('shows the figures of the results file: `npm run bench -- --draw` writes them', async () => {
    const document = await readFile(fileOf('bench/README.md'), 'utf8');
    const blocks = blocksOf(parts, await readResults());
    expect(Object.keys(blocks)).to.have.members(parts.map(({ name }) => name));
    expect(withBlocks(document, blocks)).to.equal(document);
  });
});
