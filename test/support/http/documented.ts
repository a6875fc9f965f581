import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';

/** The part of an answer that the OpenAPI document speaks of. */
export interface ReceivedAnswer {
  readonly status: number;
  /** By lower-case name; the lines of one field joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface DescribedHeader {
  readonly required: boolean;
  readonly schema: object;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, { readonly $ref: string } | DescribedHeader>>;
        readonly content?: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
      }
    >
  >;
}

/** The committed document of the current edition, which the service's own one is compared with. */
const document: {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly headers: Readonly<Record<string, DescribedHeader>> };
} = JSON.parse(readFileSync(new URL('../../../docs/openapi-2026-07-18.json', import.meta.url), 'utf8'));

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'openapi');

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
  const response = operation.responses[status];
  if (response === undefined) throw new Error(`${what} is not documented`);
  const described = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), resolved(header)]),
  );
  const names = Object.keys(headers).filter((name) => !undescribed.has(name));
  expect([...described.keys()], `header fields of ${what}`).to.include.members(names);
  for (const [name, { required, schema }] of described) {
    const value = headers[name];
    if (value !== undefined) expectValid(schema, value, `${name} of ${what}`);
    else if (required) throw new Error(`${what} has no ${name}`);
  }
  const content = response.content?.['application/json'];
  if (method === 'HEAD') return;
  if (content === undefined) expect(text, `content of ${what}`).to.equal('');
  else expectValid({ $ref: `openapi${content.schema.$ref}` }, JSON.parse(text), `content of ${what}`);
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

function resolved(header: { readonly $ref: string } | DescribedHeader): DescribedHeader {
  if (!('$ref' in header)) return header;
  const found = document.components.headers[header.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${header.$ref} stands for nothing`);
  return found;
}

function expectValid(schema: object, value: unknown, what: string): void {
  expect(ajv.validate(schema, value), `${what}: ${JSON.stringify(value)} ${ajv.errorsText()}`).to.equal(true);
}
