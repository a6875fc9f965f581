import { noStore, type Answer } from '../../../adapters/http/answer.ts';
import type { Operation, OperationLimits, PublicRequest } from '../../../adapters/http/operations/operation.ts';
import { refuse } from '../../../adapters/http/refusals.ts';
import { readSessionId, type Claim, type ClaimKey } from '../../../adapters/stripe/claim/claim-key.ts';
import { LookPace } from '../../../adapters/stripe/claim/look-pace.ts';
import { claimPath } from '../../../adapters/web/claim/claim-page.ts';
import type { BuyerPages } from '../../../adapters/web/pages.ts';

/** Seconds after which a payment that is on its way can be asked for again. */
const retryAfter = ['Retry-After', '5'];

/**
 * The page that a buyer comes back to from the checkout, and the same in JSON. The session in its address is a secret: who
 * knows it gets the key. Without pages, everybody gets JSON.
 */
export function claimOperations(
  claim: ClaimKey,
  page: BuyerPages['claim'] | null,
  limits: OperationLimits,
): readonly Operation[] {
  const pace = new LookPace();
  const found = ({ query, call, admitClaim }: PublicRequest): Promise<Claim> =>
    claim(readSessionId(query), call, async () => {
      await admitClaim();
      const wait = await pace.turn();
      if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(call.now.getTime() + wait) });
    });
  const shared = { method: 'GET', path: claimPath, caller: 'anyone', body: 'ignored', limits } as const;
  const own = { ...shared, crossOrigin: false, hasSecretAddress: true, docs: null } as const;
  const inJson: Operation = {
    ...own,
    id: 'claimKey',
    errors: 'standard',
    async handle(request: PublicRequest) {
      const claimed = await found(request);
      return { ...statusOf(claimed), body: bodyOf(claimed, request.call.correlationId), cacheControl: noStore };
    },
  };
  return page === null ? [inJson] : [{ ...own, id: 'showClaim', errors: 'page', handle: shownBy(page, found) }, inJson];
}

function shownBy(
  page: BuyerPages['claim'],
  found: (request: PublicRequest) => Promise<Claim>,
): (request: PublicRequest) => Promise<Answer> {
  return async (request) => {
    const claimed = await found(request);
    const { content, ...answer } = page(claimed, request.call.now);
    return { ...answer, ...statusOf(claimed), body: content, cacheControl: noStore };
  };
}

function statusOf({ state }: Claim): Pick<Answer, 'status' | 'headers'> {
  return state === 'unpaid' || state === 'unmapped' ? { status: 202, headers: retryAfter } : { status: 200 };
}

function bodyOf(claim: Claim, correlationId: string): string {
  return JSON.stringify({ success: true, state: claim.state, data: viewOf(claim), correlationId });
}

function viewOf(claim: Claim): object | null {
  if (!('entitlement' in claim)) return null;
  const { licenseKey, lastFour, entitlement } = claim;
  return { licenseKey, lastFour, entitlementId: entitlement.id, productId: entitlement.productId };
}
