import { makeLicenseSecret } from '../../billing/derive-license-key.ts';
import { listCases } from '../../billing/list-cases.ts';
import { everyPrice, listPrices, mapPrice, unmapPrice } from '../../billing/map-prices.ts';
import { everyProduct, listProducts } from '../../product/list-products.ts';
import { addProduct, changeProduct, putProduct } from '../../product/put-product.ts';
import { showStripeSale } from '../../purchase/stripe-sale.ts';
import { allowedWhere, ofProducts, ofService, together } from '../../tenant/limits.ts';
import { deleteTier, everyTier, listTiers, putTier, saveTier, showTier } from '../../tier/manage-tiers.ts';
import {
  endTrial,
  everyTrial,
  extendTrial,
  findTrialBefore,
  listTrials,
  showTrial,
} from '../../trial/manage-trials.ts';
import type { Parts } from './parts.ts';

/** Products, their tiers and trials, and what Stripe sells of them. */
export function productsOf({ ports, platform, allowances, readAtStripe }: Parts) {
  const { licenseSecrets, priceMap, products, stripeCases, tiers, trials } = ports;
  const { newEventId, randomBytes } = platform;
  return together(
    ofService({
      addProduct: addProduct(products),
      mapPrice: mapPrice(priceMap, products, makeLicenseSecret(licenseSecrets, randomBytes), allowances),
      unmapPrice: unmapPrice(priceMap),
      listPrices: listPrices(priceMap),
      everyPrice: everyPrice(priceMap),
      listStripeCases: listCases(stripeCases),
      countStripeCases: stripeCases.count.bind(stripeCases),
      showStripeSale: showStripeSale(ports, readAtStripe),
    }),
    ofProducts({
      putProduct: allowedWhere(putProduct(products), (mine, id) => mine.has(id)),
      changeProduct: changeProduct(products),
      findProduct: products.find.bind(products),
      listProducts: listProducts(products),
      everyProduct: everyProduct(products),
      putTier: putTier(tiers, products, newEventId),
      saveTier: saveTier(tiers, products, newEventId),
      deleteTier: deleteTier(tiers, newEventId),
      showTier: showTier(tiers),
      listTiers: listTiers(tiers, products),
      everyTier: everyTier(tiers, products),
      allTiers: tiers.all.bind(tiers),
      showTrial: showTrial(trials),
      findTrialBefore: findTrialBefore(trials),
      listTrials: listTrials(trials, products),
      everyTrial: everyTrial(trials, products),
      extendTrial: extendTrial(trials),
      endTrial: endTrial(trials),
    }),
  );
}
