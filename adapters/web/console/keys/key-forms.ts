import { defaultOverlap } from '../../../../core/key/change-keys.ts';
import { day } from '../../../../core/parsing/duration.ts';
import type { Mistake } from '../../../../core/parsing/read-members.ts';
import { rotation, type newAppKey } from '../../../administration/commands/key/key-members.ts';
import type { Member } from '../../../administration/declaration/member.ts';
import { may, must } from '../form/form-members.ts';

/** The values that a rotation proposes: a new id each time, so that a form that is sent twice makes one key. */
export function rotationDefaults(newId: string): Readonly<Record<string, string>> {
  return { newId, overlap: `${defaultOverlap / day}d` };
}

/** The members of a new key, with the scopes that it can have. */
export function newKeyMembers<Scope extends string>(
  {
    scopes,
    id,
    expiresAt,
  }: { readonly [Name in 'id' | 'expiresAt']: (typeof newAppKey)[Name] } & {
    readonly scopes: Pick<Member<readonly Scope[]>, 'rule' | 'label' | 'hint'>;
  },
  known: readonly Scope[],
) {
  const several = known.map((scope) => [scope, scope] as const);
  return { scopes: must(scopes, { input: { several } }), id: must(id), expiresAt: may(expiresAt) };
}

/** The members of a rotation. */
export const rotationMembers = {
  overlap: must(rotation.overlap),
  newId: must(rotation.newId),
  expiresAt: may(rotation.expiresAt),
};

/** The mistake of a form whose key would have ended already. */
export const tooEarly: Mistake = { member: 'expiresAt', problem: 'must be later than now' };
