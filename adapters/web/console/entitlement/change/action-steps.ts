import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { StripeSale } from '../../../../../core/purchase/stripe-sale.ts';
import { seenVersion } from '../../form/seen.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest } from '../../frame/console-page.ts';
import type { OwnFormSteps } from '../../frame/form-routes.ts';
import { actions, possibleActions, type AskedAction } from '../purchase/action-names.ts';
import { listPath } from '../state/names.ts';
import { refusedMembers, refusedTargets } from './change-fields.ts';
import { fieldsOf, firstForm } from './change-forms.ts';
import { changePage } from './change-page.ts';
import { isSubscriptionAtStripe } from './change-texts.ts';
import { impossiblePage } from './impossible-page.ts';
import { showChanged } from './stale-answer.ts';

export interface ActionParts {
  readonly administration: Pick<
    Administration,
    'showEntitlement' | 'showPurchase' | 'showStripeSale' | 'listOperatorKeys'
  >;
}

/** What the forms of all actions on an entitlement have in common. They are about the version that they have shown. */
export function actionSteps(action: AskedAction, parts: ActionParts) {
  const { administration } = parts;
  return {
    name: actions[action].page,
    path: `${listPath}/:id/${action}`,
    access: 'admin:entitlements',
    find: ({ call, parameters: { id = '' } }) => administration.showEntitlement(id, call),
    ask: (request) => ask(action, request, parts),
    page: async ({ call, view }, { id }, state) => {
      const purchase = await administration.showPurchase(id, call);
      return changePage(action, purchase, await saleOf(action, purchase, parts, call), state, view);
    },
    fields: (entitlement) => fieldsOf(action, entitlement),
    refusals: (error) => (action === 'move-license' ? refusedTargets : refusedMembers(error)),
    compared: {
      isStale: (form, { version }) => seenVersion(form) !== version,
      answer: (request) => showChanged(action, request, administration),
    },
  } as const satisfies Omit<OwnFormSteps<FullSnapshot, unknown>, 'read' | 'act'>;
}

/** Asks, or says that the state of the entitlement does not allow the action. */
async function ask(
  action: AskedAction,
  { call, parameters: { id = '' }, view }: ConsoleRequest,
  parts: ActionParts,
): Promise<ConsoleAnswer> {
  const purchase = await parts.administration.showPurchase(id, call);
  if (!possibleActions(purchase).includes(action)) {
    return { kind: 'page', status: 409, ...impossiblePage(action, purchase, call) };
  }
  const sale = await saleOf(action, purchase, parts, call);
  return shown(changePage(action, purchase, sale, firstForm(action, purchase), view));
}

/** What Stripe says of a subscription whose charges the action changes; null for every other, and for a limited key. */
async function saleOf(
  action: AskedAction,
  purchase: Purchase,
  { administration }: ActionParts,
  call: Call,
): Promise<StripeSale | null> {
  const isCharged = isSubscriptionAtStripe(purchase) && changesAtStripe.has(action) && call.products === null;
  return isCharged ? administration.showStripeSale(purchase.entitlement.id, call) : null;
}

const changesAtStripe: ReadonlySet<AskedAction> = new Set(['suspend', 'reinstate', 'cancel', 'resume', 'revoke']);
