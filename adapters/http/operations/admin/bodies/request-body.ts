import type { SchemaObject } from 'ajv/dist/2020.js';
import { readMembers, type Rules, type ValuesOf } from '../../../../../core/parsing/read-members.ts';
import { pathNameOf, type Command } from '../../../../administration/declaration/command.ts';
import { refuse } from '../../../refusals.ts';
import { objectIn } from '../../validation.ts';

/** Characters of an unknown member's name that a message repeats. */
const maxNameLength = 64;
/** Unknown members that a message names. */
const maxNames = 10;

/** The members of a request body, as its documentation needs them. */
export interface BodyMembers {
  readonly rules: Rules;
  readonly required: readonly string[];
  /** Of members whose name and rule do not say enough, such as their default. */
  readonly descriptions: Readonly<Record<string, string | undefined>>;
  /** Of members whose rule has none. */
  readonly schemas?: Readonly<Record<string, SchemaObject | undefined>>;
}

export interface RequestBody<Values extends object> extends BodyMembers {
  /**
   * Reads a body; no body counts as an empty object. Refuses with `invalid_body`, whose message names every mistake:
   * members that are missing, break their rule or are unknown. A misspelt member must not become a default.
   */
  readonly read: (body: unknown) => Values;
}

/** Declares the body of a request by the rules of its members. Its values and its schema follow from them. */
export function requestBody<Own extends Rules, Required extends keyof Own & string>(
  rules: Own,
  required: readonly Required[],
  descriptions?: { readonly [Name in keyof Own & string]?: string },
): RequestBody<ValuesOf<Own, Required>> {
  const members = { rules, required, descriptions: { ...descriptions } };
  return { ...members, read: (body) => readBody(members, body) as ValuesOf<Own, Required> };
}

/** The body of the request for a command: all members that are not in the path. */
export function bodyOf({ members }: Pick<Command, 'members'>): RequestBody<object> {
  const own = Object.entries(members).filter(([name, member]) => pathNameOf(name, member) === null);
  const body = requestBody(
    Object.fromEntries(own.map(([name, { rule }]) => [name, rule])),
    own.filter(([, { isRequired }]) => isRequired !== false).map(([name]) => name),
    Object.fromEntries(own.flatMap(([name, { docs }]) => (docs === undefined ? [] : [[name, docs]]))),
  );
  return { ...body, schemas: Object.fromEntries(own.map(([name, { schema }]) => [name, schema])) };
}

function readBody({ rules, required }: BodyMembers, given: unknown = {}): object {
  const body = objectIn(given);
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(rules, name));
  const reading = readMembers(rules, required, body, 'read');
  if (reading.kind === 'read' && unknown.length === 0) return reading.values;
  const mistakes = reading.kind === 'read' ? [] : reading.mistakes;
  const messages = mistakes.map(({ member, problem }) => `${member} ${problem}.`);
  throw refuse('invalid_body', { message: [...unknownMessages(unknown), ...messages].join(' ') });
}

function unknownMessages(names: readonly string[]): readonly string[] {
  const named = names.slice(0, maxNames).map((name) => `"${shown(name)}" is not a member of this request.`);
  return names.length > maxNames ? [...named, `${names.length - maxNames} more members are unknown.`] : named;
}

/** The beginning of a name in printable ASCII: a client may print the message on a terminal. */
function shown(name: string): string {
  return Array.from({ length: Math.min(name.length, maxNameLength) }, (_, index) => {
    const character = name.charAt(index);
    const isPlain = character >= ' ' && character <= '~' && character !== '"' && character !== '\\';
    return isPlain ? character : `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
