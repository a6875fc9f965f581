import type { OfferedChange } from '../../../../../core/entitlement/administration/allowed-changes.ts';
import { hasEnded } from '../../../../../core/entitlement/status.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { unknownTierText } from '../../../../administration/commands/tier-warning.ts';
import type { ActionLink, DoneTexts } from '../../display/parts.ts';
import { entitlementPath } from '../../state/names.ts';
import { accessActions } from './access-actions.ts';
import type { Action } from './action.ts';
import { licenseActions } from './license-actions.ts';
import { isSubscriptionAtStripe } from './purchase-texts.ts';
import { termActions } from './term-actions.ts';
import { writeActions } from './write-actions.ts';

/** The actions on an entitlement. Each name is the last part of the address of its page. */
export const actions = { ...termActions, ...accessActions, ...writeActions, ...licenseActions };

export type ActionName = keyof typeof actions;

/** An action whose page asks for yes or no, perhaps with fields. */
export type AskedName = Exclude<ActionName, 'extend'>;

/** An action that makes something for the buyer, and changes nothing of the entitlement. */
export type Handout = WriteAction | 'receipt';

/** An action that sends something to the buyer. */
export type WriteAction = keyof typeof writeActions;

/** A change with such a page. */
export type Change = Exclude<AskedName, Handout>;

const actionNames = Object.keys(actions) as readonly ActionName[];

/** The names of the messages to the buyer, in the order of their rows. */
export const writeNames = Object.keys(writeActions) as readonly WriteAction[];

/** The changes with such a page. */
export const changes = actionNames.filter(
  (name): name is Change => !['extend', 'receipt', ...writeNames].includes(name),
);

/** The texts on the page of an entitlement after a change. */
export const doneTexts: DoneTexts = {
  ...Object.fromEntries(
    Object.entries<Action>(actions).flatMap(([name, { done }]) => (done === undefined ? [] : [[name, done]])),
  ),
  shortened: 'The entitlement was shortened.',
  undeclared: { done: 'The tier was changed.', warning: unknownTierText() },
  mailed: 'A mail with the keys is on its way.',
  released: 'The device was released.',
  cleared: 'All devices were released.',
  nothing: 'Nothing was changed: it was already so.',
};

/** Lists the actions that are possible now on a server that has these handouts, all by default. */
export function possibleActions(
  purchase: Purchase,
  has: readonly Handout[] = [...writeNames, 'receipt'],
): readonly ActionName[] {
  const { changes: offered, entitlement } = purchase;
  const { license, active, status } = entitlement;
  const isValid = license !== null && license.revokedAt === null;
  return [
    ...offered.map(changeName),
    'rotate-license',
    ...(isValid && hasEnded(status) ? (['move-license'] as const) : []),
    ...writeNames.filter((name) => has.includes(name) && (name !== 'mail-key' || whyNoKey(purchase) === null)),
    ...(isValid && active && has.includes('receipt') ? (['receipt'] as const) : []),
    ...(isValid ? (['revoke-license'] as const) : []),
  ];
}

/** Why the key of a purchase cannot be mailed; null if it can. */
export function whyNoKey({ entitlement, isSoldByStripe, timeline }: Purchase): string | null {
  const { license, status } = entitlement;
  if (license === null) return 'There is no license key.';
  if (license.revokedAt !== null) return 'The license was revoked.';
  if (hasEnded(status)) return 'Access has ended, so no key is mailed.';
  if (!isSoldByStripe) return 'The key is not known here: mail a link.';
  const isOther = timeline.some(({ operation }) => operation === 'license_rotated' || operation === 'license_moved');
  return isOther ? 'The key was replaced, and is not known here: mail a link.' : null;
}

/** The action that makes a change. A renewal is shown as an extension of its end. */
export function changeName(change: OfferedChange): ActionName {
  return change === 'renew' ? 'extend' : change;
}

/** The changes among some actions, as links. */
export function changeLinks(purchase: Purchase, names: readonly ActionName[], now: Date): readonly ActionLink[] {
  const { entitlement } = purchase;
  return purchase.changes
    .map(changeName)
    .filter((name) => names.includes(name))
    .map((name) => {
      const { title, effect, atStripe }: Action = actions[name];
      const own = effect?.(entitlement, now) ?? '';
      return {
        href: `${entitlementPath(entitlement.id)}/${name}`,
        name: title,
        effect: isSubscriptionAtStripe(purchase) ? (atStripe ?? own) : own,
        isDanger: name === 'revoke',
      };
    });
}

/** The actions among some that are buttons beside the license. */
export function licenseButtons(names: readonly ActionName[]): readonly ActionName[] {
  return actionNames.filter((name) => Object.hasOwn(licenseActions, name) && names.includes(name));
}
