import { diff } from 'node:util';
import { AssertionError } from 'chai';

/** Unchanged lines shown around each change. */
const context = 2;

/** Lines of a diff that are shown; a document of 8,000 lines must not bury the message. */
const maxLines = 80;

/** Fails with the lines that differ, `-` for those of `actual` and `+` for those of `expected`, unless the texts are equal. */
export function expectSameLines(actual: string, expected: string, message: string): void {
  if (actual === expected) return;
  const lines = changedLines(actual.split('\n'), expected.split('\n'));
  const hidden = lines.length - maxLines;
  const shown = hidden > 0 ? [...lines.slice(0, maxLines), `… and ${hidden} more lines`] : lines;
  throw new AssertionError(`${message}\n${shown.join('\n')}`);
}

/** The lines that differ with those around them; `@@ n @@` names the line of `actual` at which each group begins. */
function changedLines(actual: readonly string[], expected: readonly string[]): readonly string[] {
  const entries = diff(actual, expected);
  const near = entries.map((_, index) =>
    entries.slice(Math.max(0, index - context), index + context + 1).some(([operation]) => operation !== 0),
  );
  const shown: string[] = [];
  let line = 0;
  for (const [index, [operation, text]] of entries.entries()) {
    if (operation !== -1) line += 1;
    if (near[index] !== true) continue;
    if (near[index - 1] !== true) shown.push(`@@ ${line} @@`);
    shown.push(`${marks[operation]}${text}`);
  }
  return shown;
}

const marks = { '1': '-', '0': ' ', '-1': '+' } as const;
