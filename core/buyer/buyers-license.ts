import type { Call } from '../call.ts';
import type { LicenseSeats, ListLicenseDevices } from '../device/license-devices.ts';
import type { EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import { readWhy, type Why } from '../entitlement/why/why.ts';
import type { Product, Products } from '../product/products.port.ts';

/** A license as it is shown to somebody who has its key. */
export interface BuyersLicense extends LicenseSeats {
  /** Null if the product is unknown. */
  readonly product: Product | null;
  readonly why: Why;
}

/** Reads the license of a key. Refuses with `malformed_license_key` and `license_not_found`. */
export type ShowBuyersLicense = (licenseKey: string, call: Call) => Promise<BuyersLicense>;

export function showBuyersLicense(
  list: ListLicenseDevices,
  products: Pick<Products, 'find'>,
  history: EntitlementHistory,
): ShowBuyersLicense {
  return async (licenseKey, call) => {
    const seats = await list({ licenseKey, productId: null }, call);
    const [product, why] = await Promise.all([
      products.find(seats.entitlement.productId, call),
      readWhy(history, seats.entitlement, call),
    ]);
    return { ...seats, product, why };
  };
}
