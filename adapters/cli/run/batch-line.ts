import type { Command, Option } from 'commander';
import { valueOf } from '../input/options.ts';
import { BadLine } from '../shell/errors.ts';
import type { Subject } from './change-request.ts';

/** What a line of a batch may say. */
export interface BatchForm {
  readonly command: Command;
  /** Options that the command line or the line must give. */
  readonly required: readonly Option[];
  readonly subject: Subject | null;
}

export interface Requested<Options> {
  readonly subject: string;
  readonly options: Options;
}

/**
 * Reads the members of a line by the options of the same name in camelCase. An option on the command line is the default
 * for lines without it; null counts as left out. Throws `WrongArgument`.
 */
export function requestOf<Options>(
  members: Readonly<Record<string, unknown>>,
  { command, required, subject }: BatchForm,
): Requested<Options> {
  const options = new Map<string, unknown>(Object.entries(command.opts()));
  let named = '';
  for (const [name, value] of Object.entries(members)) {
    if (value === null) continue;
    const option = command.options.find((each) => each.attributeName() === name);
    if (name === subject?.member) named = subjectOf(subject, value);
    else if (option === undefined) throw new BadLine('A member of the line is not an option of this command.');
    else options.set(name, optionOf(option, name, value));
  }
  if (subject !== null && named === '') throw new BadLine(`${subject.member} is missing.`);
  const missing = required.find((option) => options.get(option.attributeName()) === undefined);
  if (missing !== undefined) throw new BadLine(`${missing.attributeName()} is missing.`);
  return { subject: named, options: Object.fromEntries(options) as Options };
}

function subjectOf({ argument, member, rule }: Subject, value: unknown): string {
  return valueOf(textOf(member, value), { flag: argument, member }, rule);
}

/** Reads an option; one that is repeatable is an array in a line, or one value alone. */
function optionOf(option: Option, name: string, value: unknown): unknown {
  const texts = Array.isArray(value) && value.length > 0 ? value : [value];
  let parsed: unknown;
  for (const text of texts) parsed = option.parseArg?.(textOf(name, text), parsed) ?? text;
  if (Array.isArray(value) && !Array.isArray(parsed)) throw new BadLine(`${name} must be a text.`);
  return parsed;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new BadLine(`${name} must be a text.`);
}
