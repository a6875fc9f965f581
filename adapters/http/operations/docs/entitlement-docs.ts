import { text } from '../../../administration/declaration/schema-parts.ts';
import { cancelExample, snapshotExample } from './examples.ts';
import { entitlements, type OperationDocs, type ParameterDocs } from './operation-docs.ts';

export const entitlementId: ParameterDocs = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the entitlement.',
  schema: text,
  example: 'ent_1',
};

const bareKey = '[!#-~][ -~]{6,198}[!-~]';
/** A schema of its own, because a pattern that refuses it as well needs a lookahead, which RE2 (Go, Rust) does not have. */
const blankKey = '^" *"$';
const quotedKey = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){8,200}"';

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    '8 to 200 printable ASCII characters, not blank, bare or as a String of RFC 9651. A repeated request with the same key gets the first answer again.',
  schema: { type: 'string', pattern: `^(?:${bareKey}|${quotedKey})$`, not: { pattern: blankKey } },
} as const satisfies ParameterDocs;

/** The conditions of RFC 9110 §13 under which a change is carried out. */
const preconditions: readonly ParameterDocs[] = [
  {
    name: 'If-Match',
    in: 'header',
    description:
      'Change the entitlement only if its current ETag is in this list. The comparison is strong: send the ETag without its `W/`.',
    schema: text,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'Change the entitlement only if its current ETag is not in this list.',
    schema: text,
  },
  {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'Change the entitlement only if it has not changed since this HTTP date; ignored beside `If-Match`.',
    schema: text,
  },
];

export const readDocs: OperationDocs = {
  tag: entitlements,
  summary: 'Fetch an entitlement snapshot.',
  description:
    'The entitlement as it is now. One of another product gets 404, exactly like one that does not exist. The `ETag` changes with the status, also when only time has passed.',
  parameters: [entitlementId],
  success: { description: 'The entitlement as it is now.', schema: 'EntitlementSnapshot', example: snapshotExample },
  headers: ['ETag'],
  refusals: ['not_found', 'entitlement_not_found'],
};

const retries =
  'Send a new `Idempotency-Key` for each intention. After a 500 or a timeout, repeat the request with the same key: it takes effect once.';

const cancellationDocs = {
  tag: entitlements,
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
    parameters: [entitlementId, { ...idempotencyKey, example: '6c3f5d1e-cancel-ent_1' }, ...preconditions],
    summary: 'Cancel a subscription entitlement at the end of its period.',
    description: `Schedules the cancellation; access lasts until the period ends. A cancellation that is scheduled already stays as it is. ${retries}`,
    success: { description: 'The cancellation is scheduled.', schema: 'EntitlementSnapshot', example: cancelExample },
  },
  resume: {
    ...cancellationDocs,
    parameters: [entitlementId, { ...idempotencyKey, example: '6c3f5d1e-resume-ent_1' }, ...preconditions],
    summary: 'Resume an entitlement that is scheduled for cancellation.',
    description: `Undoes a scheduled cancellation. Without one, nothing changes. ${retries}`,
    success: { description: 'Nothing is scheduled.', schema: 'EntitlementSnapshot', example: snapshotExample },
  },
};
