import { expect } from 'chai';
import { compensationTypes } from '../../../../core/catalog/listing.ts';
import { billingTerms, entitlementKinds } from '../../../../core/entitlement/entitlement.ts';
import { entitlementStatuses } from '../../../../core/entitlement/status.ts';
import { scopes } from '../../../../core/key/app/app-key.ts';
import { closed } from '../../../support/openapi/closed.ts';
import { DocumentSchemas } from '../../../support/openapi/document-schemas.ts';
import { committed, nodesOf, operationsOf, resolved, type Node } from '../../../support/openapi/document.ts';

const nodes = nodesOf(committed);
const { schemas } = committed.components;

describe('the schemas of the OpenAPI document', () => {
  it('have a type wherever they list values, because Go clients cannot read a value without one', () => {
    const listing = nodes.filter(([, node]) => Array.isArray(node['enum']) || 'const' in node);
    expect(listing.length).to.be.above(50);
    expect(listing.filter(([, node]) => typeof node['type'] !== 'string').map(([path]) => path)).to.deep.equal([]);
  });

  it('require no member that they do not define', () => {
    const undefinedMembers = nodes.flatMap(([path, { required, properties }]) =>
      Array.isArray(required)
        ? required
            .filter((name: string) => !Object.hasOwn((properties ?? {}) as Node, name))
            .map((name) => `${path} ${name}`)
        : [],
    );
    expect(undefinedMembers).to.deep.equal([]);
  });

  it('have the names of the domain', () => {
    expect(Object.keys(schemas)).to.include.members([
      'Listing',
      'Entitlement',
      'EntitlementStatus',
      'BillingInterval',
      'CompensationType',
      'Scope',
      'ErrorBody',
      'ErrorCode',
    ]);
    const values = (name: string): unknown => schemas[name]?.['enum'];
    expect(values('EntitlementStatus')).to.deep.equal(entitlementStatuses);
    expect(values('EntitlementKind')).to.deep.equal(entitlementKinds);
    expect(values('BillingInterval')).to.deep.equal(billingTerms);
    expect(values('CompensationType')).to.deep.equal(compensationTypes);
    expect(values('Scope')).to.deep.equal(scopes);
  });

  it('list no values twice', () => {
    const lists = nodes.flatMap(([path, node]) =>
      Array.isArray(node['enum']) && !path.includes('Error-Code') ? [JSON.stringify(node['enum'])] : [],
    );
    expect(lists.filter((list, index) => lists.indexOf(list) !== index)).to.deep.equal([]);
  });

  it('define no object inside another', () => {
    const isNamed = /^components\/schemas\/[^/]+$/;
    const objects = nodes.filter(([, node]) => 'properties' in node && 'type' in node).map(([path]) => path);
    expect(objects.length).to.be.above(10);
    expect(objects.filter((path) => !isNamed.test(path))).to.deep.equal([]);
  });
});

describe('the objects of the OpenAPI document', () => {
  const answers = operationsOf(committed).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap((each) => resolved(each).content?.['application/json'] ?? []),
  );
  const extended = answers.flatMap(({ schema, example }) =>
    example === undefined ? [] : [{ schema, example: { ...(example as object), addedLater: 1 } }],
  );

  it('are open to members that a later release adds', () => {
    const published = new DocumentSchemas(committed);
    expect(extended.length).to.be.above(100);
    expect(extended.flatMap(({ schema, example }) => published.errorsOf(schema, example) ?? [])).to.deep.equal([]);
    expect(nodes.filter(([, node]) => node['additionalProperties'] === false)).to.deep.equal([]);
  });

  it('are closed where the tests hold answers against them', () => {
    const strict = new DocumentSchemas(closed(committed));
    expect(extended.filter(({ schema, example }) => strict.errorsOf(schema, example) === null)).to.deep.equal([]);
    const inner = { ...(schemas['Listing'] as object) };
    expect(closed(committed).components.schemas['Listing']).to.deep.equal({ additionalProperties: false, ...inner });
  });

  it('stay open in requests, whose unknown members are ignored', () => {
    const { WaitlistSignUp, LicenseVerificationRequest } = closed(committed).components.schemas;
    expect({ WaitlistSignUp, LicenseVerificationRequest }).to.deep.equal({
      WaitlistSignUp: schemas['WaitlistSignUp'],
      LicenseVerificationRequest: schemas['LicenseVerificationRequest'],
    });
  });
});
