import type { Shell } from '../shell/shell.ts';

/**
 * Characters that a terminal obeys or that show a text as another one: controls but the end of a line, U+009B among them,
 * bidi controls, other separators of lines, and those without width but the joiners that languages need.
 */
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A text as a terminal may show it, with U+FFFD for each of these characters. */
export function shownText(text: string): string {
  return text.replaceAll(hidden, '\u{FFFD}');
}

/** JSON of the same value, with such characters escaped. */
export function shownJson(json: string): string {
  return json.replaceAll(hidden, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character.charCodeAt(unit))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Writes lines to standard error, as a terminal may show them. */
export function writeError({ stderr }: Pick<Shell, 'stderr'>, text: string): void {
  stderr.write(shownText(text));
}
