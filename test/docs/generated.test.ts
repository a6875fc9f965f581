import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { documents } from '../../docs/generate/documents.ts';
import { withBlocks } from '../../docs/generate/marked-block.ts';
import { fileOf } from '../../docs/generate/repository.ts';
import { expectSameLines } from '../support/documents/line-diff.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

const asItIs = async (text: string): Promise<string> => text;

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json || 'null'), null, 2);
}

describe('the generated texts', () => {
  for (const [path, write] of documents) {
    it(`of ${path} are those of the code`, async () => {
      const committed = await readFile(fileOf(path), 'utf8').catch(() => '');
      const outOfDate = `${path} is out of date. Run: npm run docs`;
      // `npm run lint` checks the form of JSON, which costs more than to write it.
      if (path.endsWith('.json')) expectSameLines(indented(committed), indented(await write(path, asItIs)), outOfDate);
      else expectSameLines(committed, await write(path), outOfDate);
    });
  }

  it('replace what is between their markers, and nothing else', () => {
    const document = 'before\n<!-- a -->\nold\nlines\n<!-- /a -->\nafter\n';
    expect(withBlocks(document, { a: 'new' })).to.equal('before\n<!-- a -->\nnew\n<!-- /a -->\nafter\n');
    expect(() => withBlocks(document, { b: 'new' })).to.throw('The document has no lines <!-- b --> and <!-- /b -->.');
  });

  it('name the statuses of every operation, as the OpenAPI document does', async () => {
    const document = await readMarkdown('docs/api.md');
    const shared = document.paragraphs.find((text) => text.startsWith('Any operation may also answer')) ?? '';
    const named = document.table('operation').map(([operation, , own]) => [operation, statusesIn(`${own} ${shared}`)]);
    const text = await readFile(fileOf('docs/openapi-2026-07-18.json'), 'utf8');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { responses: object }>> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path}`,
        Object.keys(responses).toSorted(),
      ]),
    );
    expect(named).to.deep.equal(documented);
  });
});

describe('the comparison of texts', () => {
  const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);

  it('is silent about texts that are equal', () => {
    expectSameLines(text.join('\n'), text.join('\n'), 'differs');
  });

  it('shows the lines that differ, and the two around each', () => {
    const expected = text.with(9, 'another').toSpliced(99, 1);
    expect(() => expectSameLines(text.join('\n'), expected.join('\n'), 'differs')).to.throw(
      'differs\n@@ 8 @@\n line 8\n line 9\n-line 10\n+another\n line 11\n line 12\n@@ 98 @@\n line 98\n line 99\n-line 100\n line 101\n line 102',
    );
  });

  it('cuts a long difference', () => {
    const expected = text.map((line) => `${line}!`);
    expect(() => expectSameLines(text.join('\n'), expected.join('\n'), 'differs')).to.throw(/… and \d+ more lines$/);
  });
});

/** The three-digit numbers of a text, in order. */
function statusesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\b\d{3}\b/g))].toSorted();
}
