import { expect } from 'chai';
import { scopes, type Scope } from '../../../../core/key/app/app-key.ts';
import { committed, operationsOf, type Node } from '../../../support/openapi/document.ts';

const operations = operationsOf(committed).map(({ operation }) => operation);
const { components } = committed;

describe('the OpenAPI document as a whole', () => {
  it('has every error response once', () => {
    const inline = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        Number(status) >= 400 && !('$ref' in response) ? [JSON.stringify(response)] : [],
      ),
    );
    const all = [...inline, ...Object.values(components.responses).map((response) => JSON.stringify(response))];
    expect(all.length).to.be.above(30);
    expect(all.filter((text, index) => all.indexOf(text) !== index)).to.deep.equal([]);
  });

  it('is small', () => {
    expect(JSON.stringify(committed).length / operations.length).to.be.below(10_000);
  });

  it('has no component that it does not use, and no name for two components, which Go clients could not tell apart', () => {
    const text = JSON.stringify(committed);
    const names = (['schemas', 'responses', 'parameters', 'headers'] as const).flatMap((kind) =>
      Object.keys(components[kind]).map((name) => [kind, name] as const),
    );
    expect(names.filter(([kind, name]) => !text.includes(`"#/components/${kind}/${name}"`))).to.deep.equal([]);
    const types = names.filter(([kind]) => kind !== 'headers').map(([, name]) => name);
    expect(types.filter((name, index) => types.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('groups every operation under a tag that it describes, and describes every operation and itself', () => {
    const described = committed.tags
      .filter(({ description }) => /^[A-Z].*\.$/.test(description))
      .map(({ name }) => name);
    expect(described).to.deep.equal(['Marketplace', 'Waitlist', 'Licenses', 'Entitlements', 'Events', 'Service']);
    for (const { tags, summary, description } of operations) {
      expect(described).to.include(tags[0]);
      expect(tags).to.have.lengthOf(1);
      expect(summary).to.match(/^[A-Z].*\.$/);
      expect(description).to.match(/^[A-Z][^]*\.$/);
    }
    expect(committed.info.description).to.include('Error-Code').and.to.include('API-Version');
  });
});

describe('the credentials in the OpenAPI document', () => {
  const accepted: Readonly<Record<string, Scope>> = {
    listListings: 'read:listings',
    getListing: 'read:listings',
    joinWaitlist: 'write:waitlist',
    verifyLicense: 'read:licenses',
    issueReceipt: 'read:licenses',
    startTrial: 'read:licenses',
    activateDevice: 'read:licenses',
    deactivateDevice: 'read:licenses',
    listLicenseDevices: 'read:licenses',
  };
  const required: Readonly<Record<string, Scope>> = {
    getEntitlement: 'read:entitlements',
    listEvents: 'read:entitlements',
    cancelEntitlement: 'write:entitlements',
    resumeEntitlement: 'write:entitlements',
    createEntitlementLink: 'write:entitlements',
    endEntitlementLinks: 'write:entitlements',
  };

  it('are asked for by the operations of entitlements and events only, each with its scope', () => {
    const asked = operations.filter(({ security }) => security.length > 0);
    expect(Object.fromEntries(asked.map(({ operationId, security }) => [operationId, security]))).to.deep.equal(
      Object.fromEntries(Object.entries(required).map(([id, scope]) => [id, [{ ServiceScopes: [scope] }]])),
    );
  });

  it('are named in the description of the public operations that accept them (specification 4.1 to 4.4)', () => {
    for (const { operationId, description } of operations) {
      const named = scopes.filter((scope) => description.includes(`\`${scope}\``));
      const scope = accepted[operationId];
      expect(named, operationId).to.deep.equal(scope === undefined ? [] : [scope]);
    }
  });

  it('have the five scopes, declared on ServiceScopes (specification 5.4)', () => {
    const { ServiceScopes, ...others } = components.securitySchemes;
    const flows = ServiceScopes?.['flows'] as { readonly clientCredentials?: { readonly scopes: Node } } | undefined;
    expect(Object.keys(flows?.clientCredentials?.scopes ?? {})).to.deep.equal(scopes);
    expect(others).to.deep.equal({});
  });
});
