import { setImmediate } from 'node:timers/promises';
import { described, enumOf } from '../../administration/declaration/schema-parts.ts';
import type { DescribedOperation, Operation } from '../operations/operation.ts';
import { reference, usedComponents, type DocumentNode } from './components.ts';
import { errorCodesOfAll } from './error-codes.ts';
import { headers, parametersOf, sharedParameters } from './headers.ts';
import { responsesOf, sharedResponses } from './responses.ts';

/** The description of an interface beside its operations. */
export interface ApiDescription {
  readonly edition: string;
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** The named schemas that its operations may use. */
  readonly schemas: Readonly<Record<string, DocumentNode>>;
  /** The credential of the operations that are not public. */
  readonly credential: { readonly name: string; readonly scheme: DocumentNode };
}

/**
 * Makes the OpenAPI 3.1 document of an interface from its routing table. It has the components that are used. Other requests
 * are answered in between, because the document takes tens of milliseconds.
 */
export async function openApiDocument(operations: readonly Operation[], api: ApiDescription): Promise<DocumentNode> {
  const documented = operations.filter(isDescribed);
  const shared = sharedResponses(documented);
  await setImmediate();
  const paths: Record<string, DocumentNode> = {};
  for (const [path, own] of Map.groupBy(documented, (operation) => operation.path)) {
    paths[path.replaceAll(/:(\w+)/g, '{$1}')] = Object.fromEntries(
      own.map((each) => [each.method.toLowerCase(), operationObject(each, api, shared)]),
    );
    await setImmediate();
  }
  const components = {
    schemas: { ...api.schemas, ...derivedSchemas(documented, api) },
    responses: shared,
    parameters: sharedParameters,
    headers,
  };
  await setImmediate();
  const used = await usedComponents(Object.values(paths), components);
  return {
    openapi: '3.1.1',
    info: infoOf(api),
    servers: [{ url: '/' }],
    tags: [...new Set(documented.map(({ docs }) => docs.tag))],
    paths,
    components: {
      ...used,
      securitySchemes: { [api.credential.name]: api.credential.scheme },
    },
  };
}

function isDescribed(operation: Operation): operation is DescribedOperation {
  return operation.docs !== null;
}

function infoOf({ title, edition, summary, description }: ApiDescription): DocumentNode {
  return {
    title,
    version: packageVersion(edition),
    summary,
    description,
    contact: { name: 'The Latchkey maintainers' },
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

/** The date of an edition as a version (SemVer, PEP 440), which has no leading zeros. Generators give it to their packages. */
function packageVersion(edition: string): string {
  return edition.split('-').map(Number).join('.');
}

/** The schemas that every interface has. */
function derivedSchemas(operations: readonly DescribedOperation[], { edition }: ApiDescription): DocumentNode {
  return {
    ApiVersion: { ...enumOf([edition]), default: edition },
    ErrorCode: described('The values of the header `Error-Code`.', enumOf(errorCodesOfAll(operations))),
  };
}

function operationObject(operation: DescribedOperation, api: ApiDescription, shared: DocumentNode): DocumentNode {
  const { id, caller, body, docs } = operation;
  return {
    operationId: id,
    tags: [docs.tag.name],
    summary: docs.summary,
    description: descriptionOf(operation),
    security: caller === 'anyone' ? [] : [{ [api.credential.name]: [operation.access] }],
    parameters: parametersOf(operation),
    ...(docs.request && {
      requestBody: {
        required: body === 'json',
        content: {
          'application/json': { schema: reference('schemas', docs.request.schema), example: docs.request.example },
        },
      },
    }),
    responses: responsesOf(operation, shared),
  };
}

/**
 * The description, with the scope that a public operation accepts. As a security requirement beside the empty one, the
 * scope made generators ask for a credential.
 */
function descriptionOf({ docs: { description, acceptedScope } }: DescribedOperation): string {
  if (acceptedScope === undefined) return description;
  return `${description}\n\nNo credential is needed. An app key with the scope \`${acceptedScope}\` is accepted.`;
}
