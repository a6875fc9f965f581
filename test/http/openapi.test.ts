import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { refusals } from '../../adapters/http/refusals.ts';
import { schemas } from '../../adapters/http/openapi/schemas.ts';
import { startEdge } from '../support/edge-service.ts';
import { edge } from '../support/edge-world.ts';
import type { TestService } from '../support/service.ts';

const golden = new URL('../../docs/openapi-2026-07-18.json', import.meta.url);

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: {
          readonly 'application/json': { readonly schema: { readonly $ref: string }; readonly example: unknown };
        };
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

describe('the OpenAPI document', () => {
  let service: TestService;
  let document: Document;
  before(async () => {
    service = await startEdge();
    document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
  });
  after(() => service.stop());

  function exampleOf(path: string, method: string): unknown {
    return document.paths[path]?.[method]?.responses['200']?.content?.['application/json'].example;
  }

  it('is the committed one of its edition', async () => {
    expect(document).to.deep.equal(JSON.parse(await readFile(golden, 'utf8')));
  });

  it('names every operation, every error code and the five scopes', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId)).to.deep.equal([
      'listListings',
      'getListing',
      'joinWaitlist',
      'verifyLicense',
      'getEntitlement',
      'cancelEntitlement',
      'resumeEntitlement',
      'getProtectedResourceMetadata',
      'live',
      'ready',
      'getOpenApiDocument',
    ]);
    expect(document.components.headers['Error-Code'].schema.enum).to.have.members(Object.keys(refusals));
    expect(
      Object.keys(document.components.securitySchemes.ServiceScopes.flows.clientCredentials.scopes),
    ).to.have.lengthOf(5);
  });

  it('has examples that keep to its schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const compiled = new Map(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));
    const contents = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content }) => (content === undefined ? [] : [content['application/json']]));
    expect(contents.length).to.be.above(100);
    for (const { schema, example } of contents) {
      const validate = compiled.get(schema.$ref.split('/').at(-1) ?? '');
      expect(validate?.(example), JSON.stringify(validate?.errors)).to.equal(true);
    }
  });

  it('has examples that are real answers', async () => {
    const headers = {
      'X-Request-Id': '8d3f9c1e-6b0a-4a57-9d2e-51c6f0b7a934',
      authorization: `Bearer ${edge.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'openapi-example',
    };
    const ask = async (path: string, method = 'GET', content?: string): Promise<unknown> =>
      (await fetch(service.url + path, { method, headers, ...(content !== undefined && { body: content }) })).json();
    const id = '/api/app-entitlements/{id}';
    expect(await ask('/api/app-entitlements/ent_1')).to.deep.equal(exampleOf(id, 'get'));
    expect(await ask('/api/app-entitlements/ent_1/cancel', 'POST')).to.deep.equal(exampleOf(`${id}/cancel`, 'post'));
    expect(await ask('/api/licenses/verify', 'POST', JSON.stringify({ licenseKey: edge.license }))).to.deep.equal(
      exampleOf('/api/licenses/verify', 'post'),
    );
    expect(await ask('/api/waitlist', 'POST', JSON.stringify({ email: 'ada@example.com' }))).to.deep.equal(
      exampleOf('/api/waitlist', 'post'),
    );
    expect(await ask('/livez')).to.deep.equal(exampleOf('/livez', 'get'));
  });
});
