import { identifierRule } from '../../../../core/identifier.ts';
import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { day, durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import type { Mistake } from '../../../../core/parsing/read-members.ts';
import type { Field } from '../form/fields.ts';

/** What every new key needs. */
export const newKeyRules = { id: identifierRule, expiresAt: instantRule };

/** What a rotation needs. */
export const rotationRules = { newId: identifierRule, overlap: durationRule, expiresAt: instantRule };

/** What a rotation proposes: a new id each time, so that a form that is sent twice makes one key. */
export function rotationDefaults(newId: string): Readonly<Record<string, string>> {
  return { newId, overlap: `${defaultOverlap / day}d` };
}

/** The fields of a new key, with the scopes that it can have. */
export function newKeyFields(scopes: readonly string[]): readonly Field[] {
  const several = scopes.map((scope) => [scope, scope] as const);
  return [
    { name: 'scopes', label: 'Scopes', hint: 'What the key may be used for.', input: { several } },
    idField('id'),
    expiryField,
  ];
}

const expiryField: Field = {
  name: 'expiresAt',
  label: 'Expires',
  hint: 'In UTC. Empty: it never expires.',
  input: 'instant',
};

/** The fields of a rotation. */
export const rotationFields: readonly Field[] = [
  {
    name: 'overlap',
    label: 'Overlap',
    hint: 'How long the old key still works: a whole number with s, m, h or d. 0s ends it at once.',
    input: 'code',
    required: true,
  },
  idField('newId'),
  expiryField,
];

function idField(name: 'id' | 'newId'): Field {
  const hint = 'Names the key in lists and in the log. It is no secret.';
  return { name, label: 'Id', hint, input: 'code', required: true };
}

/** The mistake of a form whose key would have ended already. */
export const tooEarly: Mistake = { member: 'expiresAt', problem: 'must be later than now' };
