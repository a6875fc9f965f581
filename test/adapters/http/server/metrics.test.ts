import { expect } from 'chai';
import { sqlite } from '../../../support/stores/stores.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { bearer, cancel, http, verify } from '../../../support/http/requests.ts';

describe('the metrics', () => {
  const start = populatedServices();
  it('count requests, replays, calls of the store and batches, on the admin port only', async () => {
    const service = await start({ adminPort: 0 });
    const client = new RawClient(service.url);
    const key = 'Idempotency-Key: measured';
    const requests = [verify(), verify(), cancel([key]), cancel([key]), http('GET /nowhere'), http('GET /metrics')];
    for (const bytes of [...requests, http('GET /api/app-entitlements/x', [bearer()])]) {
      client.send(bytes);
      await client.read('GET');
    }
    client.close();
    const response = await fetch(`${service.adminUrl}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).to.equal('text/plain; version=0.0.4; charset=utf-8');
    for (const line of [
      'latchkey_requests_total{operation="verifyLicense",edition="2026-07-18",status="200"} 2',
      'latchkey_requests_total{operation="none",edition="2026-07-18",status="404"} 2',
      'latchkey_requests_total{operation="getEntitlement",edition="2026-07-18",status="404"} 1',
      'latchkey_request_duration_seconds_count{operation="verifyLicense"} 2',
      'latchkey_replays_total{operation="cancelEntitlement"} 1',
      'latchkey_store_duration_seconds_count{port="Licenses",method="find"} 2',
      'latchkey_store_duration_seconds_count{port="AppKeys",method="find"} 3',
    ]) {
      expect(text.split('\n')).to.include(line);
    }
    expect(text).to.match(/^latchkey_catalog_age_seconds \d/m);
    expect(text).to.match(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });

  it('say how many look-ups and writes went to the store as one', async () => {
    const service = await start({ adminPort: 0 }, sqlite);
    const client = new RawClient(service.url);
    client.send(verify().repeat(5) + cancel(['Idempotency-Key: metrics-1']));
    for (let count = 0; count < 6; count += 1) expect((await client.read('POST')).status).to.equal(200);
    client.close();
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(text).to.match(/^latchkey_store_batch_size_sum\{kind="look-ups"\} ([5-9]|\d\d)$/m);
    expect(text).to.match(/^latchkey_store_batch_size_sum\{kind="writes"\} [1-9]/m);
  });

  it('are off without an admin port', async () => {
    const service = await start();
    expect(service.adminUrl).to.equal(null);
  });

  it('leave the probes on both ports', async () => {
    const service = await start({ adminPort: 0 });
    for (const path of ['/livez', '/readyz']) {
      expect((await fetch(`${service.url}${path}`)).status).to.equal(200);
      expect((await fetch(`${service.adminUrl}${path}`)).status).to.equal(200);
    }
  });
});
