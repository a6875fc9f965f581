import { offeredChanges, type OfferedChange } from '../../../../../core/entitlement/administration/allowed-changes.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { HistoryOperation } from '../../../../../core/entitlement/history-entry.ts';
import { hasEnded } from '../../../../../core/entitlement/status.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { unknownTierText } from '../../../../administration/commands/tier-warning.ts';
import { dayText } from '../../display/dates.ts';
import type { Action, DoneTexts } from '../../display/parts.ts';
import { entitlementPath } from '../state/names.ts';
import { devicesText, tierText } from '../state/terms.ts';

export const licenseActions = ['rotate-license', 'move-license', 'link', 'receipt', 'revoke-license'] as const;

/** The changes of an entitlement. A renewal is shown as an extension of its end. */
const changeNames = offeredChanges.map((change) => (change === 'renew' ? 'extend' : change));

type ChangeName = (typeof changeNames)[number];

export const actionNames = [...changeNames, ...licenseActions] as const;

/** The actions on an entitlement. Each is the last part of the address of its page. */
export type ActionName = (typeof actionNames)[number];

/** An action whose page asks for yes or no, perhaps with fields. */
export type AskedAction = Exclude<ActionName, 'extend'>;

/** The actions that make something for the buyer, and change nothing of the entitlement. */
export const handouts = ['link', 'receipt'] as const;

export type Handout = (typeof handouts)[number];

/** A change with such a page. */
export type Change = Exclude<AskedAction, Handout>;

interface ActionWords {
  readonly title: string;
  /** Names its pages in logs and metrics. */
  readonly page: string;
  /** What the history calls it; null for what changes nothing. */
  readonly operation: HistoryOperation | null;
  /** What the page of the entitlement says after it; null for an action whose answer is a page of its own. */
  readonly done: string | null;
}

function words(
  title: string,
  page: string,
  operation: HistoryOperation | null = null,
  done: string | null = null,
): ActionWords {
  return { title, page, operation, done };
}

export const actions: Readonly<Record<ActionName, ActionWords>> = {
  extend: words('Extend', 'ExtendEntitlement', 'renewed', 'The entitlement was extended.'),
  'change-tier': words('Change tier', 'ChangeTier', 'tier_changed', 'The tier was changed.'),
  allow: words('Change the limit', 'ChangeLimit', 'allowance_changed', 'The limit of devices was changed.'),
  suspend: words('Suspend', 'SuspendEntitlement', 'suspended', 'The entitlement was suspended.'),
  reinstate: words('Reinstate', 'ReinstateEntitlement', 'reinstated', 'The entitlement was reinstated.'),
  cancel: words(
    'Cancel at period end',
    'CancelEntitlement',
    'cancellation_scheduled',
    'The cancellation was scheduled.',
  ),
  resume: words('Resume', 'ResumeEntitlement', 'cancellation_undone', 'The cancellation was undone.'),
  revoke: words('Revoke', 'RevokeEntitlement', 'revoked', 'The entitlement was revoked.'),
  'rotate-license': words('Replace key', 'RotateLicense', 'license_rotated'),
  'move-license': words('Move license', 'MoveLicense', 'license_moved', 'The license was moved.'),
  'revoke-license': words('Revoke license', 'RevokeLicense', 'license_revoked', 'The license was revoked.'),
  link: words('Link for the buyer', 'MakeBuyerLink'),
  receipt: words('Receipt', 'IssueReceipt'),
};

/** What the page of an entitlement says after a change. */
export const doneTexts: DoneTexts = {
  ...Object.fromEntries(
    actionNames.flatMap((name) => (actions[name].done === null ? [] : [[name, actions[name].done]])),
  ),
  shortened: 'The entitlement was shortened.',
  undeclared: { done: 'The tier was changed.', warning: unknownTierText() },
  released: 'The device was released.',
  cleared: 'All devices were released.',
  nothing: 'Nothing was changed: it was already so.',
};

/** Lists the actions that are possible now on a server that has these handouts, all by default. */
export function possibleActions(
  { changes, entitlement }: Purchase,
  has: readonly Handout[] = handouts,
): readonly ActionName[] {
  const { license, active, status } = entitlement;
  const isValid = license !== null && license.revokedAt === null;
  return [
    ...changes.map(changeName),
    'rotate-license',
    ...(isValid && hasEnded(status) ? (['move-license'] as const) : []),
    ...(has.includes('link') ? (['link'] as const) : []),
    ...(isValid && active && has.includes('receipt') ? (['receipt'] as const) : []),
    ...(isValid ? (['revoke-license'] as const) : []),
  ];
}

/** The action that makes a change. */
export function changeName(change: OfferedChange): ChangeName {
  return change === 'renew' ? 'extend' : change;
}

/** The changes among some actions, as links. */
export function changeLinks(purchase: Purchase, names: readonly ActionName[], now: Date): readonly Action[] {
  const { entitlement, changes } = purchase;
  return changes
    .map(changeName)
    .filter((name) => names.includes(name))
    .map((name) => ({
      href: `${entitlementPath(entitlement.id)}/${name}`,
      name: actions[name].title,
      effect:
        (purchase.isSoldByStripe && entitlement.id.startsWith('sub_') ? atStripe[name] : undefined) ??
        effectOf(name, entitlement, now),
      isDanger: name === 'revoke',
    }));
}

/** What a change does to a subscription that Stripe sells. */
const atStripe: Readonly<Partial<Record<ChangeName, string>>> = {
  resume: 'Undo the cancellation, here and at Stripe',
  cancel: 'Stripe charges nothing after this period',
  suspend: 'Stop access; Stripe collects nothing meanwhile',
  reinstate: 'Give access again; Stripe collects again',
  revoke: 'End access and the subscription at Stripe',
};

function effectOf(name: ChangeName, entitlement: FullSnapshot, now: Date): string {
  const { currentPeriodEnd, accessEndsAt } = entitlement;
  switch (name) {
    case 'extend':
      if (accessEndsAt !== null) return `Access ends on ${dayText(accessEndsAt, now)}`;
      return currentPeriodEnd === null ? '' : `The period ends on ${dayText(currentPeriodEnd, now)}`;
    case 'resume':
      return 'Undo the scheduled cancellation';
    case 'reinstate':
      return 'Give the buyer access again';
    case 'change-tier':
      return `Now ${tierText(entitlement)}`;
    case 'allow':
      return devicesText(entitlement);
    case 'cancel':
      return 'Access goes on until the period ends';
    case 'suspend':
      return 'Stop access until you reinstate it';
    case 'revoke':
      return 'End access for good';
  }
}
