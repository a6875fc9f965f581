import { expect } from 'chai';
import { openApiDocument, type ApiDescription } from '../../../../adapters/http/openapi/document.ts';
import type { OperationDocs } from '../../../../adapters/http/operations/docs/operation-docs.ts';
import { schemas } from '../../../../adapters/http/operations/docs/schemas.ts';
import type { AppKeyOperation, Operation } from '../../../../adapters/http/operations/operation.ts';
import type { OpenApiDocument } from '../../../support/openapi/document.ts';
import { thrownBy } from '../../../support/thrown.ts';

const api: ApiDescription = {
  edition: '2030-01-01',
  title: 'Back office',
  summary: 'What the office needs.',
  description: 'For the office.',
  schemas,
  credential: { name: 'OfficeKey', scheme: { type: 'http', scheme: 'bearer' } },
};

const docs: OperationDocs = {
  tag: { name: 'Office', description: 'Chores.' },
  summary: 'Do it.',
  description: 'It is done.',
  success: { description: 'Done.', schema: 'Done' },
  refusals: ['listing_not_found'],
};

const chore = {
  path: '/office/:id',
  caller: 'app',
  access: 'read:listings',
  body: 'ignored',
  crossOrigin: false,
  errors: 'standard',
  docs,
  handle: () => expect.fail(),
} as const satisfies Omit<AppKeyOperation, 'id' | 'method'>;

const operations: readonly Operation[] = [
  { ...chore, id: 'seeChore', method: 'GET' },
  { ...chore, id: 'doChore', method: 'POST' },
  { ...chore, id: 'hiddenChore', method: 'POST', path: '/office/hidden', docs: null },
];

/** The builder of the public document serves any interface: its operations and its description are all that it is given. */
describe('the OpenAPI document of another interface', () => {
  let document: OpenApiDocument;

  before(async () => {
    document = (await openApiDocument(operations, api)) as unknown as OpenApiDocument;
  });

  it('has its own operations, tags and credential', () => {
    expect(Object.keys(document.paths)).to.deep.equal(['/office/{id}']);
    expect(Object.keys(document.paths['/office/{id}'] ?? {})).to.deep.equal(['get', 'post']);
    expect(document.paths['/office/{id}']?.['get']?.security).to.deep.equal([{ OfficeKey: ['read:listings'] }]);
    expect(document.components.securitySchemes).to.deep.equal({ OfficeKey: { type: 'http', scheme: 'bearer' } });
    expect(document.tags).to.deep.equal([docs.tag]);
    expect(document.info).to.include({ title: 'Back office', version: '2030.1.1', description: 'For the office.' });
  });

  it('has the components that its operations use, and no others', () => {
    const { schemas: named, responses, parameters } = document.components;
    expect(Object.keys(named)).to.deep.equal(['Done', 'ErrorBody', 'CorrelationId', 'ApiVersion', 'ErrorCode']);
    expect(Object.keys(parameters)).to.deep.equal(['ApiVersionHeader', 'RequestIdHeader']);
    expect(Object.keys(responses)).to.include.members(['InvalidAppKey', 'ListingNotFound']);
    expect(named['ApiVersion']).to.deep.equal({ type: 'string', enum: ['2030-01-01'], default: '2030-01-01' });
  });

  it('lists the error codes of its operations, and those of requests that reach none', () => {
    const codes = document.components.schemas['ErrorCode']?.['enum'];
    expect(codes).to.include.members(['listing_not_found', 'not_found', 'method_not_allowed', 'internal_error']);
    expect(codes).to.not.include.members(['entitlement_ended', 'invalid_email']);
  });

  it('is not made if a schema that an operation names is missing', async () => {
    const error = await thrownBy(openApiDocument(operations, { ...api, schemas: {} }));
    expect(error)
      .to.have.property('message')
      .that.matches(/^The OpenAPI document has no \w+ in schemas\.$/);
  });
});
