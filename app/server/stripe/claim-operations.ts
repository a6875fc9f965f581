import { noStore, type Answer } from '../../../adapters/http/answer.ts';
import type { Operation, OperationLimits, PublicRequest } from '../../../adapters/http/operations/operation.ts';
import { dataBody } from '../../../adapters/http/operations/views.ts';
import { refuse } from '../../../adapters/http/refusals.ts';
import { readSessionId, type Claim, type ClaimKey } from '../../../adapters/stripe/claim/claim-key.ts';
import { LookPace } from '../../../adapters/stripe/claim/look-pace.ts';
import type { Pages } from '../../../adapters/web/pages.ts';

/** Seconds after which a payment that is on its way can be asked for again. */
const retryAfter = ['Retry-After', '5'];

/**
 * The page that a buyer comes back to from the checkout, and the same in JSON. The session in its address is a secret: who
 * knows it gets the key.
 */
export function claimOperations(claim: ClaimKey, page: Pages['claim'], limits: OperationLimits): readonly Operation[] {
  const pace = new LookPace();
  const found = ({ query, call, admitClaim }: PublicRequest): Promise<Claim> =>
    claim(readSessionId(query), call, async () => {
      await admitClaim();
      const wait = await pace.turn();
      if (wait !== null) throw refuse('rate_limited', { retryAt: new Date(call.now.getTime() + wait) });
    });
  const shared = { method: 'GET', path: '/claim', caller: 'anyone', body: 'ignored', limits } as const;
  const own = { ...shared, crossOrigin: false, hasSecretAddress: true, docs: null } as const;
  return [
    {
      ...own,
      id: 'showClaim',
      errors: 'page',
      async handle(request: PublicRequest) {
        const claimed = await found(request);
        const { content, ...answer } = page(claimed);
        return { ...answer, ...statusOf(claimed), body: content, cacheControl: noStore };
      },
    },
    {
      ...own,
      id: 'claimKey',
      errors: 'standard',
      async handle(request: PublicRequest) {
        const claimed = await found(request);
        const body = dataBody(JSON.stringify(viewOf(claimed)), request.call.correlationId);
        return { ...statusOf(claimed), body, cacheControl: noStore };
      },
    },
  ];
}

function statusOf({ kind }: Claim): Pick<Answer, 'status' | 'headers'> {
  return kind === 'pending' ? { status: 202, headers: retryAfter } : { status: 200 };
}

function viewOf(claim: Claim): object | null {
  if (claim.kind === 'pending') return null;
  const { licenseKey, lastFour, entitlementId, productId } = claim;
  return { licenseKey, lastFour, entitlementId, productId };
}
