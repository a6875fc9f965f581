import { Argument, Option, type Command } from 'commander';
import { unexpandedIn } from '../../../core/parsing/path-rules.ts';
import { brokenRule, oneOf, textThat, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { WrongArgument, WrongValue, type ArgumentName } from '../shell/errors.ts';
import type { SettingFlag, TypedSettings } from '../shell/shell.ts';

/** An option whose value keeps a rule. */
export function valueOption<Value>(flags: string, description: string, rule: ValueRule<Value>): Option {
  const option = new Option(flags, description);
  return option.argParser((text) => valueOf(text, optionName(option.attributeName()), rule));
}

/** An option without a value. */
export function flagOption(flags: string, description: string): Option {
  return new Option(flags, description);
}

const numberOptions = new WeakSet<Option>();

/** An option whose value is a number, which the line of a batch may have as a number or as a text. */
export function numberOption(flags: string, description: string, rule: ValueRule<number>): Option {
  const option = valueOption(flags, description, rule);
  numberOptions.add(option);
  return option;
}

export function isNumberOption(option: Option): boolean {
  return numberOptions.has(option);
}

/** An option that a command line or a batch line must give. */
export function requiredOption<Value>(flags: string, description: string, rule: ValueRule<Value>): Option {
  return valueOption(flags, description, rule).makeOptionMandatory();
}

/** An option that may be given several times; equal values count once. */
export function repeatableOption<Value>(flags: string, description: string, rule: ValueRule<Value>): Option {
  const option = new Option(flags, description);
  return option.argParser((text, earlier: readonly Value[] | undefined): readonly Value[] => {
    const value = valueOf(text, optionName(option.attributeName()), rule);
    return [...new Set(earlier).add(value)];
  });
}

/** A positional argument such as `<id>`, whose value keeps a rule. */
export function valueArgument<Value>(argument: string, description: string, rule: ValueRule<Value>): Argument {
  return new Argument(argument, description).argParser((text) =>
    valueOf(text, { flag: argument, member: argument }, rule),
  );
}

/** The argument `-`, for what must not stand on a command line, where the shell's history would keep it. */
export function dashArgument(argument: string, description: string, message: string): Argument {
  return new Argument(argument, description).argParser((text) => {
    if (text !== '-') throw new WrongArgument(message);
    return text;
  });
}

/** Reads a value by its rule. Throws `WrongValue`. */
export function valueOf<Value>(text: string, name: ArgumentName, rule: ValueRule<Value>): Value {
  const value = rule.parse(text);
  if (value === null) throw new WrongValue(name, brokenRule(rule, text));
  return value;
}

/** The names of an option by its name in camelCase. */
export function optionName(member: string): ArgumentName {
  return { flag: `--${member.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`, member };
}

/** Throws `WrongValue` for an instant that is not later than another. */
export function mustBeLater(option: string, value: Date | undefined, than: Date, what: string): void {
  if (value !== undefined && value <= than) throw new WrongValue(optionName(option), `must be later than ${what}`);
}

/** Whether a command line asks for JSON. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ readonly json?: boolean }>().json ?? false;
}

/** The path of a file. White space at its ends is a slip, and so is text that a shell would have replaced. */
export const filePathRule = textThat(
  (text) => text.trim() === text && text !== '' && !/\p{Cc}/u.test(text) && unexpandedIn(text) === null,
  'must not be blank, nor begin or end with a space',
  unexpandedIn,
);

/** The formats of files that are imported and exported. */
export const fileFormats = ['ndjson', 'csv'] as const;

export type FileFormat = (typeof fileFormats)[number];

export function formatOption(description: string): Option {
  return valueOption('--format <format>', description, oneOf(fileFormats));
}

/** Adds a flag for each setting except `--store`, which every command has. */
export function addSettingFlags(command: Command, flags: readonly SettingFlag[]): Command {
  for (const { flag, description } of flags) {
    if (flag !== '--store') command.option(`${flag} <value>`, description);
  }
  return command;
}

/** The settings that a command line gives, as typed. */
export function typedSettings(command: Command, flags: readonly SettingFlag[]): TypedSettings {
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const typed = flags.flatMap(({ name }): readonly (readonly [string, string])[] => {
    const value = options[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const file = options['config'];
  return { flags: Object.fromEntries(typed), file: typeof file === 'string' ? file : null };
}
