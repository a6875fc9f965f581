import { expect } from 'chai';
import { closed } from '../openapi/closed.ts';
import { committed, resolved, type DescribedOperation } from '../openapi/document.ts';
import { DocumentSchemas } from '../openapi/document-schemas.ts';

/** The part of an answer that the OpenAPI document speaks of. */
export interface ReceivedAnswer {
  readonly status: number;
  /** By lower-case name; the lines of one field joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const document = closed(committed);
const schemas = new DocumentSchemas(document);

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
 * Holds an answer against the OpenAPI document: its status, the names and values of its header fields, `Error-Code`
 * among them, and its content. Nothing is said of answers outside of its operations and of other editions.
 */
export function expectDocumented(method: string, target: string, answer: ReceivedAnswer): void {
  const operation = operationOf(method, target);
  if (operation === null || answer.headers['api-version'] !== document.info.version) return;
  const { status, headers, text } = answer;
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
    if (value !== undefined) expectValid(schema, value, `${name} of ${what}`);
    else if (required) throw new Error(`${what} has no ${name}`);
  }
  const content = response.content?.['application/json'];
  if (method === 'HEAD') return;
  if (content === undefined) expect(text, `content of ${what}`).to.equal('');
  else expectValid(content.schema, JSON.parse(text), `content of ${what}`);
}

function operationOf(method: string, target: string): DescribedOperation | null {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/i, '').split('?', 1);
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

function expectValid(schema: object, value: unknown, what: string): void {
  expect(schemas.errorsOf(schema, value), `${what}: ${JSON.stringify(value)}`).to.equal(null);
}
