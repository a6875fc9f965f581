import { expect } from 'chai';
import { adminOperationIds } from '../../../../adapters/http/limits/admin-operation-ids.ts';
import { defaultRateLimits } from '../../../../adapters/http/limits/rate-limits.ts';
import { expectSameLines } from '../../../support/documents/line-diff.ts';
import { AdminClient, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { committed, committedAdmin, nodesOf, operationsOf } from '../../../support/openapi/document.ts';
import { memory } from '../../../support/stores/stores.ts';

const operations = operationsOf(committedAdmin).map(({ operation }) => operation);

describe('the OpenAPI document of the administration', () => {
  const admin = freshAdmin(memory);

  it('is the committed one of its edition, for anyone', async () => {
    const { status, body } = await admin().send('GET', '/admin/openapi.json', { key: null });
    expect(status).to.equal(200);
    expectSameLines(pretty(committedAdmin), pretty(body), 'The committed document is out of date. Run: npm run docs');
  });

  it('names its operations as no public operation is named, and in RATE_LIMITS', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).to.have.members(adminOperationIds);
    const others = operationsOf(committed).map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => others.includes(id) || id in defaultRateLimits)).to.deep.equal([]);
  });

  it('describes every operation and its tag', () => {
    const tags = committedAdmin.tags.map(({ name }) => name);
    for (const { tags: own, summary, description } of operations) {
      expect(tags).to.include(own[0]);
      expect(summary).to.match(/^[A-Z].*\.$/);
      expect(description).to.match(/^[A-Z][^]*\.$/);
    }
  });

  it('closes the bodies of requests, whose unknown members are refused, and no others', () => {
    const closed = nodesOf(committedAdmin).filter(([, node]) => node['additionalProperties'] === false);
    const bodies = operations.flatMap(
      ({ requestBody }) => requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? [],
    );
    const names = closed.map(([path]) => path.replace('components/schemas/', ''));
    expect(names).to.have.members([...new Set(bodies)]);
  });
});

describe('the rate limits of the administration', () => {
  const start = populatedServices();

  it('count guesses by address, and requests by operator key', async () => {
    const service = await start({ adminPort: 0, rateLimits: { listProducts: 2 } });
    await service.addOperatorKey(operatorKeys.full);
    await service.addOperatorKey(operatorKeys.reader, { id: 'opk_2' });
    const admin = new AdminClient(service);
    const codes = async (key: string, count: number): Promise<readonly unknown[]> => {
      const all: unknown[] = [];
      for (let index = 0; index < count; index += 1) {
        all.push(outcomeOf(await admin.send('GET', '/admin/products', { key }))[1]);
      }
      return all;
    };
    expect(await codes(operatorKeys.full, 3)).to.deep.equal([undefined, undefined, 'rate_limited']);
    expect(await codes(operatorKeys.reader, 1)).to.deep.equal([undefined]);
    const guesses = await codes('svc_op_live_guess', 21);
    expect(guesses).to.deep.equal([...Array.from({ length: 20 }, () => 'invalid_operator_key'), 'rate_limited']);
  });
});

function pretty(document: unknown): string {
  return JSON.stringify(document, null, 2);
}
