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

/** The conditions of RFC 9110 §13 under which a change is carried out. */
const preconditions: readonly ParameterDocs[] = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      'Change the entitlement only if its current ETag is in this list. The comparison is strong: send the ETag without its `W/`.',
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Change the entitlement only if its current ETag is not in this list.',
    schema: { type: 'string' },
  },
  {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'Change the entitlement only if it has not changed since this HTTP date; ignored beside `If-Match`.',
    schema: { type: 'string' },
  },
];

export const readDocs: OperationDocs = {
  summary: 'Fetch an entitlement snapshot.',
  parameters: [entitlementId],
  success: { description: 'The entitlement as it is now.', schema: 'EntitlementSnapshot', example: snapshotExample },
  headers: ['ETag'],
  refusals: ['not_found', 'entitlement_not_found'],
};

const cancellationDocs = {
  parameters: [entitlementId, idempotencyKey, ...preconditions],
  headers: ['Idempotent-Replayed'],
  refusals: [
    'not_found',
    'idempotency_key_missing',
    'idempotency_key_invalid',
    'entitlement_not_found',
    'entitlement_ended',
    'not_a_subscription',
    'precondition_failed',
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
