import type { Administration } from '../../../core/administration/administration.ts';
import type { DeriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import type { EveryPrice } from '../../../core/billing/map-prices.ts';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { day } from '../../../core/parsing/duration.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Digest } from '../../../core/secret.ts';
import { asUnavailable } from '../client/ask-stripe.ts';
import type { Look } from '../look/look.ts';
import type { LookForClaim } from './claim-looks.ts';

/** How long after the grant the key is shown, in milliseconds. */
const shownTime = day;

const sessionForm = /^cs_[A-Za-z0-9_]{1,250}$/;

/** What the buyer of a checkout session gets. */
export type Claim =
  /** Stripe has not received the money, or the operator has not mapped the price: it can be asked for again. */
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'granted';
      /** Null a day after the grant, and if the license is not the one that was granted any more. */
      readonly licenseKey: string | null;
      readonly lastFour: string | null;
      readonly entitlementId: string;
      readonly productId: string;
    };

/**
 * Shows the license key that a checkout session was granted. One that is not granted yet is looked at, as an event of it
 * does, once `admit` lets it. Refuses with `checkout_session_not_found` and with `stripe_unavailable`.
 */
export type ClaimKey = (sessionId: string, call: Call, admit: () => Promise<void>) => Promise<Claim>;

interface Parts {
  readonly look: LookForClaim;
  readonly everyPrice: EveryPrice;
  readonly administration: Pick<Administration, 'findEntitlement' | 'listEntitlements' | 'showHistory'>;
  readonly deriveKey: DeriveLicenseKey;
  readonly digest: Digest;
}

export function claimKey(parts: Parts): ClaimKey {
  return async (sessionId, call, admit) => {
    const granted = await orUnavailable(() => grantedWith(parts, sessionId, call));
    const look = granted === null ? await parts.look(sessionId, call, admit) : null;
    return orUnavailable(async () => {
      const entitlement = look === null ? granted : await entitlementOf(parts, look, call);
      return entitlement === null ? { kind: 'pending' } : shown(parts, entitlement, call);
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

/** Finds what a session was granted, without asking Stripe: a purchase by its id, a subscription by its reference. */
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

/** Null for what may be granted later. */
async function entitlementOf({ administration }: Parts, look: Look, call: Call): Promise<Entitlement | null> {
  switch (look.kind) {
    case 'aligned':
      return look.entitlement;
    case 'refused': {
      const entitlement = await administration.findEntitlement(look.entitlementId, call);
      if (entitlement === null) throw new Refusal('checkout_session_not_found');
      return entitlement;
    }
    case 'nothing':
      if (look.reason === 'not_paid' || look.reason === 'unmapped_price') return null;
      throw new Refusal('checkout_session_not_found');
  }
}

async function shown(parts: Parts, { id, productId, license }: Entitlement, call: Call): Promise<Claim> {
  const key = await parts.deriveKey(id, call);
  const isGranted =
    license !== null && license.revokedAt === null && license.digest === licenseDigest(key, parts.digest);
  const licenseKey = isGranted && (await isNew(parts, id, call)) ? key : null;
  return { kind: 'granted', licenseKey, lastFour: license?.lastFour ?? null, entitlementId: id, productId };
}

/** Whether the grant is Stripe's own, and not of a command that grants what was sold long ago, and is not a day old. */
async function isNew({ administration }: Parts, id: string, call: Call): Promise<boolean> {
  const history = await administration.showHistory(id, call);
  const grant = history.find(({ operation, by }) => operation === 'granted' && by === 'stripe');
  return grant !== undefined && call.now.getTime() - grant.at.getTime() < shownTime;
}
