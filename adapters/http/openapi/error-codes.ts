import type { DescribedOperation } from '../operations/operation.ts';
import { refusals, type ErrorCode } from '../refusals.ts';

/** The refusals of every operation. */
export const ofEveryOperation: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_host',
  'unsupported_api_version',
  'request_timeout',
  'retired_api_version',
  'payload_too_large',
  'body_too_fragmented',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'store_unavailable',
  'too_many_bodies',
  'transfer_encoding_unsupported',
  'http_version_unsupported',
];
const ofJsonBodies: readonly ErrorCode[] = ['unsupported_media_type', 'unsupported_content_coding', 'invalid_body'];
const ofKeys: Readonly<Record<DescribedOperation['caller'], readonly ErrorCode[]>> = {
  anyone: [],
  app: ['invalid_app_key', 'insufficient_scope'],
  operator: ['invalid_operator_key', 'insufficient_scope'],
};

/** The refusals of requests that reach no operation. */
const ofNoOperation: readonly ErrorCode[] = ['not_found', 'method_not_allowed'];

/** The values of `Error-Code` in the answers of an operation. */
export function errorCodesOf({ caller, body, docs }: DescribedOperation): readonly ErrorCode[] {
  const codes = [...ofEveryOperation, ...(body === 'ignored' ? [] : ofJsonBodies), ...ofKeys[caller], ...docs.refusals];
  return [...new Set(codes)];
}

/** The values of `Error-Code` in all answers of an interface, in the order of the table of refusals. */
export function errorCodesOfAll(operations: readonly DescribedOperation[]): readonly string[] {
  const codes = new Set<string>([...ofNoOperation, ...operations.flatMap(errorCodesOf)]);
  return Object.keys(refusals).filter((code) => codes.has(code));
}
