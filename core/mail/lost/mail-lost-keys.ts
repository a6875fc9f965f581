import type { IsSoldByStripe } from '../../billing/sold-by-stripe.ts';
import type { CreateSupportLink } from '../../buyer/support-link.ts';
import type { Call } from '../../call.ts';
import type { AllEntitlements, EntitlementHistory } from '../../entitlement/administration/all-entitlements.port.ts';
import type { Entitlement } from '../../entitlement/entitlement.ts';
import { readWhy } from '../../entitlement/why/why.ts';
import { day } from '../../parsing/duration.ts';
import type { Products } from '../../product/products.port.ts';
import type { BuyerAddresses } from '../buyer-addresses.port.ts';
import type { ReadCurrentKey } from '../current-key.ts';
import type { MailResult, MailSender } from '../mail-sender.port.ts';
import type { LostLicense, MailWriter } from '../mail-writer.port.ts';
import { grantedOf } from './granted-sales.ts';

/** Licenses that one mail names: the newest. */
const maxLost = 20;

/** The time that the links of the mail work, in milliseconds. */
const linkTime = day;

export interface LostKeysParts {
  readonly entitlements: Pick<AllEntitlements, 'find'>;
  readonly history: EntitlementHistory;
  readonly products: Pick<Products, 'find'>;
  readonly isSold: IsSoldByStripe;
  readonly readKey: ReadCurrentKey;
  readonly createLink: CreateSupportLink;
  readonly addresses: Pick<BuyerAddresses, 'salesTo'>;
  readonly writer: Pick<MailWriter, 'lost'>;
  readonly sender: MailSender;
  /** The host in the ids of mails. */
  readonly host: string;
}

/** The outcome of a request. `unknown`: nothing was sold to the address, so that nobody is mailed. */
export type LostKeysResult = MailResult | { readonly outcome: 'unknown' };

/** Somebody who has lost the keys. */
export interface LostKeysRequest {
  /** As it was typed. Nothing is mailed to it: it may only look like the buyer's. */
  readonly email: string;
  /** The same in every attempt, of this request alone. */
  readonly id: string;
}

/**
 * Mails what was sold to an address, in one mail, to the address as Stripe has it: for each license its state, its key
 * where it is known, and a link of a day. Throws faults of the store.
 */
export type MailLostKeys = (request: LostKeysRequest, call: Call) => Promise<LostKeysResult>;

export function mailLostKeys(parts: LostKeysParts): MailLostKeys {
  return async ({ email, id }, call) => {
    const found = await parts.addresses.salesTo(email, call);
    if (found.kind === 'failed') return { outcome: 'failed', code: found.code };
    const { granted } = await grantedOf(parts, found.sales, call);
    const [newest] = granted;
    if (newest === undefined) return { outcome: 'unknown' };
    const licenses: LostLicense[] = [];
    for (const { entitlement } of granted.slice(0, maxLost)) licenses.push(await licenseOf(parts, entitlement, call));
    const content = parts.writer.lost({ licenses, now: call.now });
    return parts.sender.send({ to: newest.sale.address, messageId: `lost.${id}@${parts.host}`, ...content });
  };
}

async function licenseOf(
  { products, history, readKey, createLink }: LostKeysParts,
  entitlement: Entitlement,
  call: Call,
): Promise<LostLicense> {
  const { id, productId } = entitlement;
  const key = await readKey(entitlement, call);
  return {
    entitlement,
    product: await products.find(productId, call),
    why: await readWhy(history, entitlement, call),
    licenseKey: key.kind === 'key' ? key.licenseKey : null,
    link: await createLink({ entitlementId: id, expires: linkTime }, call),
  };
}
