import { readFile } from 'node:fs/promises';
import type { ParserOptions } from 'prettier';
import { parsers } from 'prettier/plugins/markdown';
import { fileOf } from '../../../docs/generate/repository.ts';

/** A node of the syntax tree, as far as the tests look at it. */
interface MarkdownNode {
  readonly type: string;
  readonly children?: readonly MarkdownNode[];
  /** The text of a code block, a code span or a text. */
  readonly value?: string;
  /** The language of a code block. */
  readonly lang?: string | null;
  /** The target of a link. */
  readonly url?: string;
  /** The level of a heading. */
  readonly depth?: number;
}

/** A document of the repository. */
export interface Markdown {
  /** Every code block in this language. */
  codeBlocks(language: string): readonly string[];
  /** Every line of every code block. */
  readonly codeLines: readonly string[];
  /** Every code span outside code blocks. */
  readonly codeSpans: readonly string[];
  /** The target of every link. */
  readonly links: readonly string[];
  /** Every heading, as text. */
  readonly headings: readonly string[];
  /** Every heading of the second level, as text. */
  readonly sections: readonly string[];
  /** The targets in the table of contents, a paragraph of links with points between them; empty without one. */
  readonly contents: readonly string[];
  /** The rows below the titles of the table whose first title is `title`, as text. */
  table(title: string): readonly (readonly string[])[];
  /** The text of every paragraph. */
  readonly paragraphs: readonly string[];
}

const documents = new Map<string, Promise<Markdown>>();

/** Reads a document by its path in the repository, once for all tests of a process. */
export function readMarkdown(path: string): Promise<Markdown> {
  const known = documents.get(path);
  if (known !== undefined) return known;
  const document = readFile(fileOf(path), 'utf8').then(parseMarkdown);
  documents.set(path, document);
  return document;
}

export async function parseMarkdown(text: string): Promise<Markdown> {
  const tree: MarkdownNode = await parsers.markdown.parse(text, {} as ParserOptions);
  const nodes = [...descendants(tree)];
  const ofType = (type: string): readonly MarkdownNode[] => nodes.filter((node) => node.type === type);
  return {
    codeBlocks: (language) =>
      ofType('code')
        .filter(({ lang }) => lang === language)
        .map(({ value = '' }) => value),
    codeLines: ofType('code').flatMap(({ value = '' }) => value.split('\n')),
    codeSpans: ofType('inlineCode').map(({ value = '' }) => value),
    links: ofType('link').map(({ url = '' }) => url),
    headings: ofType('heading').map(textOf),
    sections: ofType('heading')
      .filter(({ depth }) => depth === 2)
      .map(textOf),
    contents:
      ofType('paragraph')
        .map(linksOnly)
        .find((links) => links.length > 1) ?? [],
    paragraphs: ofType('paragraph').map(textOf),
    table: (title) => {
      const [titles, ...rows] = ofType('table')
        .map(({ children = [] }) => children.map(cellsOf))
        .find(([first = []]) => first[0] === title) ?? [[]];
      if (titles?.length === 0) throw new Error(`There is no table whose first title is ${title}.`);
      return rows;
    },
  };
}

function* descendants(node: MarkdownNode): Generator<MarkdownNode> {
  yield node;
  for (const child of node.children ?? []) yield* descendants(child);
}

/** The targets of a paragraph that has nothing but links and points between them; empty for any other. */
function linksOnly({ children = [] }: MarkdownNode): readonly string[] {
  const isLinksOnly = children.every(({ type, value = '' }) => type === 'link' || /^[\s·]*$/.test(value));
  return isLinksOnly ? children.flatMap(({ url }) => url ?? []) : [];
}

function cellsOf({ children = [] }: MarkdownNode): readonly string[] {
  return children.map(textOf);
}

function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join('');
}
