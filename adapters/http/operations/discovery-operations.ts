import { scopes } from '../../../core/key/app/app-key.ts';
import { forAnHour, varyByEdition } from '../answer.ts';
import { weakEtag } from '../etag.ts';
import { metadataExample } from './docs/examples.ts';
import { service, type OperationDocs } from './docs/operation-docs.ts';
import type { Operation } from './operation.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

const metadataDocs: OperationDocs = {
  tag: service,
  summary: 'Get the metadata of the service as a protected resource.',
  description: 'The document of RFC 9728. It names the scopes of app keys. The service has no authorization server.',
  success: { description: 'The metadata.', schema: 'ProtectedResourceMetadata', example: metadataExample },
  headers: ['ETag', 'Vary'],
  refusals: [],
};

/** The URL of a resource's metadata: the well-known path goes between its host and its path (RFC 9728 §3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return origin + metadataPath(pathname);
}

/**
 * Serves the RFC 9728 metadata of `resource`, the URL under which clients reach the service; the Host header has no part in
 * it. There is no authorization server to name. If the resource has a path, the document is served at the path that the RFC
 * requires and at the bare one of the specification; the OpenAPI document describes the bare one only.
 */
export function discoveryOperations(resource: () => string, path: string): readonly Operation[] {
  const paths = new Set([wellKnown, metadataPath(path)]);
  return [...paths].map((at) => ({
    id: 'getProtectedResourceMetadata',
    method: 'GET',
    path: at,
    caller: 'anyone',
    body: 'ignored',
    crossOrigin: true,
    errors: 'standard',
    docs: at === wellKnown ? metadataDocs : null,
    handle: async () => {
      const body = JSON.stringify({
        resource: resource(),
        resource_name: 'Latchkey',
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      });
      return { status: 200, body, cacheControl: forAnHour, etag: weakEtag(body), headers: varyByEdition };
    },
  }));
}

function metadataPath(path: string): string {
  return wellKnown + (path === '/' ? '' : path);
}
