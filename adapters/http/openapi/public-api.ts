import { scopes, type Scope } from '../../../core/key/app/app-key.ts';
import { currentEdition } from '../editions.ts';
import { schemas } from '../operations/docs/schemas.ts';
import type { ApiDescription } from './document.ts';

const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'read:listings': 'read live listings',
  'write:waitlist': 'submit a waitlist sign-up',
  'read:licenses': 'verify a license key',
  'read:entitlements': 'read an entitlement',
  'write:entitlements': 'cancel or resume an entitlement',
};

const description = `\
Latchkey is a self-hosted licensing service. Apps ask it whether a license key is valid, merchants' servers read, cancel and resume the entitlements behind the keys, and anyone can browse the catalog and join the waitlist.

**Errors** are JSON with a message for people. The header \`Error-Code\` has the code for programs; each operation lists its own. After a 429, or a 500 with \`Retry-After\`, wait that many seconds and repeat the request.

**Versions** are dates. \`API-Version\` selects one; without it the current version answers. Members, headers, operations and statuses may be added to a version at any time, so clients must ignore what they do not know.

**Correlation:** every response names its request in \`X-Request-Id\`, as the logs of the service do.`;

/** The API on the public port. */
export const publicApi: ApiDescription = {
  edition: currentEdition,
  title: 'Latchkey',
  summary: 'Marketplace catalog, waitlist, license verification and entitlements.',
  description,
  schemas,
  credential: {
    name: 'ServiceScopes',
    scheme: {
      type: 'oauth2',
      description:
        'The product-scoped app API key, sent as `Authorization: Bearer svc_sk_live_…`. The scopes describe least privilege for that key. There is no token endpoint: no request must be sent to the token URL, which is the RFC 9728 metadata.',
      flows: {
        clientCredentials: {
          tokenUrl: '/.well-known/oauth-protected-resource',
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeDescriptions[scope]])),
        },
      },
    },
  },
};
