import { scopes, type Scope } from '../../../core/access/scope.ts';
import type { DescribedOperation, Operation } from '../operations/operation.ts';
import type { ParameterDocs } from '../operations/docs/operation-docs.ts';
import { headers, responsesOf, type DocumentNode } from './responses.ts';
import { schemas } from '../operations/docs/schemas.ts';

const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'read:listings': 'read live listings',
  'write:waitlist': 'submit a waitlist sign-up',
  'read:licenses': 'verify a license key',
  'read:entitlements': 'read an entitlement',
  'write:entitlements': 'cancel or resume an entitlement',
};

const securityScheme = {
  type: 'oauth2',
  description:
    'The product-scoped app API key, sent as `Authorization: Bearer svc_sk_live_…`. The scopes describe least privilege for that key. There is no token endpoint: no request must be sent to the token URL, which is the RFC 9728 metadata.',
  flows: {
    clientCredentials: {
      tokenUrl: '/.well-known/oauth-protected-resource',
      scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeDescriptions[scope]])),
    },
  },
};

/** Makes the OpenAPI 3.1 document of an edition from the routing table and the schemas that requests are checked with. */
export function openApiDocument(operations: readonly Operation[], edition: string): DocumentNode {
  const paths = [...Map.groupBy(operations.filter(isDescribed), ({ path }) => path)].map(
    ([path, own]): [string, DocumentNode] => [
      path.replaceAll(/:(\w+)/g, '{$1}'),
      Object.fromEntries(own.map((operation) => [operation.method.toLowerCase(), operationObject(operation, edition)])),
    ],
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Latchkey',
      version: edition,
      summary: 'Marketplace catalog, waitlist, license verification and entitlements.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: { schemas, headers, securitySchemes: { ServiceScopes: securityScheme } },
  };
}

function isDescribed(operation: Operation): operation is DescribedOperation {
  return operation.docs !== null;
}

function operationObject(operation: DescribedOperation, edition: string): DocumentNode {
  const { id, access, docs } = operation;
  const accepted = docs.acceptedScope;
  const optionalSecurity = accepted === undefined ? [] : [{}, { ServiceScopes: [accepted] }];
  return {
    operationId: id,
    summary: docs.summary,
    security: access === 'public' ? optionalSecurity : [{ ServiceScopes: [access] }],
    parameters: [...(docs.parameters ?? []), ...commonParameters(edition, docs.headers?.includes('ETag') === true)],
    ...(docs.request && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: docs.request, example: docs.requestExample } },
      },
    }),
    responses: responsesOf(operation),
  };
}

function commonParameters(edition: string, validated: boolean): readonly ParameterDocs[] {
  const all: readonly ParameterDocs[] = [
    {
      name: 'API-Version',
      in: 'header',
      description: 'The edition to answer in; the current one where the header is absent.',
      schema: { enum: [edition] },
    },
    {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Becomes the correlation id where it is 8 to 128 letters, digits, dots, underscores and hyphens.',
      schema: { type: 'string' },
    },
  ];
  const condition: ParameterDocs = {
    name: 'If-None-Match',
    in: 'header',
    description: 'Validators that the client has; compared weakly.',
    schema: { type: 'string' },
  };
  return validated ? [...all, condition] : all;
}
