import type { CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import type { ChangeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import type { ReadEntitlement } from '../../../core/entitlement/merchant/read-entitlement.ts';
import { ok } from '../answer.ts';
import { weakEtag } from '../etag.ts';
import { idempotencyKeyOf, preconditionOf } from './change-headers.ts';
import { changeDocs, readDocs } from './docs/entitlement-docs.ts';
import type { Operation } from './operation.ts';
import { cancellationJson, dataBody, snapshotJson } from './views.ts';

const path = '/api/app-entitlements/:id';

/** Operations 4.5 to 4.7. */
export function entitlementOperations(
  readEntitlement: ReadEntitlement,
  changeCancellation: ChangeCancellation,
): readonly Operation[] {
  return [
    {
      id: 'getEntitlement',
      docs: readDocs,
      method: 'GET',
      path,
      caller: 'app',
      access: 'read:entitlements',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      handle: async ({ parameters: { id = '' }, appKey, call }) => {
        const data = snapshotJson(await readEntitlement(id, appKey.productId, call));
        const body = dataBody(data, call.correlationId);
        const etag = weakEtag(data);
        return { status: 200, body, cacheControl: 'private, no-cache', etag, entitlementId: id };
      },
    },
    cancellationOperation('cancelEntitlement', 'cancel', changeCancellation),
    cancellationOperation('resumeEntitlement', 'resume', changeCancellation),
  ];
}

function cancellationOperation(
  id: string,
  operation: CancellationOperation,
  changeCancellation: ChangeCancellation,
): Operation {
  return {
    id,
    method: 'POST',
    path: `${path}/${operation}`,
    caller: 'app',
    access: 'write:entitlements',
    body: 'ignored',
    crossOrigin: false,
    errors: 'standard',
    docs: changeDocs[operation],
    handle: async (request) => {
      const { parameters, appKey, call, header } = request;
      const change = {
        operation,
        entitlementId: parameters['id'] ?? '',
        productId: appKey.productId,
        idempotencyKey: idempotencyKeyOf(header('idempotency-key')),
        precondition: preconditionOf(request),
      };
      const { snapshot, correlationId, replayed } = await changeCancellation(change, call);
      const answer = { ...ok(dataBody(cancellationJson(snapshot), correlationId)), entitlementId: snapshot.id };
      return replayed ? { ...answer, headers: ['Idempotent-Replayed', 'true'], replayed } : answer;
    },
  };
}
