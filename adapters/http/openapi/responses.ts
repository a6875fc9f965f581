import { exampleId } from '../operations/docs/examples.ts';
import type { DescribedOperation } from '../operations/operation.ts';
import { refusals, type ErrorCode } from '../refusals.ts';
import { STATUS_CODES } from '../server/node-http.ts';
import { reference, type DocumentNode } from './components.ts';
import { errorCodesOf, ofEveryOperation } from './error-codes.ts';
import { errorHeaders, successHeaders } from './headers.ts';

interface ErrorResponse {
  readonly status: number;
  /** The same for responses that are equal, and for no others. */
  readonly name: string;
  readonly response: DocumentNode;
}

/** The error responses that several operations have, by their names. */
export function sharedResponses(operations: readonly DescribedOperation[]): DocumentNode {
  const byName = Map.groupBy(operations.flatMap(errorResponses), ({ name }) => name);
  const shared = [...byName].filter(([, equal]) => equal.length > 1);
  return Object.fromEntries(shared.map(([name, [first]]) => [name, first?.response]));
}

/** The responses of an operation by status: its success, a 304 if it has a validator, and its refusals. */
export function responsesOf(operation: DescribedOperation, shared: DocumentNode): DocumentNode {
  const { success, headers: own = [] } = operation.docs;
  const headers = successHeaders(operation, own);
  const errors = errorResponses(operation).map(({ status, name, response }): [string, DocumentNode] => [
    String(status),
    name in shared ? reference('responses', name) : response,
  ]);
  return {
    200: { description: success.description, headers, content: contentOf(success, success.example) },
    ...(success.created !== undefined && {
      201: { description: success.created, headers, content: contentOf(success, undefined) },
    }),
    ...(own.includes('ETag') && { 304: { description: 'What the client has is current.', headers } }),
    ...Object.fromEntries(errors),
  };
}

function errorResponses(operation: DescribedOperation): readonly ErrorResponse[] {
  const byStatus = Map.groupBy(errorCodesOf(operation), (code) => refusals[code][0]);
  return [...byStatus].map(([status, codes]) => ({
    status,
    name: nameOf(operation, status, codes),
    response: errorResponse(operation, status, codes),
  }));
}

/** The name of an error response: its error body and origins, and the codes that set it apart or else its status. */
function nameOf({ errors, crossOrigin }: DescribedOperation, status: number, codes: readonly ErrorCode[]): string {
  const own = codes.filter((code) => !ofEveryOperation.includes(code));
  const specific = own.filter((code) => code !== 'not_found');
  const what = own.length === 0 ? (STATUS_CODES[status] ?? '') : (specific.length > 0 ? specific : own).join('_or_');
  return `${errors === 'verification' ? 'Verification' : ''}${crossOrigin ? 'CrossOrigin' : ''}${pascalCase(what)}`;
}

/** Text in the form of a component's name: `IfNoneMatch` for `If-None-Match`. */
function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function errorResponse(operation: DescribedOperation, status: number, codes: readonly ErrorCode[]): DocumentNode {
  const [first = 'internal_error'] = codes;
  const error = refusals[first][1];
  return {
    description: codes.map((code) => `\`${code}\`: ${refusals[code][1]}`).join('\n\n'),
    headers: errorHeaders(operation.crossOrigin, status, codes),
    content:
      operation.errors === 'verification'
        ? content('LicenseVerificationError', { valid: false, error })
        : content('ErrorBody', { success: false, error, correlationId: exampleId }),
  };
}

function contentOf({ schema, mediaType }: DescribedOperation['docs']['success'], example: unknown): DocumentNode {
  return content(schema, example, mediaType);
}

function content(schema: string, example: unknown, mediaType = 'application/json'): DocumentNode {
  const media = { schema: reference('schemas', schema) };
  return { [mediaType]: example === undefined ? media : { ...media, example } };
}
