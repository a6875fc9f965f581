import formats from 'ajv-formats';
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import { brokenRule, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { refuse, type ErrorCode } from '../refusals.ts';

const ajv = new Ajv2020({
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  validateSchema: false, // compiling the schema of schemas takes 90 ms of CPU; openapi.test.ts validates ours
});
formats.default(ajv, { mode: 'full', formats: ['email'] });
ajv.addFormat('well-formed', (text: string) => text.isWellFormed()); // no unpaired surrogates

/** The refusal of a body that breaks its schema: the code, and the message for the first member that is wrong. */
export interface BodyRules {
  readonly code: ErrorCode;
  /** The message for a body that is not a JSON object. */
  readonly object: string;
  /** A message for each member: its name and its bounds, never its value. */
  readonly members: Readonly<Record<string, string>>;
}

/** Compiles a schema into a check, which returns the body with the type of the schema or refuses it. */
export function bodyCheck<T>(schema: SchemaObject, rules: BodyRules): (body: unknown) => T {
  const validate = ajv.compile<T>(schema);
  return (body) => {
    if (validate(body)) return body;
    const [first] = validate.errors ?? [];
    const missing: unknown = first?.params['missingProperty'];
    const member = typeof missing === 'string' ? missing : (first?.instancePath.split('/')[1] ?? '');
    throw refuse(rules.code, { message: rules.members[member] ?? rules.object });
  };
}

/**
 * A member of a body that is an object; null if it is null or was left out, which is the same on every public operation.
 * Refuses with `invalid_body`, naming the member.
 */
export function memberOf<Value>(body: object, name: string, rule: ValueRule<Value>): Value | null {
  const given: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  if (given === undefined || given === null) return null;
  const value = rule.read(given);
  if (value === null) throw refuse('invalid_body', { message: `${name} ${brokenRule(rule, given)}.` });
  return value;
}

/** The members of a body that must be an object. Refuses with `invalid_body`. */
export function objectIn(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw refuse('invalid_body');
  return body;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
