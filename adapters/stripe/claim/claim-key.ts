import type { Administration } from '../../../core/administration/administration.ts';
import type { DeriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import type { EveryPrice } from '../../../core/billing/map-prices.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import type { Product } from '../../../core/product/products.port.ts';
import { claimStateOf, type ClaimState } from '../../../core/purchase/claim-state.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Digest } from '../../../core/secret.ts';
import { asUnavailable } from '../client/ask-stripe.ts';
import type { Look } from '../look/look.ts';
import type { LookForClaim } from './claim-looks.ts';

const sessionForm = /^cs_[A-Za-z0-9_]{1,250}$/;

/**
 * Why nothing is granted. Stripe has not received the money, or the operator has not mapped the price: it can be asked for
 * again. Or no money can arrive any more.
 */
export type Unclaimed = 'unpaid' | 'unmapped' | 'failed';

/** The answer for the buyer of a checkout session. */
export type Claim =
  | { readonly state: Unclaimed }
  | (ClaimState & {
      /** Null unless the state is `ready`. */
      readonly licenseKey: string | null;
      readonly lastFour: string | null;
      readonly entitlement: Entitlement;
      /** Null if the product is unknown. */
      readonly product: Product | null;
    });

/**
 * Shows the license key that a checkout session was granted. One that is not granted yet is looked at, as an event of it
 * does, once `admit` lets it. Refuses with `checkout_session_not_found` and with `stripe_unavailable`.
 */
export type ClaimKey = (sessionId: string, call: Call, admit: () => Promise<void>) => Promise<Claim>;

interface Parts {
  readonly look: LookForClaim;
  readonly everyPrice: EveryPrice;
  readonly administration: Pick<Administration, 'findEntitlement' | 'findProduct' | 'listEntitlements' | 'showHistory'>;
  readonly deriveKey: DeriveLicenseKey;
  readonly digest: Digest;
}

export function claimKey(parts: Parts): ClaimKey {
  return async (sessionId, asked, admit) => {
    // Nobody but its buyer knows the session, of whatever product it is.
    const call: Call = { ...asked, products: null };
    const granted = await orUnavailable(() => grantedWith(parts, sessionId, call));
    const look = granted === null ? await parts.look(sessionId, call, admit) : null;
    return orUnavailable(async () => {
      const found = granted ?? (await foundBy(parts, look, call));
      return typeof found === 'string' ? { state: found } : shown(parts, found, call);
    });
  };
}

async function orUnavailable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof Refusal && error.code === 'checkout_session_not_found' ? error : asUnavailable(error);
  }
}

/** Finds the grant of a session without asking Stripe: a purchase by its id, a subscription by its reference. */
async function grantedWith(
  { administration, everyPrice }: Parts,
  sessionId: string,
  call: Call,
): Promise<Entitlement | null> {
  const purchase = await administration.findEntitlement(sessionId, call);
  if (purchase !== null) return purchase;
  const products = new Set<string>();
  for await (const { productId } of everyPrice(() => call)) {
    if (products.has(productId)) continue;
    products.add(productId);
    const filter = { productId, reference: sessionId, status: null, endsBefore: null };
    const [found] = (await administration.listEntitlements(filter, { after: null, limit: 1 }, call)).items;
    if (found?.id.startsWith('sub_') === true) return administration.findEntitlement(found.id, call);
  }
  return null;
}

/** Reads the session out of a query, which has it once. */
export function readSessionId(query: string): string {
  const [id = '', ...others] = new URLSearchParams(query).getAll('session_id');
  if (others.length > 0 || !sessionForm.test(id)) throw new Refusal('malformed_checkout_session');
  return id;
}

/** The entitlement that a look has found, or why there is not one yet. */
async function foundBy({ administration }: Parts, look: Look | null, call: Call): Promise<Entitlement | Unclaimed> {
  if (look?.kind === 'aligned') return look.entitlement;
  if (look?.kind === 'nothing' && look.reason === 'not_paid') return 'unpaid';
  if (look?.kind === 'nothing' && look.reason === 'failed') return 'failed';
  if (look?.kind === 'nothing' && look.reason === 'unmapped_price') return 'unmapped';
  const found = look?.kind === 'refused' ? await administration.findEntitlement(look.entitlementId, call) : null;
  if (found === null) throw new Refusal('checkout_session_not_found');
  return found;
}

async function shown(
  { administration, deriveKey, digest }: Parts,
  entitlement: Entitlement,
  call: Call,
): Promise<Claim> {
  const { id, productId, license } = entitlement;
  const key = await deriveKey(id, call);
  const hasGrantedKey = license !== null && license.digest === licenseDigest(key, digest);
  const state = claimStateOf(entitlement, await administration.showHistory(id, call), hasGrantedKey, call.now);
  return {
    ...state,
    licenseKey: state.state === 'ready' ? key : null,
    lastFour: license?.lastFour ?? null,
    entitlement,
    product: await administration.findProduct(productId, call),
  };
}
