import { cancelExample, snapshotExample } from './examples.ts';
import type { OperationDocs, ParameterDocs } from './operation-docs.ts';

const entitlementId: ParameterDocs = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The entitlement. One of another product is answered as one that does not exist.',
  schema: { type: 'string' },
  example: 'ent_1',
};

const bareKey = '[!#-~][ -~]{6,198}[!-~]';
const quotedKey = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){8,200}"';

const idempotencyKey: ParameterDocs = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    '8 to 200 printable ASCII characters, bare or as a String of RFC 9651. The same key with the same request gets the first answer again.',
  schema: { type: 'string', pattern: `^(?:${bareKey}|${quotedKey})$` },
  example: '6c3f5d1e-cancel-ent_1',
};

export const readDocs: OperationDocs = {
  summary: 'Fetch an entitlement snapshot.',
  parameters: [entitlementId],
  success: { description: 'The entitlement as it is now.', schema: 'EntitlementSnapshot', example: snapshotExample },
  headers: ['ETag'],
  refusals: ['not_found', 'entitlement_not_found'],
};

const cancellationDocs = {
  parameters: [entitlementId, idempotencyKey],
  headers: ['Idempotent-Replayed'],
  refusals: [
    'not_found',
    'idempotency_key_missing',
    'idempotency_key_invalid',
    'entitlement_not_found',
    'entitlement_ended',
    'not_a_subscription',
    'idempotency_key_reused',
    'too_many_changes',
  ],
} as const;

export const changeDocs: Readonly<Record<'cancel' | 'resume', OperationDocs>> = {
  cancel: {
    ...cancellationDocs,
    summary: 'Cancel a subscription entitlement at the end of its period.',
    success: { description: 'The cancellation is scheduled.', schema: 'EntitlementSnapshot', example: cancelExample },
  },
  resume: {
    ...cancellationDocs,
    summary: 'Resume an entitlement that is scheduled for cancellation.',
    success: { description: 'Nothing is scheduled.', schema: 'EntitlementSnapshot', example: snapshotExample },
  },
};
