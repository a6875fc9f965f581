import { urlRule } from '../../../core/parsing/url-rules.ts';
import { html, type Html } from './html.ts';

/*
 * Texts that strangers format. The tags come from this file alone: there is no way to write any other. CommonMark brings
 * raw HTML, reference links and entities, which would have to be taken away again.
 */

type Kind = 'h2' | 'h3' | 'ul' | 'ol' | 'p';

/** Lines of one kind that stand together: a paragraph, or the items of a list. */
interface Block {
  readonly kind: Kind;
  readonly lines: string[];
}

const marks: readonly (readonly [Kind, RegExp])[] = [
  ['h2', /^## +/],
  ['h3', /^### +/],
  ['ul', /^[-*] +/],
  ['ol', /^1\. +/],
];

/** Continues a list that began with 1. */
const nextItem = /^[0-9]{1,3}\. +/;

/** Shows a text with the marks that `docs/pages.md` names. Whatever is no mark stays as it was typed. */
export function formattedText(text: string): Html {
  return html`${blocksOf(text).map(blockElement)}`;
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const line of text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) {
    if (line.trim() === '') {
      open = null;
      continue;
    }
    const [kind, mark] = markOf(line, open?.kind ?? 'p');
    const content = mark === null ? line : line.replace(mark, '');
    const continues: boolean = open?.kind === kind && kind !== 'h2' && kind !== 'h3';
    if (open !== null && continues) {
      open.lines.push(content);
    } else {
      open = { kind, lines: [content] };
      blocks.push(open);
    }
  }
  return blocks;
}

/** The kind of a line behind one of another kind, and the mark that it begins with. */
function markOf(line: string, before: Kind): readonly [kind: Kind, mark: RegExp | null] {
  if (before === 'ol' && nextItem.test(line)) return ['ol', nextItem];
  return marks.find(([, mark]) => mark.test(line)) ?? ['p', null];
}

function blockElement({ kind, lines }: Block): Html {
  const content = kind === 'ul' || kind === 'ol' ? lines.map((line) => html`<li>${inline(line)}</li>`) : [];
  switch (kind) {
    case 'h2':
      return html`<h2>${inline(lines.join(' '))}</h2>`;
    case 'h3':
      return html`<h3>${inline(lines.join(' '))}</h3>`;
    case 'ul':
      return html`<ul>
        ${content}
      </ul>`;
    case 'ol':
      return html`<ol>
        ${content}
      </ol>`;
    case 'p':
      return html`<p>${inline(lines.join('\n'))}</p>`;
  }
}

/*
 * The alternatives of each repetition begin with different characters, and each stops at the next mark of its own, so
 * that no text is read more than a few times.
 */
const escapable = String.raw`[\\*\`[\]()#.-]`;
const boldMark = String.raw`\*\*(?<bold>(?:\\.|[^*\\])+)\*\*`;
const italicMark = String.raw`\*(?<italic>(?:\\.|[^*\\])+)\*`;
const codeMark = '`(?<code>[^`]+)`';
const linkMark = String.raw`\[(?<label>(?:\\.|[^[\]\\])+)\]\((?<target>(?:[^\s()]|\([^\s()]*\))+)\)`;

const inlineMarks = new RegExp(
  String.raw`\\(?<escaped>${escapable})|${boldMark}|${italicMark}|${codeMark}|${linkMark}`,
  'gs',
);
const escapes = new RegExp(String.raw`\\(${escapable})`, 'g');

function inline(text: string): readonly Html[] {
  const parts: Html[] = [];
  const pattern = new RegExp(inlineMarks);
  /** Text that has no marks, up to `end`. */
  let typed = '';
  let end = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const groups = found.groups ?? {};
    const element = groups['escaped'] === undefined ? elementOf(groups) : null;
    if (groups['escaped'] === undefined && element === null) {
      // It stays as it was typed, and can have marks inside.
      pattern.lastIndex = found.index + 1;
      continue;
    }
    typed += text.slice(end, found.index) + (groups['escaped'] ?? '');
    end = pattern.lastIndex;
    if (element === null) continue;
    parts.push(html`${typed}`, element);
    typed = '';
  }
  return [...parts, html`${typed + text.slice(end)}`];
}

/** The element of a mark; null for a text with space at its ends, and for a link that leads where no link may lead. */
function elementOf(found: Readonly<Record<string, string | undefined>>): Html | null {
  const { bold, italic, code, label = '', target = '' } = found;
  const text = bold ?? italic;
  if (text !== undefined && text !== text.trim()) return null;
  if (bold !== undefined) return html`<strong>${plain(bold)}</strong>`;
  if (italic !== undefined) return html`<em>${plain(italic)}</em>`;
  if (code !== undefined) return html`<code>${code}</code>`;
  if (urlRule.parse(target) === null) return null;
  return html`<a href="${target}" rel="nofollow ugc noopener">${plain(label)}</a>`;
}

function plain(text: string): string {
  return text.replaceAll(escapes, '$1');
}
