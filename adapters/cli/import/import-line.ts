import { readMembers, type MemberRules } from '../../../core/parsing/read-members.ts';
import { objectOf } from '../input/json-lines.ts';
import { misspellings, unknownNames } from '../input/unknown-names.ts';
import { BadLine } from '../shell/errors.ts';

/** The form of one line of a file: the rules of its members, and those that it must have. */
export interface LineForm<Values> {
  readonly rules: MemberRules<Values>;
  readonly required: readonly (keyof Values & string)[];
}

/** The known members of a line that is a JSON object. Throws `BadLine` with every mistake in it. */
export function readJsonLine<Values extends object>(text: string, form: LineForm<Values>): Values {
  return readLine(objectOf(text), form, 'read');
}

/** The known members of a row of texts. Throws `BadLine` with every mistake in it. */
export function readRow<Values extends object>(row: Readonly<Record<string, string>>, form: LineForm<Values>): Values {
  return readLine(row, form, 'parse');
}

function readLine<Values extends object>(
  line: Readonly<Record<string, unknown>>,
  { rules, required }: LineForm<Values>,
  how: 'parse' | 'read',
): Values {
  const reading = readMembers(rules, required, line, how);
  const misspelt = unknownNames(Object.keys(line), Object.keys(rules)).filter(({ nearest }) => nearest !== null);
  if (reading.kind === 'read' && misspelt.length === 0) return reading.values;
  const mistakes = (reading.kind === 'wrong' ? reading.mistakes : []).filter(
    ({ member }) => Object.hasOwn(line, member) || !misspelt.some(({ nearest }) => nearest === member),
  );
  throw new BadLine(
    [...misspellings(misspelt), ...mistakes.map(({ member, problem }) => `${member} ${problem}.`)].join(' '),
  );
}

/**
 * Throws `BadLine` if columns are misspelt, which every row would otherwise leave out, and if none of them is known, as in
 * a file without a row of names or with another separator.
 */
export function checkColumns<Values extends object>(columns: readonly string[], { rules }: LineForm<Values>): void {
  const names = Object.keys(rules);
  const mistakes = misspellings(unknownNames(columns, names));
  if (mistakes.length > 0) throw new BadLine(`${mistakes.join(' ')} No row was read.`);
  if (columns.some((column) => names.includes(column))) return;
  throw new BadLine(
    `The first line must name the columns, such as ${names[0]}, with commas, semicolons or tabs between them. No row was read.`,
  );
}
