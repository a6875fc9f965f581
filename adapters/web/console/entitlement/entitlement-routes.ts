import type { Administration } from '../../../../core/administration/administration.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import { shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { statusLine } from '../frame/status-line.ts';
import { changeRoutes } from './change/change-routes.ts';
import { doneTexts } from './change/done-texts.ts';
import { receiptRoutes } from './change/receipt-routes.ts';
import { grantRoutes } from './grant/grant-routes.ts';
import { chosenProducts } from './list/chosen-products.ts';
import { readFilter } from './list/entitlement-filter.ts';
import { entitlementsPage } from './list/entitlements-page.ts';
import { possibleActions } from './purchase/action-names.ts';
import { purchasePage } from './purchase/purchase-page.ts';
import { listPath } from './state/names.ts';

/** The pages of entitlements: the list, each of them, and everything that can be done with one. */
export function entitlementRoutes({ administration, newIds, receipts }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    {
      id: 'listEntitlementPages',
      method: 'GET',
      path: listPath,
      access: 'admin:read',
      handle: (request) => answerList(request, administration),
    },
    ...grantRoutes(administration, newIds.newEntitlementId),
    {
      id: 'showEntitlementPage',
      method: 'GET',
      path: `${listPath}/:id`,
      access: 'admin:read',
      handle: (request) => answerEntitlement(request, administration, receipts !== null),
    },
    ...changeRoutes(administration),
    ...(receipts === null ? [] : receiptRoutes(administration, receipts)),
  ];
}

async function answerList(
  { call, query, view }: ConsoleRequest,
  administration: Pick<Administration, 'listEntitlements' | 'everyProduct'>,
): Promise<ConsoleAnswer> {
  const parameters = new URLSearchParams(query);
  const reading = readFilter(parameters);
  const products = await chosenProducts(administration, call);
  const list = { form: reading.form, products, mayGrant: view.may('admin:entitlements') };
  if (reading.kind === 'wrong') {
    const page = entitlementsPage({ ...list, page: null }, view.now);
    return { kind: 'page', status: 400, error: 'invalid_parameter', ...page };
  }
  const after = parameters.get('after');
  const page = await administration.listEntitlements(reading.filter, { after, limit: defaultPageSize }, call);
  return shown(entitlementsPage({ ...list, page }, view.now));
}

async function answerEntitlement(
  { call, parameters, query, view }: ConsoleRequest,
  { showPurchase }: Pick<Administration, 'showPurchase'>,
  hasReceipts: boolean,
): Promise<ConsoleAnswer> {
  const id = parameters['id'] ?? '';
  const purchase = await showPurchase(id, call);
  const actions = view.may('admin:entitlements') ? possibleActions(purchase, hasReceipts) : [];
  return {
    kind: 'page',
    entitlementId: id,
    ...purchasePage(purchase, actions, statusLine(query, doneTexts), view.now),
  };
}
