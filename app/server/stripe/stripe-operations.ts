import { ok } from '../../../adapters/http/answer.ts';
import type { Operation, OperationLimits, OperationRequest } from '../../../adapters/http/operations/operation.ts';
import { doneBody } from '../../../adapters/http/operations/views.ts';
import type { ClaimKey } from '../../../adapters/stripe/claim/claim-key.ts';
import type { ReceiveEvent } from '../../../adapters/stripe/hook/receive-event.ts';
import type { CheckSignatureHeader } from '../../../adapters/stripe/hook/signature-header.ts';
import type { BuyerPages } from '../../../adapters/web/pages.ts';
import { claimOperations } from './claim-operations.ts';

/** Events are larger than requests of clients, and an answer of Stripe may take long. Stripe itself waits longer. */
const limits: OperationLimits = {
  deadline: 20_000,
  atDeadline: 'stripe_unavailable',
};

/** The handlers of the requests that belong to Stripe. */
interface StripeRequests {
  /** Null without a signing secret. */
  readonly receive: ReceiveEvent | null;
  readonly checkSignature: CheckSignatureHeader;
  readonly claim: ClaimKey;
}

/** The operations of the public port that belong to Stripe. The merchants' document leaves them out. */
export function stripeOperations(
  { receive, checkSignature, claim }: StripeRequests,
  page: BuyerPages['claim'] | null,
): readonly Operation[] {
  return [...(receive === null ? [] : [hook(receive, checkSignature)]), ...claimOperations(claim, page, limits)];
}

function hook(receive: ReceiveEvent, checkSignature: CheckSignatureHeader): Operation {
  return {
    id: 'receiveStripeEvent',
    method: 'POST',
    path: '/hooks/stripe',
    caller: 'anyone',
    body: 'raw',
    bodyLimit: 1024 * 1024,
    limits,
    crossOrigin: false,
    errors: 'standard',
    docs: null,
    checkHead: (header, call) => checkSignature(signatureIn(header), call),
    async handle({ body, call, header }) {
      const content = body instanceof Uint8Array ? body : new Uint8Array();
      await receive(content, signatureIn(header), call);
      return ok(doneBody(call.correlationId));
    },
  };
}

function signatureIn(header: OperationRequest['header']): string {
  return header('stripe-signature').join(',');
}
