import { constant, named, text } from '../../administration/declaration/schema-parts.ts';
import type { ParameterDocs } from '../operations/docs/operation-docs.ts';
import type { DescribedOperation } from '../operations/operation.ts';
import type { ErrorCode } from '../refusals.ts';
import { reference, type DocumentNode } from './components.ts';

/** The header fields of requests that operations share, by their names as components. */
export const sharedParameters = {
  ApiVersionHeader: {
    name: 'API-Version',
    in: 'header',
    description: 'The version to answer in.',
    schema: named('ApiVersion'),
  },
  RequestIdHeader: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Becomes the correlation id if it is 8 to 128 letters, digits, dots, underscores and hyphens.',
    schema: text,
  },
  IfNoneMatchHeader: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Validators that the client has; compared weakly.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, ParameterDocs>>;

/** The parameters of an operation: its own, those of every operation, and the condition if it has a validator. */
export function parametersOf({ docs }: DescribedOperation): readonly (ParameterDocs | DocumentNode)[] {
  const validated = docs.headers?.includes('ETag') === true;
  const shared: readonly (keyof typeof sharedParameters)[] = [
    'ApiVersionHeader',
    'RequestIdHeader',
    ...(validated ? ['IfNoneMatchHeader' as const] : []),
  ];
  return [...(docs.parameters ?? []), ...shared.map((name) => reference('parameters', name))];
}

const seconds = { type: 'string', pattern: '^[0-9]+$' };

/** The header fields of responses. `Error-Code` is not among them: every response has its own codes. */
export const headers: Readonly<Record<string, DocumentNode>> = {
  'API-Version': required('The edition of the response.', { type: 'string', format: 'date' }),
  'X-Request-Id': required('The correlation id of the request.', named('CorrelationId')),
  'X-Content-Type-Options': required('Always `nosniff`.', constant('nosniff')),
  'Referrer-Policy': required('Always `no-referrer`.', constant('no-referrer')),
  'Content-Security-Policy': required('Allows nothing.', text),
  'Cache-Control': required('Whether and how long caches may keep the answer.', text),
  'WWW-Authenticate': required(
    'The challenge of RFC 6750, with the metadata of RFC 9728 where the service has them.',
    text,
  ),
  'Retry-After': required('Seconds after which the same request can succeed.', seconds),
  ETag: required('A weak validator of the content without its correlation id.', text),
  Vary: required('What the answer depends on.', text),
  'Idempotent-Replayed': optional('Present where the first answer to the key is repeated.', constant('true')),
  Accept: optional('The media type that the content should have had.', constant('application/json')),
  'Accept-Encoding': optional('The content coding that the content should have had.', constant('identity')),
  'Access-Control-Allow-Origin': optional('The origins whose pages may read the answer.', text),
  'Access-Control-Expose-Headers': optional('The header fields that they may read.', text),
};

const ofEveryResponse = [
  'API-Version',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Content-Security-Policy',
  'Cache-Control',
];
const ofCrossOriginResponses = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

/** The header fields that only some statuses have. */
const ofStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  415: ['Accept', 'Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const varyByOrigin = optional('`Origin`, unless every origin may send POST requests.', text);
const varyByAccept = optional('`Accept`, where pages are on.', text);
const retryOfFault = optional('Seconds after which the same request can succeed, where the fault may pass.', seconds);

/** The header fields of a success: those of every response, the CORS fields, and its own. */
export function successHeaders(
  { crossOrigin, method, docs }: DescribedOperation,
  own: readonly string[],
): DocumentNode {
  const fields = references([...ofEveryResponse, ...(crossOrigin ? ofCrossOriginResponses : []), ...own]);
  if (docs.hasPage === true) return { ...fields, Vary: varyByAccept };
  return crossOrigin && method === 'POST' ? { ...fields, Vary: varyByOrigin } : fields;
}

/** The header fields of an error, and the values of `Error-Code` in it. */
export function errorHeaders(crossOrigin: boolean, status: number, codes: readonly ErrorCode[]): DocumentNode {
  return {
    ...references([...ofEveryResponse, ...(ofStatus[status] ?? [])]),
    ...(crossOrigin && { ...references(ofCrossOriginResponses), Vary: varyByOrigin }),
    ...(codes.includes('store_unavailable') && { 'Retry-After': retryOfFault }),
    'Error-Code': required('Why the request was refused, for programs.', {
      ...named('ErrorCode'),
      type: 'string',
      enum: codes,
    }),
  };
}

function references(names: readonly string[]): DocumentNode {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

function required(description: string, schema: DocumentNode): DocumentNode {
  return { description, required: true, schema };
}

function optional(description: string, schema: DocumentNode): DocumentNode {
  return { description, required: false, schema };
}
