import { scopes } from '../../../core/access/scope.ts';
import { weakEtag } from '../etag.ts';
import { metadataExample } from './docs/examples.ts';
import type { Operation } from './operation.ts';
import type { OperationDocs } from './docs/operation-docs.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

/** The URL of the metadata of a resource: the well-known path goes between its host and its path (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return origin + metadataPath(pathname);
}

/**
 * The RFC 9728 metadata of `resource`, the address under which clients reach the service; never of the Host header.
 * There is no authorization server, so none is named. Where the resource has a path, the document stands at the
 * place that the RFC gives it and at the bare one that the specification names, which alone the OpenAPI document describes.
 */
export function discoveryOperations(resource: () => string, path: string): readonly Operation[] {
  const paths = new Set([wellKnown, metadataPath(path)]);
  return [...paths].map((at) => ({
    id: 'getProtectedResourceMetadata',
    method: 'GET',
    path: at,
    access: 'public',
    body: 'ignored',
    crossOrigin: true,
    errors: 'standard',
    docs: at === wellKnown ? docs : null,
    handle: async () => {
      const body = JSON.stringify({
        resource: resource(),
        resource_name: 'Latchkey',
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      });
      return { status: 200, body, cacheControl: 'public, max-age=3600', etag: weakEtag(body), headers: vary };
    },
  }));
}

const docs: OperationDocs = {
  summary: 'The RFC 9728 metadata of the service as a protected resource.',
  success: { description: 'The metadata.', schema: 'ProtectedResourceMetadata', example: metadataExample },
  headers: { ETag: 'a validator', Vary: 'API-Version' },
  refusals: [],
};

const vary = ['Vary', 'API-Version'];

function metadataPath(path: string): string {
  return wellKnown + (path === '/' ? '' : path);
}
