import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { exampleId } from '../../../../adapters/http/operations/docs/examples.ts';
import { refusals } from '../../../../adapters/http/refusals.ts';
import { schemas } from '../../../../adapters/http/operations/docs/schemas.ts';
import { expectSameLines } from '../../../support/documents/line-diff.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { send, type RequestOptions } from '../../../support/http/http-client.ts';
import type { TestService } from '../../../support/http/test-service.ts';

const golden = new URL('../../../../docs/openapi-2026-07-18.json', import.meta.url);

interface Example {
  readonly example?: unknown;
}
interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly (Example & { readonly name: string; readonly in: 'path' | 'query' | 'header' })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Example & { readonly schema: object } } };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: { readonly 'application/json': Example & { readonly schema: { readonly $ref: string } } };
      }
    >
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly headers: { readonly 'Error-Code': { readonly schema: { readonly enum: string[] } } };
    readonly securitySchemes: {
      readonly ServiceScopes: { readonly flows: { readonly clientCredentials: { readonly scopes: object } } };
    };
  };
}

const committed: Document = JSON.parse(readFileSync(golden, 'utf8'));
const operations = Object.entries(committed.paths).flatMap(([path, own]) =>
  Object.entries(own).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('the OpenAPI document', () => {
  let service: TestService;
  let document: Document;
  before(async () => {
    service = await startPopulated();
    document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
  });
  after(() => service.stop());

  it('is the committed one of its edition', () => {
    expectSameLines(pretty(committed), pretty(document), 'The committed document is out of date. Run: npm run docs');
  });

  it('is the same where the service has a public address with a path', async () => {
    const own = await startPopulated({ publicUrl: 'https://latchkey.example/behind/a/path' });
    try {
      const { status, body } = await send(`${own.url}/openapi.json`, { method: 'GET' });
      expect(status).to.equal(200);
      expectSameLines(pretty(committed), pretty(body), 'The document depends on the public address.');
    } finally {
      await own.stop();
    }
  });

  it('names every operation, every error code and the five scopes', () => {
    expect(operations.map(({ operation }) => operation.operationId)).to.deep.equal([
      'listListings',
      'getListing',
      'joinWaitlist',
      'verifyLicense',
      'getEntitlement',
      'cancelEntitlement',
      'resumeEntitlement',
      'getProtectedResourceMetadata',
      'getServiceInfo',
      'live',
      'ready',
      'getOpenApiDocument',
    ]);
    expect(document.components.headers['Error-Code'].schema.enum).to.have.members(Object.keys(refusals));
    expect(
      Object.keys(document.components.securitySchemes.ServiceScopes.flows.clientCredentials.scopes),
    ).to.have.lengthOf(5);
  });

  it('has request bodies whose schemas are valid', () => {
    const bodies = operations.flatMap(
      ({ operation: { requestBody } }) => requestBody?.content['application/json'] ?? [],
    );
    expect(bodies).to.have.length(2);
    for (const { schema, example } of bodies) {
      const ajv = new Ajv2020({ strict: false, formats: { 'well-formed': true } });
      formats.default(ajv);
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true);
      expect(ajv.validate(schema, example)).to.equal(true);
    }
  });

  it('has examples that keep to its schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const compiled = new Map(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));
    const contents = operations
      .flatMap(({ operation }) => Object.values(operation.responses))
      .flatMap(({ content }) => (content === undefined ? [] : [content['application/json']]))
      .filter((content) => 'example' in content);
    expect(contents.length).to.be.above(100);
    for (const { schema, example } of contents) {
      const validate = compiled.get(schema.$ref.split('/').at(-1) ?? '');
      expect(validate?.(example), JSON.stringify(validate?.errors)).to.equal(true);
    }
  });

  for (const { path, method, operation } of operations) {
    const { operationId, responses } = operation;
    // Their answers change with every release.
    if (operationId === 'getOpenApiDocument' || operationId === 'getServiceInfo') continue;
    it(`has an example of ${operationId} that is a real answer to its example request`, async () => {
      const example = responses['200']?.content?.['application/json'].example;
      const own = await startPopulated({ publicUrl: 'https://latchkey.example' });
      try {
        const reply = await send(own.url + targetOf(path, operation), { method, ...contentOf(operation) });
        expect([reply.status, reply.body]).to.deep.equal([200, example]);
      } finally {
        await own.stop();
      }
    });
  }
});

function pretty(document: unknown): string {
  return JSON.stringify(document, null, 2);
}

/** The path with the examples of its parameters, and the query of the examples. */
function targetOf(path: string, { parameters }: Described): string {
  const of = (place: 'path' | 'query'): readonly [string, string][] =>
    parameters.flatMap(({ name, in: at, example }) =>
      at === place && typeof example === 'string' ? [[name, example]] : [],
    );
  const query = new URLSearchParams([...of('query')]).toString();
  const filled = of('path').reduce((template, [name, value]) => template.replace(`{${name}}`, value), path);
  return query === '' ? filled : `${filled}?${query}`;
}

/** The example header fields and body, under the correlation id of every example, with an app key where one is needed. */
function contentOf({ parameters, requestBody, security }: Described): RequestOptions {
  const fields = parameters.flatMap(({ name, in: at, example }) =>
    at === 'header' && typeof example === 'string' ? [`${name}: ${example}`] : [],
  );
  const needsKey = security.length > 0 && security.every((scheme) => 'ServiceScopes' in scheme);
  const credential = needsKey ? [bearer()] : [];
  const headers = [`X-Request-Id: ${exampleId}`, ...fields, ...credential];
  if (requestBody === undefined) return { headers };
  const body = JSON.stringify(requestBody.content['application/json'].example);
  return { headers: [...headers, json], body };
}
