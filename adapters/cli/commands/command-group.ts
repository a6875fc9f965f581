import type { Command as CommandLine, Option } from 'commander';
import { linesOf, type Command, type CommandGroup, type Outcome } from '../../administration/declaration/command.ts';
import type { Member, Members } from '../../administration/declaration/member.ts';
import {
  flagOption,
  mustBeLater,
  numberOption,
  optionName,
  repeatableOption,
  requiredOption,
  valueArgument,
  valueOption,
} from '../input/options.ts';
import type { Output } from '../output/output.ts';
import { details, table } from '../output/table.ts';
import { changeCommand, checkRequired, requiredOptions } from '../run/change-command.ts';
import { runCommand, type StoreUse, type Subject } from '../run/run-command.ts';
import { WrongArgument, WrongValue } from '../shell/errors.ts';
import type { OpenAdministration, Shell } from '../shell/shell.ts';

type Values = Readonly<Record<string, unknown>>;

/** The request of a command line, once its arguments and options are read. */
type Ask = (given: Values, call: ReturnType<Shell['newCall']>) => (store: OpenAdministration) => Promise<Output>;

/** Adds the declared commands of a group to the command line. */
export function addCommandGroup(declared: CommandGroup, group: CommandLine, shell: Shell): void {
  const lines = linesOf(declared);
  for (const each of declared.commands) {
    if (each.verb === null) continue;
    addCommand(each, group.command(each.verb).description(each.does), shell, {
      create: each.createsStore ?? false,
      lines,
    });
  }
}

/** Brings the commands of a group into an order. Those that it does not name follow. */
export function sortCommands({ commands }: CommandLine, order: string): void {
  const verbs = order.split(' ');
  const placeOf = (command: CommandLine): number => {
    const place = verbs.indexOf(command.name());
    return place === -1 ? verbs.length : place;
  };
  (commands as CommandLine[]).sort((a, b) => placeOf(a) - placeOf(b));
}

function addCommand(declared: Command, command: CommandLine, shell: Shell, use: StoreUse): void {
  const { members, order = Object.keys(members), hasBatch = !isReading(declared) } = declared;
  const subjects = Object.entries(members).flatMap(([name, member]) => subjectOf(name, member));
  const attributes = new Map<string, string>();
  for (const name of order) {
    const option = optionOf(members[name]);
    if (option === null) continue;
    command.addOption(option);
    attributes.set(name, option.attributeName());
  }
  const ask: Ask = (given, call) => {
    for (const [name, { isLater, needs }] of Object.entries(members)) {
      const attribute = attributes.get(name) ?? name;
      if (isLater === true) mustBeLater(attribute, given[attribute] as Date | undefined, call.now, 'now');
      if (needs !== undefined && given[attribute] !== undefined) {
        const [other, why] = needs;
        const needed = attributes.get(other) ?? other;
        if (given[needed] === undefined)
          throw new WrongArgument(`${optionName(attribute).flag} needs ${optionName(needed).flag}, ${why}.`);
      }
    }
    const values = valuesOf(members, attributes, given);
    return (store) => answer(declared.run, values, store, call, shell);
  };
  if (hasBatch) {
    changeCommand<Values>(command, shell, { subjects, request: ask, use });
    return;
  }
  for (const { argument, description, rule } of subjects) {
    command.addArgument(valueArgument(argument, description, rule));
  }
  const required = requiredOptions(command);
  command.action((...parameters: readonly unknown[]) => {
    checkRequired(required, parameters[subjects.length] as Values);
    const call = shell.newCall();
    const named = subjects.map(({ member }, index) => [member, parameters[index]] as const);
    const given = { ...(parameters[subjects.length] as Values), ...Object.fromEntries(named) };
    return runCommand(shell, command, call, ask(given, call), use);
  });
}

/** Whether a command changes nothing. */
function isReading({ operation, run }: Command): boolean {
  return typeof run !== 'function' || operation?.route.startsWith('GET ') === true;
}

function subjectOf(member: string, { option, says: description, rule }: Member<unknown>): readonly Subject[] {
  if (option?.startsWith('<') !== true) return [];
  return [{ member, argument: option, description, rule: rule as Subject['rule'] }];
}

function optionOf(member: Member<unknown> | undefined): Option | null {
  if (member?.option?.startsWith('--') !== true) return null;
  const { option, says, rule, isRequired, otherwise, defaultText, each, standsFor } = member as Member<unknown> & {
    option: string;
  };
  if (standsFor !== undefined) return flagOption(option, says);
  if (each !== undefined) return repeatableOption(option, says, each).makeOptionMandatory(isRequired === true);
  if (isRequired === true) return requiredOption(option, says, rule);
  const made = isNumber(rule) ? numberOption(option, says, rule) : valueOption(option, says, rule);
  return otherwise === null || defaultText === undefined ? made : made.default(otherwise, defaultText);
}

function isNumber(rule: Member<unknown>['rule']): rule is Member<number>['rule'] {
  return typeof rule.read(1) === 'number';
}

function valuesOf(members: Members, attributes: ReadonlyMap<string, string>, given: Values): Values {
  return Object.fromEntries(
    Object.entries(members).map(([name, { gather, otherwise, rule, standsFor }]) => {
      const value = given[attributes.get(name) ?? name];
      if (value === undefined) return [name, otherwise];
      if (standsFor !== undefined) return [name, standsFor];
      if (gather === undefined) return [name, value];
      const gathered = gather(value as readonly never[]);
      if (rule.read(gathered) === null) throw new WrongValue(optionName(attributes.get(name) ?? name), rule.rule);
      return [name, gathered];
    }),
  );
}

async function answer(
  run: Command['run'],
  values: Values,
  store: OpenAdministration,
  call: ReturnType<Shell['newCall']>,
  { newCall }: Shell,
): Promise<Output> {
  if (typeof run === 'function') return outputOf(await run(store, values, call));
  const { every, view, columns = [], flexible = [], row = view } = run;
  const items = await Array.fromAsync(every?.(store, values, newCall) ?? []);
  return {
    json: { items: items.map(view) },
    text: (width) => table(items.map(row), names(columns), width, names(flexible)),
  };
}

/** The output of the command line for an outcome. */
export function outputOf({ data, shown = data, facts = shown, text, note, table: listed }: Outcome): Output {
  const columns = names(listed?.columns ?? []);
  const below = note === undefined ? '' : `\n${note}\n`;
  if (text !== undefined) return { json: { value: shown }, text: () => `${text}\n` };
  if (Array.isArray(shown)) {
    const items: readonly object[] = shown;
    return { json: { items }, text: async (width) => (await table(items, columns, width)) + below };
  }
  const inTable = listed?.member === undefined ? null : (Reflect.get(facts, listed.member) as readonly object[]);
  const members = names(
    Object.entries(facts).flatMap(([name, value]) => (name === listed?.member || value === undefined ? [] : [name])),
  );
  return {
    json: { value: shown },
    text: async (width) => {
      const rows = inTable === null ? '' : `\n${await table(inTable, columns, width)}`;
      return details(facts, members) + rows + below;
    },
  };
}

/** The members of an object that is known at run time only. */
function names(members: readonly string[]): readonly never[] {
  return members as readonly never[];
}
