import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { exampleId } from '../../../../adapters/http/operations/docs/examples.ts';
import { publicRefusals } from '../../../../adapters/http/refusals.ts';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { expectSameLines } from '../../../support/documents/line-diff.ts';
import { send, type RequestOptions } from '../../../support/http/http-client.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { closed } from '../../../support/openapi/closed.ts';
import { DocumentSchemas } from '../../../support/openapi/document-schemas.ts';
import {
  committed,
  operationsOf,
  resolved,
  type DescribedOperation,
  type OpenApiDocument,
} from '../../../support/openapi/document.ts';

const operations = operationsOf(committed);

/**
 * Their answers change with every release, or with the keys of the store, and a link is a secret. Those about devices follow each other:
 * `test/adapters/http/operations/devices/devices.test.ts` has them.
 */
const withoutFixedAnswer = [
  'getOpenApiDocument',
  'getServiceInfo',
  'issueReceipt',
  'startTrial',
  'getSigningKeys',
  'activateDevice',
  'deactivateDevice',
  'listLicenseDevices',
  'createEntitlementLink',
];

describe('the OpenAPI document', () => {
  let service: TestService;
  let document: OpenApiDocument;
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
      'issueReceipt',
      'startTrial',
      'activateDevice',
      'deactivateDevice',
      'listLicenseDevices',
      'getEntitlement',
      'cancelEntitlement',
      'resumeEntitlement',
      'createEntitlementLink',
      'endEntitlementLinks',
      'listEvents',
      'getProtectedResourceMetadata',
      'getSigningKeys',
      'getServiceInfo',
      'live',
      'ready',
      'getOpenApiDocument',
    ]);
    const { schemas, securitySchemes } = document.components;
    expect(schemas['ErrorCode']?.['enum']).to.have.members(Object.keys(publicRefusals));
    expect(schemas['Scope']?.['enum']).to.deep.equal(scopes);
    const { flows } = securitySchemes['ServiceScopes'] as {
      readonly flows: { readonly clientCredentials: { readonly scopes: object } };
    };
    expect(Object.keys(flows.clientCredentials.scopes)).to.deep.equal(scopes);
  });

  it('has request bodies whose schemas are valid', () => {
    const bodies = operations.flatMap(
      ({ operation: { requestBody } }) => requestBody?.content['application/json'] ?? [],
    );
    expect(bodies).to.have.length(8);
    const ajv = new Ajv2020({ strict: false });
    for (const { schema } of bodies)
      expect(ajv.validateSchema(resolved<object>(schema)), JSON.stringify(ajv.errors)).to.equal(true);
  });

  it('has examples that keep to its schemas', () => {
    const schemas = new DocumentSchemas(closed(committed));
    const contents = operations
      .flatMap(({ operation }) => [
        operation.requestBody,
        ...Object.values(operation.responses).map((each) => resolved(each)),
      ])
      .flatMap((each) => (each?.content === undefined ? [] : Object.values(each.content)))
      .filter((content) => 'example' in content);
    expect(contents.length).to.be.above(100);
    for (const { schema, example } of contents)
      expect(schemas.errorsOf(schema, example), JSON.stringify(example)).to.equal(null);
  });

  for (const { path, method, operation } of operations) {
    const { operationId, responses } = operation;
    if (withoutFixedAnswer.includes(operationId)) continue;
    it(`has an example of ${operationId} that is a real answer to its example request`, async () => {
      const example = resolved(responses['200'] ?? expect.fail()).content?.['application/json'].example;
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
function targetOf(path: string, { parameters }: DescribedOperation): string {
  const of = (place: 'path' | 'query'): readonly [string, string][] =>
    parameters
      .map((each) => resolved(each))
      .flatMap(({ name, in: at, example }) =>
        at === place && example !== undefined ? [[name, String(example)] as [string, string]] : [],
      );
  const query = new URLSearchParams([...of('query')]).toString();
  const filled = of('path').reduce((template, [name, value]) => template.replace(`{${name}}`, value), path);
  return query === '' ? filled : `${filled}?${query}`;
}

/** The example header fields and body, under the correlation id of every example, with an app key where one is needed. */
function contentOf({ parameters, requestBody, security }: DescribedOperation): RequestOptions {
  const fields = parameters
    .map((each) => resolved(each))
    .flatMap(({ name, in: at, example }) =>
      at === 'header' && example !== undefined ? [`${name}: ${String(example)}`] : [],
    );
  const credential = security.length > 0 ? [bearer()] : [];
  const headers = [`X-Request-Id: ${exampleId}`, ...fields, ...credential];
  if (requestBody === undefined) return { headers };
  const body = JSON.stringify(requestBody.content['application/json'].example);
  return { headers: [...headers, json], body };
}
