import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseDuration } from './duration.ts';
import { isIdentifier } from '../../../core/identifier.ts';
import { hasLicenseKeyLength, licenseKeyMaxLength, licenseKeyMinLength } from '../../../core/license/license-key.ts';
import { parseInstant } from './instant.ts';
import { isDisplayName, maxNameLength } from './display-name.ts';

/** A line of a file that is not what it should be; the message names the member and its bound, never the value. */
export class BadLine extends Error {}

/** A member of a line: its JSON Schema, and what it must be in words. */
export type MemberRule = readonly [schema: object, rule: string];

export const anIdentifier: MemberRule = [
  { type: 'string', format: 'identifier' },
  'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-"',
];
export const aName: MemberRule = [
  { type: 'string', format: 'name' },
  `must be 1 to ${maxNameLength} characters, not blank and without control characters`,
];
export const aCount: MemberRule = [
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  'must be a whole number, 0 or more',
];
export const anInstant: MemberRule = [
  { type: 'string', format: 'instant' },
  'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z',
];
export const aDuration: MemberRule = [
  { type: 'string', format: 'duration' },
  'must be a whole number with s, m, h or d, such as 24h, of at most 36500d',
];
export const aLicenseKey: MemberRule = [
  { type: 'string', format: 'license key' },
  `must be ${licenseKeyMinLength} to ${licenseKeyMaxLength} characters long`,
];

export function oneOfThese(values: readonly string[]): MemberRule {
  return [{ type: 'string', enum: values }, `must be one of ${values.join(', ')}`];
}

/**
 * Compiles the rules of a line's members once. What it returns gives the known members of a value that keeps them, and
 * throws `BadLine` for any other. With `coerceTypes`, texts are read as what they stand for.
 */
export function lineSchema<Written extends object>(
  members: Readonly<Record<keyof Written & string, MemberRule>>,
  required: readonly (keyof Written)[],
  options: { readonly coerceTypes: boolean },
): (value: unknown) => Written {
  const rules = new Map<string, MemberRule>(Object.entries(members));
  const ajv = new Ajv2020(options);
  ajv.addFormat('identifier', isIdentifier);
  ajv.addFormat('name', isDisplayName);
  ajv.addFormat('instant', (text: string) => parseInstant(text) !== null);
  ajv.addFormat('duration', (text: string) => parseDuration(text) !== null);
  ajv.addFormat('license key', hasLicenseKeyLength);
  const properties = Object.fromEntries([...rules].map(([name, [schema]]) => [name, schema]));
  const validate = ajv.compile<Written>({ type: 'object', required, properties });
  return (value) => {
    if (validate(value))
      return Object.fromEntries(Object.entries(value).filter(([name]) => rules.has(name))) as Written;
    const [first] = validate.errors ?? [];
    const missing: unknown = first?.params['missingProperty'];
    if (typeof missing === 'string') throw new BadLine(`${missing} is missing.`);
    const name = first?.instancePath.split('/')[1] ?? '';
    const [, rule] = rules.get(name) ?? [];
    throw new BadLine(rule === undefined ? 'The line must be a JSON object.' : `${name} ${rule}.`);
  };
}

/** The value of a JSON text; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
