import type { DescribedOperation } from '../operations/operation.ts';
import { refusals, type ErrorCode } from '../refusals.ts';
import { exampleId } from '../operations/docs/examples.ts';
import type { schemas } from '../operations/docs/schemas.ts';

/** The refusals of every operation. */
export const ofEveryOperation: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_host',
  'unsupported_api_version',
  'request_timeout',
  'retired_api_version',
  'payload_too_large',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'store_unavailable',
  'transfer_encoding_unsupported',
  'http_version_unsupported',
];
const ofJsonBodies: readonly ErrorCode[] = ['unsupported_media_type', 'unsupported_content_coding', 'invalid_body'];
const ofAppKeys: readonly ErrorCode[] = ['invalid_app_key', 'insufficient_scope'];

/** The header fields that only some statuses have. */
const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  415: ['Accept', 'Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export type DocumentNode = Readonly<Record<string, unknown>>;

/** The header fields of responses. */
export const headers: Readonly<Record<string, DocumentNode>> = {
  'API-Version': header('The edition of the response.', { type: 'string', format: 'date' }),
  'X-Request-Id': header('The correlation id of the request.', { type: 'string', pattern: '^[A-Za-z0-9._-]{8,128}$' }),
  'X-Content-Type-Options': header('Always `nosniff`.', { const: 'nosniff' }),
  'Referrer-Policy': header('Always `no-referrer`.', { const: 'no-referrer' }),
  'Content-Security-Policy': header('Allows nothing.', { type: 'string' }),
  'Cache-Control': header('Whether and how long caches may keep the answer.', { type: 'string' }),
  'Error-Code': header('Why the request was refused, for programs.', { enum: Object.keys(refusals) }),
  'WWW-Authenticate': header('The challenge of RFC 6750, with the metadata of RFC 9728.', { type: 'string' }),
  'Retry-After': header('Seconds after which the same request can succeed.', { type: 'string', pattern: '^[0-9]+$' }),
  ETag: header('A weak validator of the content without its correlation id.', { type: 'string' }),
  Vary: header('What the answer depends on.', { type: 'string' }),
  'Idempotent-Replayed': optional('Present where the first answer to the key is repeated.', { const: 'true' }),
  Accept: optional('The media type that the content should have had.', { const: 'application/json' }),
  'Accept-Encoding': optional('The content coding that the content should have had.', { const: 'identity' }),
  'Access-Control-Allow-Origin': optional('The origins whose pages may read the answer.', { type: 'string' }),
  'Access-Control-Expose-Headers': optional('The header fields that they may read.', { type: 'string' }),
};

const headersOfEveryResponse = [
  'API-Version',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Cache-Control',
];
const crossOriginFields = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

/** The responses of an operation by status: its success, a 304 if it has a validator, and its refusals. */
export function responsesOf(operation: DescribedOperation): DocumentNode {
  const { docs } = operation;
  const own = docs.headers ?? [];
  const success = {
    description: docs.success.description,
    headers: headersOf(operation, own),
    content: content(docs.success.schema, docs.success.example),
  };
  const notModified = { description: 'What the client has is current.', headers: headersOf(operation, own) };
  const errors = [...Map.groupBy(errorCodesOf(operation), (code) => refusals[code][0])].map(
    ([status, codes]): [string, DocumentNode] => [String(status), errorResponse(operation, status, codes)],
  );
  return { 200: success, ...(own.includes('ETag') && { 304: notModified }), ...Object.fromEntries(errors) };
}

/** The values of `Error-Code` in the answers of an operation. */
export function errorCodesOf({ access, body, docs }: DescribedOperation): readonly ErrorCode[] {
  const codes = [
    ...ofEveryOperation,
    ...(body === 'json' ? ofJsonBodies : []),
    ...(access === 'public' ? [] : ofAppKeys),
    ...docs.refusals,
  ];
  return [...new Set(codes)];
}

function errorResponse(operation: DescribedOperation, status: number, codes: readonly ErrorCode[]): DocumentNode {
  const isVerification = operation.errors === 'verification';
  const messages = codes.map((code) => `\`${code}\`: ${refusals[code][1]}`);
  const [first = 'internal_error'] = codes;
  const error = refusals[first][1];
  return {
    description: messages.join('\n\n'),
    headers: {
      ...headersOf(operation, headersOfStatus[status] ?? []),
      ...(codes.includes('store_unavailable') && { 'Retry-After': { ...headers['Retry-After'], required: false } }),
      'Error-Code': { ...headers['Error-Code'], schema: { enum: codes } },
    },
    content: content(
      isVerification ? 'LicenseVerificationError' : 'Error',
      isVerification ? { valid: false, error } : { success: false, error, correlationId: exampleId },
    ),
  };
}

/** The header fields of a response: those of every response, the CORS fields, and its own. */
function headersOf({ crossOrigin, method }: DescribedOperation, own: readonly string[]): DocumentNode {
  const names = [...headersOfEveryResponse, ...(crossOrigin ? crossOriginFields : []), ...own];
  const references = names.map((name): [string, DocumentNode] => [name, { $ref: `#/components/headers/${name}` }]);
  const dependsOnOrigin = crossOrigin && method === 'POST';
  const vary = { ...headers['Vary'], description: '`Origin`, where not every one may post.', required: false };
  return { ...Object.fromEntries(references), ...(dependsOnOrigin && { Vary: vary }) };
}

function content(schema: keyof typeof schemas, example: unknown): DocumentNode {
  const media = { schema: { $ref: `#/components/schemas/${schema}` } };
  return { 'application/json': example === undefined ? media : { ...media, example } };
}

function header(description: string, schema: DocumentNode): DocumentNode {
  return { description, required: true, schema };
}

function optional(description: string, schema: DocumentNode): DocumentNode {
  return { description, required: false, schema };
}
