import type { Administration } from '../../../../core/administration/administration.ts';
import { shownSale } from '../../../../core/affiliate/selling/shown-sale.ts';
import type { Call } from '../../../../core/call.ts';
import type { Purchase } from '../../../../core/purchase/show-purchase.ts';
import { saleDone } from '../affiliates/sale-routes.ts';
import type { Brought } from '../affiliates/sales-section.ts';
import { pageIn } from '../display/paging.ts';
import { statusLine } from '../display/parts.ts';
import { operatorNames } from '../events/actors.ts';
import { noMistakes } from '../form/fields.ts';
import { shown, wrongForm, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { countedItems } from '../list/list-page.ts';
import { offeredProducts, offeredTiers } from '../products/product-choices.ts';
import { listPath } from '../state/names.ts';
import { doneTexts, possibleActions, type Handout } from './actions/actions.ts';
import { changeRoutes } from './change/change-routes.ts';
import { linkRoutes } from './change/link-routes.ts';
import { mailRoutes } from './change/mail-routes.ts';
import { receiptRoutes } from './change/receipt-routes.ts';
import { deviceRoutes } from './devices/device-routes.ts';
import { shownDevices } from './devices/devices-section.ts';
import { extendRoutes } from './extend/extend-routes.ts';
import { grantRoutes } from './grant/grant-routes.ts';
import { filterOf, readFilter } from './list/entitlement-filter.ts';
import { entitlementsPage } from './list/entitlements-page.ts';
import { purchasePage } from './purchase/purchase-page.ts';
import { writesOf, type Writing } from './purchase/write-panel.ts';

/** The pages of entitlements: the list, each of them, and everything that can be done with one. */
export function entitlementRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { administration, newIds, receipts } = parts;
  const writing = writingOf(parts);
  return [
    {
      id: 'consoleEntitlements',
      method: 'GET',
      path: listPath,
      access: 'admin:read',
      handle: (request) => answerList(request, administration),
    },
    ...grantRoutes(administration, newIds.newEntitlementId),
    {
      id: 'consoleEntitlement',
      method: 'GET',
      path: `${listPath}/:id`,
      access: 'admin:read',
      handle: (request) => answerEntitlement(request, parts),
    },
    ...extendRoutes(parts),
    ...changeRoutes(parts),
    ...deviceRoutes(administration),
    ...(writing.hasPages ? linkRoutes(parts) : []),
    ...mailRoutes(
      parts,
      writesOf(writing).filter((name) => name !== 'link'),
    ),
    ...(receipts === null ? [] : receiptRoutes(parts, receipts)),
  ];
}

function writingOf({ hasBuyerPages, lostKeys }: ConsoleParts): Writing {
  return { sendsMail: lostKeys.kind !== 'no mail', hasPages: hasBuyerPages };
}

async function answerList(
  { call, query, view }: ConsoleRequest,
  administration: Administration,
): Promise<ConsoleAnswer> {
  const parameters = new URLSearchParams(query);
  const { after, limit } = pageIn(parameters);
  const reading = readFilter(parameters);
  const products = await offeredProducts(administration, call);
  const filter = filterOf(parameters);
  const size = await sizeOf(administration, filter, call);
  const tiers = await offeredTiers(administration, filter.get('product'), call);
  const list = { filter, after, mistakes: noMistakes, products, tiers, size };
  if (reading.kind === 'wrong') {
    const page = entitlementsPage({ ...list, mistakes: reading.mistakes, page: null }, view);
    return wrongForm(page, 'invalid_parameter');
  }
  const page = await administration.listEntitlements(reading.values, { after, limit }, call);
  return shown(entitlementsPage({ ...list, page }, view));
}

/** Counts all entitlements, or those of a product. A list with another filter is not counted: all of it would be read. */
async function sizeOf({ countList }: Administration, filter: URLSearchParams, call: Call): Promise<number | null> {
  const productId = filter.get('product');
  if (filter.size > (productId === null ? 0 : 1)) return null;
  return countList({ kind: 'entitlements', productId }, countedItems, call);
}

async function answerEntitlement(request: ConsoleRequest, parts: ConsoleParts): Promise<ConsoleAnswer> {
  const { administration, receipts, stripePage } = parts;
  const writing = writingOf(parts);
  const { call, parameters, query, view } = request;
  const id = parameters['id'] ?? '';
  const purchase = await administration.showPurchase(id, call);
  // The account at Stripe is that of the owner.
  const { isLimited } = view;
  const sale = purchase.isSoldByStripe && !isLimited ? await administration.showStripeSale(id, call) : null;
  const sold = { sale, stripePage: isLimited ? null : (page: string) => stripePage(id, page) };
  const actors = purchase.timeline.map(({ by }) => by);
  const names = await operatorNames(administration, actors, request);
  const mayChange = view.may('admin:entitlements');
  const used = purchase.entitlement.devicesUsed;
  const devices = used === 0 ? [] : (await administration.listDevices(id, call, shownDevices)).devices;
  const trial = await administration.findTrialBefore(purchase.entitlement.productId, id, call);
  const brought = view.may('admin:affiliates') ? await broughtBy(administration, purchase, call) : null;
  const handouts: readonly Handout[] = [...writesOf(writing), ...(receipts === null ? [] : ['receipt' as const])];
  const actions = mayChange ? possibleActions(purchase, handouts) : [];
  return {
    kind: 'page',
    entitlementId: id,
    ...purchasePage(
      purchase,
      {
        ...sold,
        devices,
        trial,
        brought,
        writing: mayChange ? writing : null,
      },
      actions,
      names,
      statusLine(query, { ...doneTexts, ...saleDone }),
      view,
    ),
  };
}

/** Finds the sale of an affiliate. Null where none can be: the product was never promoted. */
async function broughtBy(
  { findSale, listPromotions }: Administration,
  { entitlement: { id, productId } }: Purchase,
  call: Call,
): Promise<Brought | null> {
  const sale = await findSale(id, call);
  if (sale !== null) return shownSale(sale, call);
  const ofProduct = { handle: null, slug: null, productId, state: null };
  const { items } = await listPromotions(ofProduct, { after: null, limit: 1 }, call);
  return items.length === 0 ? null : 'nobody';
}
