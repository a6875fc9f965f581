import { ok } from '../answer.ts';
import { currentEdition } from '../editions.ts';
import { service } from './docs/operation-docs.ts';
import type { Operation } from './operation.ts';

/** Paths for people and programs that know only the base address. They are relative to it. */
const links = {
  openapi: '/openapi.json',
  listings: '/api/marketplace/listings',
  metadata: '/.well-known/oauth-protected-resource',
  live: '/livez',
  ready: '/readyz',
};

/** `GET /`: what runs here, and where to go on. */
export function serviceInfoOperations(release: string): readonly Operation[] {
  const body = JSON.stringify({ name: 'Latchkey', release, edition: currentEdition, links });
  return [
    {
      id: 'getServiceInfo',
      method: 'GET',
      path: '/',
      access: 'public',
      body: 'ignored',
      crossOrigin: false,
      errors: 'standard',
      docs: {
        tag: service,
        summary: 'Get what runs here, and where to go on.',
        description:
          'The name, the release and the current version of the service, and paths relative to its address. Clients that prefer HTML get the marketplace instead, unless pages are off.',
        success: { description: 'The service.', schema: 'ServiceInfo' },
        hasPage: true,
        refusals: [],
      },
      handle: async () => ok(body),
    },
  ];
}
