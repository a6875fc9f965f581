import { setImmediate } from 'node:timers/promises';
import { withoutReordering } from '../../../core/parsing/reordering.ts';

/** HTML in which every value has been escaped. Only this file makes it. */
class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Html = SafeHtml;

type Value = Html | readonly Html[] | string | number | null;

/**
 * Puts values into HTML and escapes each of them, except those that are HTML already. Values of attributes need quotes.
 * A text in content loses the invisible characters that show it in another order; an attribute keeps them, because a form
 * sends back what it has.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) {
    const isAttribute = parts[index]?.endsWith('="') === true;
    text += (typeof value === 'string' && !isAttribute ? contentOf(value) : textOf(value)) + (parts[index + 1] ?? '');
  }
  return new SafeHtml(text);
}

/** A text for the content of a field, which a form sends back as it is. */
export function asWritten(text: string): Html {
  return new SafeHtml(escapeMarkup(text));
}

function contentOf(text: string): string {
  return escapeMarkup(withoutReordering(text));
}

/** A block of JSON for search engines. `<` is escaped, so that no value can end the block. */
export function jsonScript(value: object): Html {
  const json = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return new SafeHtml(`<script type="application/ld+json">${json}</script>`);
}

/** Characters from which on a native search for each character that needs an entity is faster than a loop over all. */
const longText = 4096;

/** Escapes a text for XML and HTML, in content and in quoted attributes. */
export function escapeMarkup(text: string): string {
  if (text.length >= longText) return escapeLong(text);
  let escaped = '';
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const entity = entities[text.charCodeAt(index)];
    if (entity === undefined) continue;
    escaped += text.slice(start, index) + entity;
    start = index + 1;
  }
  return start === 0 ? text : escaped + text.slice(start);
}

/** `join` makes one flat text; `replaceAll` a tree of its parts, which the page would flatten in one turn. */
function escapeLong(text: string): string {
  let escaped = text;
  for (const [character, entity] of longEntities) escaped = escaped.split(character).join(entity);
  return escaped;
}

/** Characters that are escaped before other requests get their turn: a millisecond of CPU. */
const pieceLength = 32_768;

/** Escapes a text of any length, piece by piece. Other requests get their turn meanwhile. */
export async function escapedInTurns(text: string): Promise<Html> {
  let escaped = '';
  for (let start = 0; start < text.length; start += pieceLength) {
    if (start > 0) await setImmediate();
    escaped += escapeMarkup(text.slice(start, start + pieceLength));
  }
  return new SafeHtml(escaped);
}

/** By character code. */
const entities: Readonly<Record<number, string>> = {
  34: '&quot;',
  38: '&amp;',
  39: '&#39;',
  60: '&lt;',
  62: '&gt;',
};

/** `&` comes first, because the entities of the others contain it. */
const longEntities = [38, 60, 62, 34, 39].map((code) => [String.fromCharCode(code), entities[code] ?? ''] as const);

function textOf(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeMarkup(value);
  if (typeof value === 'number') return String(value);
  if (value instanceof SafeHtml) return value.text;
  return value.map(({ text }) => text).join('');
}
