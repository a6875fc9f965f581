import { expect } from 'chai';
import { LatchkeyClient, TimeoutError, type Attempt, type Event } from '../../client/index.ts';
import { faultyClients } from '../support/client/faulty-clients.ts';
import { appKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import { thrownBy } from '../support/thrown.ts';

const failed = { status: 500, headers: { 'X-Request-Id': 'first' }, body: '{"success":false,"error":"It failed."}' };
const found = { status: 200, body: '{"success":true,"data":{"id":"ent_1"}}' };

describe('a call of the client', () => {
  const started = populatedServices();
  const clients = faultyClients();

  it('reports each try, with what the answer says beside its data', async () => {
    const attempts: Attempt[] = [];
    const { client } = await clients([failed, found], '', { onAttempt: (attempt) => attempts.push(attempt) });
    const own: Attempt[] = [];
    await client.entitlements.get('ent_1', { onAttempt: (attempt) => own.push(attempt) });
    expect(own).to.deep.equal(attempts);
    const facts = attempts.map(({ method, path, attempt, status }) => [method, path, attempt, status]);
    expect(facts).to.deep.equal([
      ['GET', '/api/app-entitlements/ent_1', 1, 500],
      ['GET', '/api/app-entitlements/ent_1', 2, 200],
    ]);
    expect(attempts.map(({ error, correlationId }) => [error?.message ?? null, correlationId])).to.deep.equal([
      ['It failed.', 'first'],
      [null, null],
    ]);
  });

  it('says whether the answer is a repeat, its ETag and its correlation id', async () => {
    const { url: baseUrl, logged } = await started();
    const attempts: Attempt[] = [];
    const client = new LatchkeyClient({ baseUrl, appKey: appKeys.full, onAttempt: (each) => attempts.push(each) });
    for (const _ of [1, 2]) await client.entitlements.cancel('ent_1', { idempotencyKey: 'the same key' });
    await client.entitlements.get('ent_1');
    expect(attempts.map(({ replayed }) => replayed)).to.deep.equal([false, true, false]);
    expect(attempts[2]?.etag).to.match(/^(W\/)?".+"$/);
    expect(logged.map(({ correlationId }) => correlationId)).to.include(attempts[0]?.correlationId);
    expect(JSON.stringify(attempts)).not.to.include(appKeys.full);
  });

  it('goes on if a report throws', async () => {
    const { client } = await clients([found], '', { onAttempt: fail });
    expect(await client.entitlements.get('ent_1', { onAttempt: fail })).to.deep.equal({ id: 'ent_1' });
  });

  it('has limits and header fields of its own', async () => {
    const { client, proxy } = await clients([failed, 'silence', found]);
    expect(await thrownBy(client.entitlements.get('ent_1', { retries: 0 }))).to.include({ status: 500 });
    expect(await thrownBy(client.entitlements.get('ent_1', { timeout: 5000 }))).to.be.instanceOf(TimeoutError);
    const headers = { traceparent: '00-a', authorization: 'Bearer another' };
    await client.entitlements.get('ent_1', { headers });
    const { headers: sent } = proxy.seen.at(-1) ?? { headers: {} };
    expect(sent).to.deep.include({ traceparent: '00-a', authorization: `Bearer ${appKeys.full}` });
    for (const wrong of [{ timeout: 0 }, { retries: 0.5 }]) {
      expect(await thrownBy(client.listings.list({}, wrong))).to.be.instanceOf(RangeError);
    }
  });

  it('says what is missing before it sends a request', async () => {
    const { proxy } = await clients([]);
    const client = new LatchkeyClient({ baseUrl: proxy.url });
    const calls = [client.entitlements.get('ent_1'), client.entitlements.cancel('ent_1'), client.events.list()];
    for (const call of calls) expect(String(await thrownBy(call))).to.match(/^TypeError: appKey is missing/);
    expect(proxy.seen).to.deep.equal([]);
    for (const baseUrl of [undefined, '', 'licenses.example', 'ftp://a.example']) {
      expect(() => new LatchkeyClient({ baseUrl: baseUrl as string })).to.throw(TypeError, /^baseUrl must be/);
    }
  });

  it('returns events that narrow by their type', () => {
    const events = [
      { type: 'entitlement.ended', data: { reason: 'canceled' } },
      { type: 'license.rotated', data: { license: { lastFour: 'WXYZ' } } },
      { type: 'entitlement.renewed', data: {} },
    ];
    expect(events.map((event) => detailOf(event as unknown as Event))).to.deep.equal(['canceled', 'WXYZ', null]);
  });
});

function fail(): never {
  throw new Error('the log is full');
}

/** Compiles only if the type tells which members there are. */
function detailOf(event: Event): string | null {
  if (event.type === 'entitlement.ended') return event.data.reason;
  return event.type === 'license.rotated' ? event.data.license.lastFour : null;
}
