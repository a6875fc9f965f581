import type { BuyersLicense } from '../../../core/buyer/buyers-license.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Product } from '../../../core/product/products.port.ts';
import { shownPicture, tile } from '../marketplace/tile.ts';
import type { Html } from '../markup/html.ts';
import type { BuyersSite } from './parts.ts';

/** The addresses of the forms of a page, and the fields that each carries. */
export interface Forms {
  readonly action: (verb: 'receipt' | 'release') => string;
  readonly carried: Html | null;
}

/** The change that was made, or was refused, before a page is shown. */
export interface Done {
  readonly note: Html | null;
  /** The text that was typed as the device id, and its mistake. */
  readonly deviceId?: { readonly typed: string; readonly error: Html };
  /** Whether the change was about a device. Then a folded list of devices is open. */
  readonly isOfDevice?: true;
}

export const nothingDone: Done = { note: null };

/** A license, the site that shows it, and how. */
export interface ShownLicense extends BuyersSite {
  readonly license: BuyersLicense;
  readonly now: Date;
  /** The time that a receipt of the page works, in milliseconds; null if the page gives no receipts. */
  readonly receiptTime: number | null;
  /** Whether buyers may release devices of a license with a limit. */
  readonly releasesDevices: boolean;
  readonly forms: Forms;
  readonly done: Done;
}

/** The last four characters of the key. Null without a key, for a revoked one, and for one that is too short to show. */
export function shownLastFour({ license }: Entitlement): string | null {
  return license?.revokedAt === null ? license.lastFour : null;
}

/** The product of a purchase, as pages name it. */
interface Bought {
  readonly product: Product | null;
  readonly entitlement: Pick<Entitlement, 'productId'>;
}

export function nameOf({ product, entitlement }: Bought): string {
  return product?.name ?? entitlement.productId;
}

/** The icon of the product. Without one that may be shown, the initial of its name. */
export function productTile({ imageHosts }: BuyersSite, bought: Bought): Html {
  const { product, entitlement } = bought;
  const icon = shownPicture(product?.iconUrl ?? null, imageHosts);
  return tile({ slug: entitlement.productId, name: nameOf(bought) }, 'medium', icon);
}
