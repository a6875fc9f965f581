import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { refuse, type ErrorCode } from '../refusals.ts';

const ajv = new Ajv2020({ coerceTypes: false, useDefaults: false, removeAdditional: false });
formats.default(ajv, { mode: 'full', formats: ['email'] });
ajv.addFormat('well-formed', (text: string) => text.isWellFormed()); // without unpaired surrogates

/** What is said of a body that breaks its schema: the code, and the sentence of the first member that is wrong. */
export interface BodyRules {
  readonly code: ErrorCode;
  /** The sentence of a body that is no JSON object. */
  readonly object: string;
  /** A sentence for each member: its name and its bounds, never its value. */
  readonly members: Readonly<Record<string, string>>;
}

/** Compiles a schema once. The check returns the body as what the schema says it is, or refuses it. */
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
