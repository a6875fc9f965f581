import type { Administration } from '../../../../../core/administration/administration.ts';
import type { Call } from '../../../../../core/call.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { StripeSale } from '../../../../../core/purchase/stripe-sale.ts';
import { proposed } from '../../form/form-reading.ts';
import { seenVersion } from '../../form/seen.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest } from '../../frame/console-page.ts';
import type { OwnFormSteps } from '../../frame/form-routes.ts';
import { offeredTiers } from '../../products/product-choices.ts';
import { listPath } from '../../state/names.ts';
import { actions, possibleActions, type AskedName } from '../actions/actions.ts';
import { refusedMembers, refusedTargets } from '../actions/change-fields.ts';
import { isSubscriptionAtStripe } from '../actions/purchase-texts.ts';
import { changePage, type Known } from './change-page.ts';
import { impossiblePage } from './impossible-page.ts';
import { showChanged } from './stale-answer.ts';

export interface ActionParts {
  readonly administration: Pick<
    Administration,
    'allTiers' | 'everyPrice' | 'listOperatorKeys' | 'showEntitlement' | 'showPurchase' | 'showStripeSale'
  >;
}

/** The steps that the forms of all actions on an entitlement share. They are about the version that they have shown. */
export function actionSteps(action: AskedName, parts: ActionParts) {
  const { administration } = parts;
  return {
    name: actions[action].page,
    path: `${listPath}/:id/${action}`,
    access: 'admin:entitlements',
    find: ({ call, parameters: { id = '' } }) => administration.showEntitlement(id, call),
    ask: (request) => ask(action, request, parts),
    page: async ({ call, view }, { id }, state) => {
      const purchase = await administration.showPurchase(id, call);
      return changePage(action, purchase, await knownOf(action, purchase, parts, call), state, view);
    },
    fields: (entitlement) => actions[action].form?.fields(entitlement) ?? [],
    refusals: (error) => (action === 'move-license' ? refusedTargets : refusedMembers(error)),
    compared: {
      isStale: (form, { version }) => seenVersion(form) !== version,
      answer: (request) => showChanged(action, request, administration),
    },
  } as const satisfies Omit<OwnFormSteps<FullSnapshot, unknown>, 'read' | 'act'>;
}

/** Asks, or says that the state of the entitlement does not allow the action. */
async function ask(
  action: AskedName,
  { call, parameters: { id = '' }, view }: ConsoleRequest,
  parts: ActionParts,
): Promise<ConsoleAnswer> {
  const purchase = await parts.administration.showPurchase(id, call);
  if (!possibleActions(purchase).includes(action)) {
    return { kind: 'page', status: 409, ...impossiblePage(action, purchase, call) };
  }
  const known = await knownOf(action, purchase, parts, call);
  return shown(changePage(action, purchase, known, actions[action].form?.first?.(purchase) ?? proposed({}), view));
}

async function knownOf(action: AskedName, purchase: Purchase, parts: ActionParts, call: Call): Promise<Known> {
  const { productId } = purchase.entitlement;
  return {
    sale: await saleOf(action, purchase, parts, call),
    tiers: action === 'change-tier' ? await offeredTiers(parts.administration, productId, call) : [],
  };
}

/** The sale at Stripe of a subscription whose charges the action changes; null for every other, and for a limited key. */
async function saleOf(
  action: AskedName,
  purchase: Purchase,
  { administration }: ActionParts,
  call: Call,
): Promise<StripeSale | null> {
  const isCharged =
    isSubscriptionAtStripe(purchase) && actions[action].atStripe !== undefined && call.products === null;
  return isCharged ? administration.showStripeSale(purchase.entitlement.id, call) : null;
}
