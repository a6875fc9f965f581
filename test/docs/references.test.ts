import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { expect } from 'chai';
import { fileOf, root } from '../../docs/generate/repository.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/*.md', 'gates/*.md'], { cwd: root });

describe('the documents', () => {
  for (const document of documents) {
    it(`name only files that exist, in ${document}`, async () => {
      const { codeSpans } = await readMarkdown(document);
      expect(codeSpans.filter((span) => isPath(span) && globSync(span, { cwd: root }).length === 0)).to.deep.equal([]);
    });

    it(`link only to what exists, in ${document}`, async () => {
      const { links } = await readMarkdown(document);
      const broken: string[] = [];
      for (const link of links) {
        if (!URL.canParse(link) && !(await isTarget(document, link))) broken.push(link);
      }
      expect(broken).to.deep.equal([]);
    });

    it(`have every section in the table of contents, in its order, in ${document}`, async () => {
      const { contents, sections } = await readMarkdown(document);
      const anchors = sections.map((section) => `#${anchorOf(section)}`);
      const listed = contents.filter((target) => anchors.includes(target));
      expect(listed).to.deep.equal(contents.length === 0 ? [] : anchors);
    });
  }

  it('are all in the index of the documentation, to which the README leads', async () => {
    const { links } = await readMarkdown('docs/README.md');
    const indexed = links.map((link) => posix.join('docs', link.split('#')[0] ?? ''));
    const pages = documents.filter((document) => document.startsWith('docs/') && document !== 'docs/README.md');
    expect(pages.filter((page) => !indexed.includes(page))).to.deep.equal([]);
    expect((await readMarkdown('README.md')).links).to.include('docs/README.md');
  });

  it('have at most 30,000 characters a page, but the decisions and the error codes', async () => {
    const pages = documents.filter((document) => document.startsWith('docs/') && !mayBeLong.has(document));
    const sizes = await Promise.all(pages.map(async (page) => (await readFile(fileOf(page), 'utf8')).length));
    expect(pages.filter((_, position) => (sizes[position] ?? 0) > 30_000)).to.deep.equal([]);
  });

  it('answer the seventeen questions of the map in files that exist', async () => {
    const map = (await readMarkdown('CONTRIBUTING.md')).table('question');
    expect(map).to.have.length(17);
    expect(map.filter(([, file = '']) => globSync(file, { cwd: root }).length === 0)).to.deep.equal([]);
  });

  it('have every section of the specification that is cited', async () => {
    const { headings, paragraphs } = await readMarkdown('docs/reference/specification.md');
    const sections = [...headings, ...paragraphs].flatMap((text) => /^\d(?:\.\d+)?/.exec(text) ?? []);
    const cited = await citedSections();
    expect(cited).to.include.members(['2.1', '5', '7.3', '9.4']);
    expect(sections).to.include.members([...cited]);
  });
});

/** Pages in which nobody reads from the beginning to the end. */
const mayBeLong: ReadonlySet<string> = new Set(['docs/reference/decisions.md', 'docs/reference/errors.md']);

/** A code span that names a file or a folder of the repository, and not a form such as `core/<subject>/`. */
function isPath(span: string): boolean {
  return /^(?:(?:core|adapters|app|bench|docs|test|client|testing|examples|\.ci)\/|[\w.-]+\.(?:md|json|yaml|ts)$)[^\s<]*$/.test(
    span,
  );
}

/** Whether a relative link leads to a file and, where it has a fragment, to a heading. */
async function isTarget(document: string, link: string): Promise<boolean> {
  const [path = '', fragment] = link.split('#');
  const file = path === '' ? document : posix.join(posix.dirname(document), path);
  if (globSync(file, { cwd: root }).length === 0) return false;
  return fragment === undefined || (await readMarkdown(file)).headings.map(anchorOf).includes(fragment);
}

/** The fragment that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Sections of the specification that sources and documents name, such as "specification 2.5" and "4.1 to 4.4". */
async function citedSections(): Promise<readonly string[]> {
  const files = globSync(['*.md', 'docs/**/*.md', '{core,adapters,app,test}/**/*.ts'], { cwd: root });
  const texts = await Promise.all(files.map((file) => readFile(fileOf(file), 'utf8')));
  const citations = texts.flatMap(
    (text) => text.match(/\b(?:specification,? (?:section )?|section )\d(?:\.\d+)?(?:(?:, | to )\d\.\d+)*/gi) ?? [],
  );
  return [...new Set(citations.flatMap((citation) => citation.match(/\d(?:\.\d+)?/g) ?? []))];
}
