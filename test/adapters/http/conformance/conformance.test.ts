import { expect } from 'chai';
import { publicRefusals } from '../../../../adapters/http/refusals.ts';
import { expectAnswer, expectDocumentedFor } from '../../../support/http/expect-answer.ts';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { http } from '../../../support/http/requests.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { accessCases } from './access-cases.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { contentCases } from './content-cases.ts';
import { framingCases } from './framing-cases.ts';
import { publicCases } from './public-cases.ts';
import { routingCases } from './routing-cases.ts';

const cases = [...framingCases, ...routingCases, ...contentCases, ...accessCases, ...publicCases];

/** The codes that one request cannot provoke, with the test that does. */
const provokedElsewhere = {
  request_timeout: 'server/connections.test.ts',
  rate_limited: 'exchange/rate-limits.test.ts',
  cursor_expired: 'core/feed/read-feed.test.ts',
  too_many_changes: 'operations/idempotency.test.ts',
  trial_not_offered: 'trials/trials.test.ts',
  trial_ended: 'trials/trials.test.ts',
  device_limit: 'operations/devices/devices.test.ts',
  device_offline: 'contracts/device/devices.contract.ts',
  too_many_releases: 'operations/devices/devices.test.ts',
  retired_api_version: 'exchange/editions.test.ts',
  not_ready: 'server/stopping.test.ts',
  too_many_bodies: 'exchange/content.test.ts',
  internal_error: 'server/store-faults.test.ts',
  store_unavailable: 'server/store-faults.test.ts',
  clock_not_trusted: 'operations/receipts.test.ts',
};

describe('conformance', () => {
  it('names each rule once', () => {
    const names = cases.map(({ rule }) => rule);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('covers every error code that one request can provoke', () => {
    const provoked = new Set(cases.map(({ headers }) => headers?.['error-code']));
    const missing = Object.keys(publicRefusals).filter((code) => !provoked.has(code));
    expect(missing).to.have.members(Object.keys(provokedElsewhere));
  });

  describe('to each rule', () => {
    let service: TestService;
    before(async () => {
      service = await startPopulated();
    });
    after(() => service.stop());

    for (const one of cases) it(one.rule, () => expectConformance(service, one));

    it('logs no fault for any of these requests', () => {
      expect(service.faults).to.deep.equal([]);
    });
  });
});

async function expectConformance(service: TestService, expected: ConformanceCase): Promise<void> {
  const client = new RawClient(service.url);
  try {
    client.send(expected.bytes);
    const method = expected.bytes.startsWith('HEAD ') ? 'HEAD' : 'GET';
    const response = await client.read(method);
    expectAnswer(response, expected.shape);
    expect(response.status).to.equal(expected.status);
    expectDocumentedFor(expected.bytes, response);
    for (const [name, value] of Object.entries(expected.headers ?? {})) expectHeader(response, name, value);
    if (expected.content !== undefined) expect(response.body).to.match(expected.content);
    const announced = response.headers['connection']?.[0] === 'close';
    expect(announced, 'announces that the connection is closed').to.equal(expected.closes === true);
    if (expected.closes === true) expect(client.rest, 'behind the answer').to.equal('');
    else await expectNextAnswer(client);
  } finally {
    client.close();
  }
}

function expectHeader({ headers }: RawResponse, name: string, expected: string | RegExp | null): void {
  const value = headers[name]?.join(', ');
  if (expected === null) expect(value, name).to.equal(undefined);
  else if (typeof expected === 'string') expect(value, name).to.equal(expected);
  else expect(value, name).to.match(expected);
}

/** Expects the connection to serve another request. */
async function expectNextAnswer(client: RawClient): Promise<void> {
  client.send(http('GET /livez', ['X-Request-Id: another-one']));
  expect((await client.read('GET')).headers['x-request-id']).to.deep.equal(['another-one']);
}
