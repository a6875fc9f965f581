import type { Command, Option } from 'commander';
import type { Subject } from './change-request.ts';
import { notReadable } from '../input/json-lines.ts';
import { jsonOf } from '../input/line-schema.ts';
import { WrongArgument } from '../shell/errors.ts';

/** What a line of a command's standard input may say. */
export interface JobForm {
  readonly command: Command;
  /** Options that the command line or the line must give. */
  readonly required: readonly Option[];
  readonly subject: Subject | null;
}

export interface Requested<Options> {
  readonly subject: string;
  readonly options: Options;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a line that is a JSON object; those that are null are left out. Throws `WrongArgument`. */
export function membersOf(text: string | null): Members {
  if (text === null) throw new WrongArgument(notReadable);
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WrongArgument('The line must be a JSON object.');
  }
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/**
 * What a line asks for: each member is read as the option of its name is read on a command line, whose own options hold
 * for every line that does not say otherwise. Throws `WrongArgument`.
 */
export function requestedBy<Options>(members: Members, { command, required, subject }: JobForm): Requested<Options> {
  const options = new Map<string, unknown>(Object.entries(command.opts()));
  let named = '';
  for (const [name, value] of Object.entries(members)) {
    const option = command.options.find((each) => each.attributeName() === name);
    if (name === subject?.member) named = subject.parse(textOf(name, value));
    else if (option === undefined) throw new WrongArgument('A member of the line is not an option of this command.');
    else options.set(name, optionOf(option, name, value));
  }
  if (subject !== null && named === '') throw new WrongArgument(`${subject.member} is missing.`);
  const missing = required.find((option) => options.get(option.attributeName()) === undefined);
  if (missing !== undefined) throw new WrongArgument(`${missing.attributeName()} is missing.`);
  return { subject: named, options: Object.fromEntries(options) as Options };
}

/** An option that may be repeated is an array in a line; one value of it may stand alone. */
function optionOf(option: Option, name: string, value: unknown): unknown {
  const texts = Array.isArray(value) && value.length > 0 ? value : [value];
  let parsed: unknown;
  for (const text of texts) parsed = option.parseArg?.(textOf(name, text), parsed) ?? text;
  if (Array.isArray(value) && !Array.isArray(parsed)) throw new WrongArgument(`${name} must be a text.`);
  return parsed;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new WrongArgument(`${name} must be a text.`);
}
