import type { SchemaObject } from 'ajv/dist/2020.js';
import { identifierRule } from '../../../core/identifier.ts';
import type { ValueRule } from '../../../core/parsing/value-rule.ts';

/** A member of the input of a command, on the command line and in a request. `Given` is the value that `run` gets. */
export interface Member<Value, Given = unknown> {
  /** An option with the name of its value, `--product <id>`, or an argument, `<id>`. Null: only requests have it. */
  readonly option: string | null;
  /** Its description in the help. */
  readonly says: string;
  /** The label in a form of the console, and the hint below its field. */
  readonly label?: string;
  readonly hint?: string;
  /** Its description in the document. Default: none in a body, elsewhere that of the help. */
  readonly docs?: string;
  readonly rule: ValueRule<Value>;
  /** The schema of its values in the document. Default: that of the rule. */
  readonly schema?: SchemaObject;
  readonly isRequired: boolean | 'in requests';
  /** The value that `run` gets if it is left out. */
  readonly otherwise: Given | null;
  /** The text of a default that is not null, in the help. Default: it is not written. */
  readonly defaultText?: string;
  /** For an option that can be given several times: the rule of each value, and what becomes of them. Default: a list. */
  readonly each?: ValueRule<unknown>;
  readonly gather?: (values: readonly never[]) => Value;
  /** The value of an option that takes no text, such as `--newest`. */
  readonly standsFor?: Value;
  /** Whether the command line checks that it is later than now. */
  readonly isLater?: boolean;
  /** The member without which the command line does not take it, and why. */
  readonly needs?: readonly [member: string, why: string];
  /** Whether it is in the path of a request, or under which name. */
  readonly inPath?: boolean | string;
}

export function required<Value>(option: string | null, says: string, rule: ValueRule<Value>): Member<Value, Value> {
  return { option, says, rule, isRequired: true, otherwise: null };
}

/** A member that is null if it is left out. */
export function optional<Value>(
  option: string | null,
  says: string,
  rule: ValueRule<Value>,
): Member<Value, Value | null> {
  return { option, says, rule, isRequired: false, otherwise: null };
}

export function defaulting<Value>(
  option: string,
  says: string,
  rule: ValueRule<Value>,
  [otherwise, defaultText]: readonly [value: Value, text: string],
): Member<Value, Value> {
  return { option, says, rule, isRequired: false, otherwise, defaultText };
}

/** The subject of a command: an argument on the command line, and in the path of a request. */
export function subject(
  argument: `<${string}>`,
  says: string,
  rule: ValueRule<string> = identifierRule,
): Member<string, string> {
  return { ...required(argument, says, rule), inPath: true };
}

type Rules = Readonly<Record<string, ValueRule<unknown>>>;

/** Members that only requests have, by their rules. They are null if they are left out. */
export function inRequests<Own extends Rules>(
  rules: Own,
  needed: readonly (keyof Own & string)[],
  docs: { readonly [Name in keyof Own]?: string } = {},
): { readonly [Name in keyof Own]: Own[Name] extends ValueRule<infer Value> ? Member<Value, Value | null> : never } {
  const members = Object.entries(rules).map(([name, rule]) => {
    const description = docs[name];
    const member = { ...optional(null, '', rule), isRequired: needed.includes(name) };
    return [name, description === undefined ? member : { ...member, docs: description }] as const;
  });
  return Object.fromEntries(members) as unknown as ReturnType<typeof inRequests<Own>>;
}

/** The values that were given, without those that were left out. */
export function givenIn<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as ReturnType<
    typeof givenIn<Values>
  >;
}

type Known = string | number | boolean | object;

export type Members = Readonly<Record<string, Member<Known>>>;

export type ValuesOf<Own extends Members> = {
  readonly [Name in keyof Own]: Own[Name] extends Member<unknown, infer Given> ? Given : never;
};
