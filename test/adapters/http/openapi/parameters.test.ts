import { expect } from 'chai';
import { array, assert, constantFrom, oneof, property } from 'fast-check';
import { idempotencyKeyOf } from '../../../../adapters/http/operations/change-headers.ts';
import { isRefusal } from '../../../../adapters/http/refusals.ts';
import {
  compensationFilters,
  listingSorts,
  minCommissions,
  minStorefrontCounts,
} from '../../../../core/catalog/listing-query.ts';
import { DocumentSchemas } from '../../../support/openapi/document-schemas.ts';
import {
  committed,
  operationsOf,
  resolved,
  type DescribedParameter,
  type Node,
  type Reference,
} from '../../../support/openapi/document.ts';

const schemas = new DocumentSchemas(committed);

function parameterOf(operationId: string, name: string): DescribedParameter {
  const { operation } =
    operationsOf(committed).find((each) => each.operation.operationId === operationId) ?? expect.fail();
  return operation.parameters.map((each) => resolved(each)).find((each) => each.name === name) ?? expect.fail();
}

describe('a query parameter of the OpenAPI document', () => {
  const both: readonly (readonly [name: string, goType: string, effective: Node, byDefault: unknown])[] = [
    ['limit', 'int', { type: 'integer', minimum: 1, maximum: 48 }, 24],
    ['offset', 'int', { type: 'integer', minimum: 0 }, 0],
    ['minCommission', 'MinCommission', { type: 'integer', enum: minCommissions }, undefined],
    ['minStorefronts', 'MinStorefronts', { type: 'integer', enum: minStorefrontCounts }, undefined],
    ['sort', 'ListingSort', { type: 'string', enum: listingSorts }, 'charts'],
    ['compensation', 'CompensationFilter', { type: 'string', enum: compensationFilters }, 'all'],
  ];
  for (const [name, goType, effective, byDefault] of both) {
    it(`tells which values of ${name} have an effect, and that any other text is accepted`, () => {
      const { schema } = parameterOf('listListings', name);
      const [first, second, ...others] = schema['anyOf'] as readonly (Reference | Node)[];
      const { description, ...values } = resolved<Node>(first ?? {});
      expect(description ?? '').to.be.a('string');
      expect([values, second, others]).to.deep.equal([effective, { type: 'string' }, []]);
      expect(schema['default']).to.equal(byDefault);
    });

    it(`lets Go clients set ${name}, or leave it out`, () => {
      const { schema } = parameterOf('listListings', name);
      const extensions = Object.entries(schema).filter(([member]) => member.startsWith('x-'));
      expect(extensions).to.deep.equal([['x-go-type', goType]]);
    });
  }

  it('is one of those, or any text', () => {
    const { operation } =
      operationsOf(committed).find((each) => each.path === '/api/marketplace/listings') ?? expect.fail();
    const query = operation.parameters.map((each) => resolved(each)).filter((each) => each.in === 'query');
    const texts = query.filter(({ schema }) => schema['type'] === 'string').map(({ name }) => name);
    expect([texts, query.length]).to.deep.equal([['q', 'category'], 8]);
  });
});

describe('a header parameter of the OpenAPI document', () => {
  it('API-Version has its one value and its default', () => {
    for (const { operation } of operationsOf(committed)) {
      const { schema, ...parameter } = parameterOf(operation.operationId, 'API-Version');
      expect('required' in parameter).to.equal(false);
      expect(resolved<Node>(schema)).to.deep.equal({ type: 'string', enum: ['2026-07-18'], default: '2026-07-18' });
    }
  });

  const { schema } = parameterOf('cancelEntitlement', 'Idempotency-Key');
  const isDocumented = (value: string): boolean => schemas.errorsOf(schema, value) === null;

  it('Idempotency-Key refuses a quoted blank key', () => {
    const blank = [`"${' '.repeat(8)}"`, `"${' '.repeat(200)}"`, ' '.repeat(9)];
    expect(blank.filter(isDocumented)).to.deep.equal([]);
  });

  it('Idempotency-Key is one that the service accepts, and every such key', () => {
    const character = constantFrom(' ', ' ', ' ', '"', '\\', 'k', 'k', '~', '!', '[', '\t', 'é');
    const length = constantFrom(0, 6, 7, 8, 9, 10, 198, 199, 200, 201, 202);
    const text = length.chain((size) => array(character, { minLength: size, maxLength: size }));
    const plain = text.map((characters) => characters.join(''));
    const key = oneof(
      plain,
      plain.map((inner) => `"${inner}"`),
      plain.map((inner) => `"${inner.replaceAll(/["\\]/g, '\\$&')}"`),
      length.map((size) => `"${' '.repeat(size)}"`),
      length.map((size) => 'k'.repeat(size)),
      length.map((size) => `"${' '.repeat(Math.max(0, size - 1))}k"`),
    );
    assert(
      property(key, (value) => {
        const sent = value.replaceAll(/^[ \t]+|[ \t]+$/g, ''); // as the parser does
        expect(isDocumented(sent), JSON.stringify(sent)).to.equal(isAccepted(sent));
      }),
      { numRuns: 2000 },
    );
  });

  it('Idempotency-Key has a pattern that RE2 knows', () => {
    expect(schema['pattern'])
      .to.be.a('string')
      .that.does.not.match(/\(\?[^:]/);
  });
});

function isAccepted(value: string): boolean {
  try {
    idempotencyKeyOf([value]);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
