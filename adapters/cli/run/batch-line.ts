import type { Command, Option } from 'commander';
import { isNumberOption, valueOf } from '../input/options.ts';
import { misspellings, unknownNames, type UnknownName } from '../input/unknown-names.ts';
import { BadLine, WrongValue } from '../shell/errors.ts';
import type { Subject } from './run-command.ts';

/** The members that a line of a batch may have. */
export interface BatchForm {
  readonly command: Command;
  /** Options that the command line or the line must give. */
  readonly required: readonly Option[];
  readonly subjects: readonly Subject[];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the members of a line by the options of the same name in camelCase. An option on the command line is the default
 * for lines without it; null counts as left out. Throws `BadLine` with every mistake in the line.
 */
export function requestOf<Options>(members: Members, form: BatchForm): Options {
  const { command, subjects } = form;
  const given = Object.entries(members).filter(([, value]) => value !== null);
  const known = command.options.map((option) => option.attributeName());
  const names = [...subjects.map(({ member }) => member), ...known];
  const unknown = unknownNames(Object.keys(members), names);
  const read = new Map<string, unknown>(Object.entries(command.opts()));
  const mistakes: string[] = [...misspellings(unknown)];
  if (unknown.some(({ nearest }) => nearest === null)) {
    mistakes.push('A member of the line is not an option of this command.');
  }
  for (const [name, value] of given.filter(([each]) => names.includes(each))) {
    try {
      read.set(name, memberOf(name, value, form));
    } catch (error) {
      if (!(error instanceof WrongValue || error instanceof BadLine)) throw error;
      mistakes.push(error instanceof WrongValue ? error.messageFor('member') : error.message);
    }
  }
  const missing = missingNames(form, given, read, unknown);
  mistakes.push(...missing.map((name) => `${name} is missing.`));
  if (mistakes.length > 0) throw new BadLine(mistakes.join(' '));
  return Object.fromEntries(read) as Options;
}

function missingNames(
  { required, subjects }: BatchForm,
  given: readonly (readonly [string, unknown])[],
  read: ReadonlyMap<string, unknown>,
  unknown: readonly UnknownName[],
): readonly string[] {
  const needed = required.map((option) => option.attributeName());
  return [...subjects.map(({ member }) => member), ...needed].filter(
    (name) =>
      read.get(name) === undefined &&
      !given.some(([each]) => each === name) &&
      !unknown.some(({ nearest }) => nearest === name),
  );
}

/** Reads a member. An option that is repeatable is an array, or one value alone. */
function memberOf(name: string, value: unknown, form: BatchForm): unknown {
  const argument = form.subjects.find(({ member }) => member === name);
  if (argument !== undefined) {
    return valueOf(textOf(name, value), { flag: argument.argument, member: name }, argument.rule);
  }
  const option = form.command.options.find((each) => each.attributeName() === name);
  if (typeof value === 'number' && option !== undefined && isNumberOption(option)) {
    return option.parseArg?.(String(value), undefined);
  }
  const texts = Array.isArray(value) && value.length > 0 ? value : [value];
  let parsed: unknown;
  for (const text of texts) parsed = option?.parseArg?.(textOf(name, text), parsed) ?? text;
  if (Array.isArray(value) && !Array.isArray(parsed)) throw new BadLine(`${name} must be a text.`);
  return parsed;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new BadLine(`${name} must be a text.`);
}
