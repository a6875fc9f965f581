import { readMembers, type MemberRules } from '../../../core/parsing/read-members.ts';
import { objectOf } from '../input/json-lines.ts';
import { BadLine } from '../shell/errors.ts';

/** How one line of a file is read: the rules of its members, and which of them it must have. */
export interface LineForm<Values> {
  readonly rules: MemberRules<Values>;
  readonly required: readonly (keyof Values & string)[];
}

/** The known members of a line that is a JSON object. Throws `BadLine`. */
export function readJsonLine<Values extends object>(text: string, form: LineForm<Values>): Values {
  return readLine(objectOf(text), form, 'read');
}

/** The known members of a row of texts. Throws `BadLine`. */
export function readRow<Values extends object>(row: Readonly<Record<string, string>>, form: LineForm<Values>): Values {
  return readLine(row, form, 'parse');
}

function readLine<Values extends object>(
  line: Readonly<Record<string, unknown>>,
  { rules, required }: LineForm<Values>,
  how: 'parse' | 'read',
): Values {
  const reading = readMembers(rules, required, line, how);
  if (reading.kind === 'read') return reading.values;
  const [first] = reading.mistakes;
  throw new BadLine(`${first?.member} ${first?.problem}.`);
}
