import { offeredChanges, type OfferedChange } from '../../../../../core/entitlement/administration/allowed-changes.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { dayText } from '../../display/dates.ts';
import type { Action, DoneTexts } from '../../display/parts.ts';
import { entitlementPath } from '../state/names.ts';
import { tierText } from '../state/terms.ts';

export const licenseActions = ['rotate-license', 'receipt', 'revoke-license'] as const;

export const actionNames = [...offeredChanges, ...licenseActions] as const;

/** The actions on an entitlement. Each is the last part of the address of its page. */
export type ActionName = (typeof actionNames)[number];

/** The names of the actions as links show them. */
export const actionTitles: Readonly<Record<ActionName, string>> = {
  renew: 'Renew',
  'change-tier': 'Change tier',
  suspend: 'Suspend',
  reinstate: 'Reinstate',
  cancel: 'Cancel at period end',
  resume: 'Resume',
  revoke: 'Revoke',
  'rotate-license': 'Rotate license',
  'revoke-license': 'Revoke license',
  receipt: 'Receipt',
};

/** What the page of an entitlement says after a change. */
export const doneTexts: DoneTexts = {
  renew: 'The entitlement was renewed.',
  'change-tier': 'The tier was changed.',
  suspend: 'The entitlement was suspended.',
  reinstate: 'The entitlement was reinstated.',
  cancel: 'The cancellation was scheduled.',
  resume: 'The cancellation was undone.',
  revoke: 'The entitlement was revoked.',
  'revoke-license': 'The license was revoked.',
  nothing: 'Nothing was changed: it was already so.',
} satisfies Readonly<Partial<Record<ActionName | 'nothing', string>>>;

/** Lists the actions that are possible now. */
export function possibleActions({ changes, entitlement }: Purchase, hasReceipts: boolean): readonly ActionName[] {
  const { license, active } = entitlement;
  const isValid = license !== null && license.revokedAt === null;
  return [
    ...changes,
    'rotate-license',
    ...(isValid && active && hasReceipts ? (['receipt'] as const) : []),
    ...(isValid ? (['revoke-license'] as const) : []),
  ];
}

/** The changes among some actions, as links. */
export function changeLinks(purchase: Purchase, actions: readonly ActionName[], now: Date): readonly Action[] {
  const { entitlement, changes } = purchase;
  return changes
    .filter((name) => actions.includes(name))
    .map((name) => ({
      href: `${entitlementPath(entitlement.id)}/${name}`,
      name: actionTitles[name],
      effect: effectOf(name, entitlement, now),
      isDanger: name === 'revoke',
    }));
}

function effectOf(name: OfferedChange, entitlement: FullSnapshot, now: Date): string {
  const { currentPeriodEnd } = entitlement;
  switch (name) {
    case 'renew':
      return currentPeriodEnd === null ? '' : `The period ends on ${dayText(currentPeriodEnd, now)}`;
    case 'resume':
      return 'Undo the scheduled cancellation';
    case 'reinstate':
      return 'Give the buyer access again';
    case 'change-tier':
      return `Now ${tierText(entitlement)}`;
    case 'cancel':
      return 'Access goes on until the period ends';
    case 'suspend':
      return 'Stop access until you reinstate it';
    case 'revoke':
      return 'End access for good';
  }
}
