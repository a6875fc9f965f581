import { readMembers, type Mistake, type Rules, type ValuesOf } from '../../../../core/parsing/read-members.ts';
import { Refusal, type RefusalCode } from '../../../../core/refusal.ts';
import { noMistakes, type Field, type FormState, type Mistakes } from './fields.ts';
import { instantIn } from './local-instants.ts';

/** The values of a form, or the mistakes in its fields. */
export type FormReading<Values> =
  { readonly kind: 'read'; readonly values: Values } | { readonly kind: 'wrong'; readonly mistakes: Mistakes };

/** Reads a form by the rules of its members, of which some may have no field. A blank field counts as left out. */
export function readForm<Own extends Rules, Required extends keyof Own & string>(
  fields: readonly Field[],
  rules: Own,
  required: readonly Required[],
  form: URLSearchParams,
): FormReading<ValuesOf<Own, Required>> {
  const given = Object.keys(rules).map((name) => [name, valueIn(form, name, fields)] as const);
  const reading = readMembers(rules, required, Object.fromEntries(given), 'parse');
  if (reading.kind === 'read') return { kind: 'read', values: reading.values as ValuesOf<Own, Required> };
  return { kind: 'wrong', mistakes: mistakesIn(fields, reading.mistakes) };
}

/** The value of a field. Browsers send the line ends of a text as CRLF. */
function valueIn(form: URLSearchParams, name: string, fields: readonly Field[]): string | readonly string[] | null {
  const input = fields.find((field) => field.name === name)?.input;
  if (typeof input === 'object' && 'several' in input) return form.has(name) ? form.getAll(name) : null;
  const text = form.get(name) ?? '';
  if (text.trim() === '') return null;
  if (input === 'lines') return text.replaceAll('\r\n', '\n');
  return input === 'instant' || input === 'date' ? instantIn(text.trim()) : text.trim();
}

/** The error messages of fields, by their labels. */
export function mistakesIn(fields: readonly Field[], mistakes: readonly Mistake[]): Mistakes {
  const labelOf = (name: string): string => fields.find((field) => field.name === name)?.label ?? name;
  return new Map(mistakes.map(({ member, problem }) => [member, `${labelOf(member)} ${problem}.`]));
}

/** The mistakes of a field that a use case has refused. Throws a refusal that is about no field. */
export function refusedField(
  cause: unknown,
  about: Readonly<Partial<Record<RefusalCode, Mistake>>>,
  fields: readonly Field[],
): Mistakes {
  const mistake = cause instanceof Refusal ? about[(cause as Refusal).code] : undefined;
  if (mistake === undefined) throw cause;
  return mistakesIn(fields, [mistake]);
}

/** The state of a form that shows what was typed. Fields that occur more than once have spaces between their values. */
export function typedIn(form: URLSearchParams, mistakes: Mistakes = noMistakes): FormState {
  return { typed: (name) => form.getAll(name).join(' '), mistakes };
}

/** The state of a form with proposed values. */
export function proposed(values: Readonly<Record<string, string | undefined>>): FormState {
  return { typed: (name) => values[name] ?? '', mistakes: noMistakes };
}

/** The members of a query that are not blank. */
export function givenOf(query: URLSearchParams, members: readonly string[]): URLSearchParams {
  const given = members.map((name): [string, string] => [name, (query.get(name) ?? '').trim()]);
  return new URLSearchParams(given.filter(([, value]) => value !== ''));
}
