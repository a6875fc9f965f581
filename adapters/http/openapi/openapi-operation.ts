import type { Answer } from '../answer.ts';
import { weakEtag } from '../etag.ts';
import type { Operation } from '../operations/operation.ts';
import { service } from '../operations/docs/tags.ts';
import { openApiDocument } from './document.ts';
import { publicApi } from './public-api.ts';

/** Adds `/openapi.json`, which describes the operations and itself. */
export function withOpenApi(operations: readonly Operation[]): readonly Operation[] {
  const self: Operation = {
    id: 'getOpenApiDocument',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    body: 'ignored',
    crossOrigin: true,
    errors: 'standard',
    docs: {
      tag: service,
      summary: 'Get this document.',
      description: 'The OpenAPI 3.1 document of the current version.',
      success: { description: 'The document.', schema: 'OpenApiDocument' },
      headers: ['ETag', 'Vary'],
      refusals: [],
    },
    handle: async () => answer,
  };
  const all: readonly Operation[] = [...operations, self];
  const body = JSON.stringify(openApiDocument(all, publicApi));
  const answer: Answer = {
    status: 200,
    body,
    cacheControl: 'public, max-age=3600',
    etag: weakEtag(body),
    headers: ['Vary', 'API-Version'],
  };
  return all;
}
