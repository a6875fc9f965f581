import { expect } from 'chai';
import { closed } from '../openapi/closed.ts';
import { DocumentSchemas } from '../openapi/document-schemas.ts';
import {
  committed,
  committedAdmin,
  resolved,
  type DescribedOperation,
  type OpenApiDocument,
} from '../openapi/document.ts';

/** The part of an answer that the OpenAPI document speaks of. */
export interface ReceivedAnswer {
  readonly status: number;
  /** By lower-case name; the lines of one field joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A document whose answers have no other members than those that it names. */
interface ClosedDocument {
  readonly document: OpenApiDocument;
  readonly schemas: DocumentSchemas;
}

const ofPublicPort = closedDocument(committed);
const ofAdminPort = closedDocument(committedAdmin);

/** Fields of the connection and of the content, which an OpenAPI document does not describe. */
const undescribed = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/**
 * Holds an answer against the OpenAPI document of its interface: its status, the names and values of its header fields, `Error-Code`
 * among them, and its content. Nothing is said of answers outside of its operations and of other editions.
 */
export function expectDocumented(method: string, target: string, answer: ReceivedAnswer): void {
  const { status, headers, text } = answer;
  const path = pathOf(target);
  if (path.startsWith('/admin/') && headers['error-code'] === 'not_found') return; // as on the public port
  const { document, schemas } = path.startsWith('/admin/') ? ofAdminPort : ofPublicPort;
  const operation = operationOf(method, path, document);
  if (operation === null || headers['api-version'] !== document.components.schemas['ApiVersion']?.['default']) return;
  const what = `${operation.operationId} ${status}`;
  const described = operation.responses[status];
  if (described === undefined) throw new Error(`${what} is not documented`);
  const response = resolved(described, document);
  const fields = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), resolved(header, document)]),
  );
  const names = Object.keys(headers).filter((name) => !undescribed.has(name));
  expect([...fields.keys()], `header fields of ${what}`).to.include.members(names);
  for (const [name, { required, schema }] of fields) {
    const value = headers[name];
    if (value !== undefined) expectValid(schemas, schema, value, `${name} of ${what}`);
    else if (required) throw new Error(`${what} has no ${name}`);
  }
  const [content] = Object.values(response.content ?? {});
  if (method === 'HEAD') return;
  if (content === undefined) expect(text, `content of ${what}`).to.equal('');
  else expectValid(schemas, content.schema, JSON.parse(text), `content of ${what}`);
}

function closedDocument(published: OpenApiDocument): ClosedDocument {
  const document = closed(published);
  return { document, schemas: new DocumentSchemas(document) };
}

function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split('?', 1);
  return path;
}

function operationOf(method: string, path: string, document: OpenApiDocument): DescribedOperation | null {
  const segments = path.split('/');
  const template = Object.keys(document.paths).find((known) => {
    const parts = known.split('/');
    return parts.length === segments.length && parts.every((part, index) => fits(part, segments[index] ?? ''));
  });
  const operations = template === undefined ? undefined : document.paths[template];
  return operations?.[method === 'HEAD' ? 'get' : method.toLowerCase()] ?? null;
}

function fits(part: string, segment: string): boolean {
  return part.startsWith('{') ? segment !== '' : part === segment;
}

function expectValid(schemas: DocumentSchemas, schema: object, value: unknown, what: string): void {
  expect(schemas.errorsOf(schema, value), `${what}: ${JSON.stringify(value)}`).to.equal(null);
}
