import { instantRule } from '../../../../core/parsing/instant.ts';
import { displayNameRule, type ValueRule } from '../../../../core/parsing/value-rule.ts';
import type { Member } from '../../../administration/declaration/member.ts';
import type { Field } from './fields.ts';
import { readForm, type FormReading } from './form-reading.ts';
import type { Seen } from './seen.ts';

/** A member that a form asks for. One without a label has no field: the page carries it. */
export interface FormMember<Value, IsRequired extends boolean> extends Partial<Omit<Field, 'name' | 'required'>> {
  readonly rule: ValueRule<Value>;
  readonly required: IsRequired;
}

/** The members of a form, in the order of its fields. */
export type FormMembers = Readonly<Record<string, FormMember<unknown, boolean>>>;

type ValueOf<Own> = Own extends FormMember<infer Value, boolean> ? Value : never;

type RequiredIn<Own extends FormMembers> = {
  [Name in keyof Own]: Own[Name]['required'] extends true ? Name : never;
}[keyof Own];

/** The values of a form. */
export type FormValues<Own extends FormMembers> = { readonly [Name in RequiredIn<Own>]: ValueOf<Own[Name]> } & {
  readonly [Name in Exclude<keyof Own, RequiredIn<Own>>]?: ValueOf<Own[Name]>;
};

type Declared<Value> = Pick<Member<Value>, 'rule' | 'label' | 'hint'>;

type Look = Partial<Omit<Field, 'name' | 'required'>>;

/** A member that may be left blank. Its label and hint are the declared ones, unless the form has its own. */
export function may<Value>(declared: Declared<Value>, look: Look = {}): FormMember<Value, false> {
  return { ...lookOf(declared), ...look, rule: declared.rule, required: false };
}

/** A member that must be given. */
export function must<Value>(declared: Declared<Value>, look: Look = {}): FormMember<Value, true> {
  return { ...may(declared, look), required: true };
}

function lookOf({ rule, label, hint }: Declared<unknown>): Look {
  const isName = rule === displayNameRule;
  return {
    ...(label !== undefined && { label }),
    ...(hint !== undefined && { hint }),
    ...(isName ? { maxLength: 200 } : { input: rule === instantRule ? 'instant' : 'code' }),
  };
}

type Thing<Own extends FormMembers> = Readonly<Record<keyof Own & string, string | boolean | null>>;

/** The texts of what there is, by the names of the members that it is for. */
export function valuesOf<Own extends FormMembers>(members: Own, thing: Thing<Own>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(members).map((name) => [name, String(thing[name] ?? '')]));
}

/** The same by the labels of their fields. */
export function labelledValuesOf<Own extends FormMembers>(members: Own, thing: Thing<Own>): Seen {
  const values = valuesOf(members, thing);
  return Object.fromEntries(fieldsOf(members).map(({ name, label }) => [label, values[name] ?? '']));
}

/** The fields of a form. */
export function fieldsOf(members: FormMembers): readonly Field[] {
  return Object.entries(members).flatMap(([name, { rule: _rule, label, ...look }]) =>
    label === undefined ? [] : [{ ...look, name, label }],
  );
}

/** Reads a form by its members. */
export function readMembersOf<Own extends FormMembers>(
  members: Own,
  form: URLSearchParams,
): FormReading<FormValues<Own>> {
  const rules = Object.fromEntries(
    Object.entries(members).map(([name, { rule }]) => [name, rule as ValueRule<object>]),
  );
  const required = Object.keys(members).filter((name) => members[name]?.required === true);
  return readForm(fieldsOf(members), rules, required, form) as FormReading<FormValues<Own>>;
}
