import { keptPromise } from '../../../core/kept-promise.ts';
import { forAnHour, noStore, varyByEdition, type Answer } from '../answer.ts';
import { weakEtag } from '../etag.ts';
import { service as adminService } from '../operations/admin/docs/admin-docs.ts';
import { service } from '../operations/docs/operation-docs.ts';
import type { Operation, PublicOperation } from '../operations/operation.ts';
import { adminApi } from './admin-api.ts';
import { openApiDocument, type ApiDescription } from './document.ts';
import { publicApi } from './public-api.ts';

/** The fields of an operation that differ from document to document. */
type DocumentFields = Pick<PublicOperation, 'id' | 'path' | 'crossOrigin' | 'docs'>;

/** Adds `/openapi.json`, which describes the public operations and itself. */
export function withOpenApi(operations: readonly Operation[]): readonly Operation[] {
  const own: DocumentFields = {
    id: 'getOpenApiDocument',
    path: '/openapi.json',
    crossOrigin: true,
    docs: {
      tag: service,
      summary: 'Get this document.',
      description: 'The OpenAPI 3.1 document of the current version.',
      success: { description: 'The document.', schema: 'OpenApiDocument' },
      headers: ['ETag', 'Vary'],
      refusals: [],
    },
  };
  return describedBy(own, operations, publicApi, (body) => ({
    status: 200,
    body,
    cacheControl: forAnHour,
    etag: weakEtag(body.toString()),
    headers: varyByEdition,
  }));
}

/** Adds `/admin/openapi.json`, which describes the administration and itself. */
export function withAdminOpenApi(operations: readonly Operation[]): readonly Operation[] {
  const own: DocumentFields = {
    id: 'getAdminOpenApiDocument',
    path: '/admin/openapi.json',
    crossOrigin: false,
    docs: {
      tag: adminService,
      summary: 'Get this document.',
      description: 'The OpenAPI 3.1 document of the current version of the administration.',
      success: { description: 'The document.', schema: 'OpenApiDocument' },
      refusals: [],
    },
  };
  return describedBy(own, operations, adminApi(operations), (body) => ({ status: 200, body, cacheControl: noStore }));
}

/** Adds an operation that answers with the document of all, itself included, which the first request makes. */
function describedBy(
  own: DocumentFields,
  operations: readonly Operation[],
  api: ApiDescription,
  answerOf: (body: Buffer) => Answer,
): readonly Operation[] {
  const make = async (): Promise<Answer> => answerOf(Buffer.from(JSON.stringify(await openApiDocument(all, api))));
  const self: Operation = {
    method: 'GET',
    caller: 'anyone',
    body: 'ignored',
    errors: 'standard',
    handle: keptPromise(make),
    ...own,
  };
  const all: readonly Operation[] = [...operations, self];
  return all;
}
