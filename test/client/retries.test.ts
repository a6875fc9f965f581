import { expect } from 'chai';
import { LatchkeyError, RateLimitError, ServiceError, TimeoutError } from '../../client/index.ts';
import { parseRetryAfter, retryDelay } from '../../client/time/timer.ts';
import { faultyClients } from '../support/client/faulty-clients.ts';
import { thrownBy } from '../support/thrown.ts';

const failed = { status: 500, body: '{"success":false,"error":"The server failed."}' };
const found = { status: 200, body: '{"success":true,"data":{"id":"ent_1"}}' };
const after = (seconds: string) => ({ status: 429, headers: { 'Retry-After': seconds }, body: '{}' });

describe('the delay before a retry of the client', () => {
  it('is random below a bound that doubles', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7].map((retry) => retryDelay(retry, null, () => 1));
    expect(bounds).to.deep.equal([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(retryDelay(3, null, () => 0.25)).to.equal(500);
    expect(retryDelay(3, null, () => 0)).to.equal(0);
  });

  it('comes after the time that the service asks for', () => {
    expect(retryDelay(2, 3000, () => 0.5)).to.equal(3500);
    expect(retryDelay(2, 0, () => 0.5)).to.equal(500);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-07-18T12:00:00Z');
    expect(parseRetryAfter('120', now)).to.equal(120_000);
    expect(parseRetryAfter('0', now)).to.equal(0);
    expect(parseRetryAfter('Sat, 18 Jul 2026 12:00:30 GMT', now)).to.equal(30_000);
    expect(parseRetryAfter('Sat, 18 Jul 2026 11:00:00 GMT', now)).to.equal(0);
    for (const other of [null, '', 'soon']) expect(parseRetryAfter(other, now), String(other)).to.equal(null);
  });
});

describe('the client', () => {
  const clients = faultyClients();

  it('tries as often as it may', async () => {
    for (const retries of [0, 1, 2]) {
      const { client, proxy } = await clients([failed, failed, failed, failed], '', { retries });
      expect(await thrownBy(client.entitlements.get('ent_1'))).to.be.instanceOf(ServiceError);
      expect(proxy.seen).to.have.length(retries + 1);
    }
  });

  it('tries once after a refusal', async () => {
    for (const status of [400, 401, 403, 404, 409, 410, 413, 422]) {
      const { client, proxy } = await clients([{ status, body: '{}' }], '', { retries: 3 });
      expect(await thrownBy(client.entitlements.cancel('ent_1'))).to.include({ status, retryable: false });
      expect(proxy.seen).to.have.length(1);
    }
  });

  it('waits as long as the service asks for', async () => {
    const { client, proxy } = await clients([after('1'), found]);
    expect(await client.entitlements.get('ent_1')).to.deep.equal({ id: 'ent_1' });
    const [first, second] = proxy.seen.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).to.be.at.least(995);
  });

  it('ends at once where the service asks for more time than there is', async () => {
    const { client, proxy } = await clients([after('3600'), found]);
    const error = await thrownBy(client.entitlements.get('ent_1'));
    expect(error).to.be.instanceOf(RateLimitError).and.to.include({ retryAfter: 3_600_000 });
    expect(proxy.seen).to.have.length(1);
  });

  it('ends at its timeout, with the failure before as the cause', async () => {
    const { client } = await clients([failed, 'silence'], '', { timeout: 10_000 });
    const error = await thrownBy(client.entitlements.get('ent_1'));
    expect(error).to.be.instanceOf(TimeoutError).and.to.include({ retryable: true, status: null });
    expect((error as TimeoutError).message).to.equal('The call did not succeed within 10000 ms');
    expect((error as TimeoutError).cause).to.be.instanceOf(ServiceError);
  });

  it("ends with the reason of the caller's signal, in a try and between two", async () => {
    const reason = new Error('the user has closed the window');
    for (const fault of ['silence', after('5')] as const) {
      const { client, proxy } = await clients([fault]);
      const caller = new AbortController();
      const call = thrownBy(client.licenses.verify('a-license-key-of-somebody', { signal: caller.signal }));
      while (proxy.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      caller.abort(reason);
      expect(await call).to.equal(reason);
    }
    const { client, proxy } = await clients([]);
    expect(await thrownBy(client.listings.list({}, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
    expect(proxy.seen).to.deep.equal([]);
  });

  it('keeps the key of the caller over its retries', async () => {
    const { client, proxy } = await clients([failed, 'cut before', found]);
    await client.entitlements.resume('ent_1', { idempotencyKey: 'intention-1' });
    expect(proxy.seen.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(
      Array.from({ length: 3 }, () => 'intention-1'),
    );
    expect(proxy.seen.every(({ line }) => line === 'POST /api/app-entitlements/ent_1/resume')).to.equal(true);
  });

  it('throws nothing but its own errors where fetch fails', async () => {
    const { client } = await clients([], '', { retries: 0, fetch: () => Promise.reject(new TypeError('no network')) });
    expect(await thrownBy(client.listings.list())).to.be.instanceOf(LatchkeyError);
  });
});
