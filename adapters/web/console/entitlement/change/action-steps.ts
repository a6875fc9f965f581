import type { Administration } from '../../../../../core/administration/administration.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import { seenVersion } from '../../form/seen.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest } from '../../frame/console-page.ts';
import type { OwnFormSteps } from '../../frame/form-routes.ts';
import { actions, possibleActions, type ActionName } from '../purchase/action-names.ts';
import { listPath } from '../state/names.ts';
import { refusedMembers, refusedTargets } from './change-fields.ts';
import { fieldsOf, firstForm } from './change-forms.ts';
import { changePage } from './change-page.ts';
import { impossiblePage } from './impossible-page.ts';
import { showChanged } from './stale-answer.ts';

export type ActionParts = Pick<Administration, 'showEntitlement' | 'showPurchase' | 'listOperatorKeys'>;

/** What the forms of all actions on an entitlement have in common. They are about the version that they have shown. */
export function actionSteps(action: ActionName, parts: ActionParts) {
  const { showEntitlement, showPurchase } = parts;
  return {
    name: actions[action].page,
    path: `${listPath}/:id/${action}`,
    access: 'admin:entitlements',
    find: ({ call, parameters: { id = '' } }) => showEntitlement(id, call),
    ask: (request) => ask(action, request, parts),
    page: async ({ call, view }, { id }, state) => changePage(action, await showPurchase(id, call), state, view),
    fields: (entitlement) => fieldsOf(action, entitlement),
    refusals: (error) => (action === 'move-license' ? refusedTargets : refusedMembers(error)),
    compared: {
      isStale: (form, { version }) => seenVersion(form) !== version,
      answer: (request) => showChanged(action, request, parts),
    },
  } as const satisfies Omit<OwnFormSteps<FullSnapshot, unknown>, 'read' | 'act'>;
}

/** Asks, or says that the state of the entitlement does not allow the action. */
async function ask(
  action: ActionName,
  { call, parameters: { id = '' }, view }: ConsoleRequest,
  { showPurchase }: ActionParts,
): Promise<ConsoleAnswer> {
  const purchase = await showPurchase(id, call);
  return possibleActions(purchase, true).includes(action)
    ? shown(changePage(action, purchase, firstForm(action, purchase), view))
    : { kind: 'page', status: 409, ...impossiblePage(action, purchase, call) };
}
