import type { ParameterDocs } from '../operations/docs/operation-docs.ts';
import { named, text } from '../operations/docs/schema-parts.ts';
import type { DescribedOperation } from '../operations/operation.ts';
import { reference, type DocumentNode } from './document-node.ts';

/** The header fields of requests that operations share, by their names as components. */
export const sharedParameters = {
  ApiVersionHeader: {
    name: 'API-Version',
    in: 'header',
    description: 'The version to answer in.',
    schema: named('ApiVersion'),
  },
  RequestIdHeader: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Becomes the correlation id if it is 8 to 128 letters, digits, dots, underscores and hyphens.',
    schema: text,
  },
  IfNoneMatchHeader: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Validators that the client has; compared weakly.',
    schema: text,
  },
} as const satisfies Readonly<Record<string, ParameterDocs>>;

/** The parameters of an operation: its own, those of every operation, and the condition if it has a validator. */
export function parametersOf({ docs }: DescribedOperation): readonly (ParameterDocs | DocumentNode)[] {
  const validated = docs.headers?.includes('ETag') === true;
  const shared: readonly (keyof typeof sharedParameters)[] = [
    'ApiVersionHeader',
    'RequestIdHeader',
    ...(validated ? ['IfNoneMatchHeader' as const] : []),
  ];
  return [...(docs.parameters ?? []), ...shared.map((name) => reference('parameters', name))];
}
