import { noStore } from '../answer.ts';
import { service } from '../operations/admin/docs/admin-tags.ts';
import type { Operation } from '../operations/operation.ts';
import { adminApi } from './admin-api.ts';
import { describedBy, type DocumentFields } from './openapi-operation.ts';

/** Adds `/admin/openapi.json`, which describes the administration and itself. */
export function withAdminOpenApi(operations: readonly Operation[]): readonly Operation[] {
  const own: DocumentFields = {
    id: 'getAdminOpenApiDocument',
    path: '/admin/openapi.json',
    crossOrigin: false,
    docs: {
      tag: service,
      summary: 'Get this document.',
      description: 'The OpenAPI 3.1 document of the current version of the administration.',
      success: { description: 'The document.', schema: 'OpenApiDocument' },
      refusals: [],
    },
  };
  return describedBy(own, operations, adminApi(operations), (body) => ({ status: 200, body, cacheControl: noStore }));
}
