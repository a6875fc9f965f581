import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { release } from '../../../../app/service/release.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { deviceOf } from '../../../../core/device/device.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { tierEvent } from '../../../../core/tier/tier-event.ts';
import { termsOf } from '../../../../core/tier/tier.ts';
import { aCall, aLicense, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { licenseKeys } from '../../../support/http/fixtures.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { bearer, cancel, http, json, receipt, verify } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { temporaryFile } from '../../../support/stores/sqlite-file.ts';
import { memory, sqlite, type StoreUnderTest } from '../../../support/stores/stores.ts';

describe('the metrics', () => {
  const start = populatedServices();
  const file = temporaryFile();
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

  it('count verifications by result and status, and errors by operation and code', async () => {
    const service = await start({ adminPort: 0 });
    const expired = 'a-license-key-that-has-expired';
    const license = aLicense({ digest: licenseDigest(expired, digest) });
    await service.grant(aSubscription({ id: 'ent_3', license, graceUntil: later(-1) }));
    const client = new RawClient(service.url);
    const keys = [
      licenseKeys.active,
      licenseKeys.active,
      expired,
      licenseKeys.revoked,
      'no-such-license-key-at-all',
      'short',
    ];
    for (const licenseKey of keys) {
      client.send(verify(JSON.stringify({ licenseKey })));
      await client.read('POST');
    }
    for (const bytes of [http('GET /api/app-entitlements/x', [bearer()]), http('GET /nowhere')]) {
      client.send(bytes);
      await client.read('GET');
    }
    client.close();
    const lines = await metricsOf(service);
    expect(lines.filter((line) => line.startsWith('latchkey_verifications_total'))).to.have.members([
      'latchkey_verifications_total{result="valid",status="active"} 2',
      'latchkey_verifications_total{result="refused",status="expired"} 1',
      'latchkey_verifications_total{result="unknown"} 2',
    ]);
    expect(lines.filter((line) => /^latchkey_errors_total.* [^0]/.test(line))).to.have.members([
      'latchkey_errors_total{operation="verifyLicense",code="malformed_license_key"} 1',
      'latchkey_errors_total{operation="getEntitlement",code="entitlement_not_found"} 1',
      'latchkey_errors_total{operation="none",code="not_found"} 1',
    ]);
  });

  it('count receipts by outcome, and say how long the present key has been signing', async () => {
    const service = await start({ adminPort: 0 });
    service.now = later(90_000);
    const client = new RawClient(service.url);
    const { active, ended, revoked } = licenseKeys;
    for (const licenseKey of [active, active, ended, revoked, 'no-such-license-key-at-all', 'short']) {
      client.send(receipt(JSON.stringify({ licenseKey })));
      await client.read('POST');
    }
    client.send(receipt('{'));
    await client.read('POST');
    client.close();
    const lines = (await metricsOf(service)).filter((line) => /^latchkey_(?:receipts|signing)/.test(line));
    expect(lines).to.have.members([
      'latchkey_receipts_total{outcome="issued"} 2',
      'latchkey_receipts_total{outcome="unknown"} 2',
      'latchkey_receipts_total{outcome="no_access"} 1',
      'latchkey_receipts_total{outcome="malformed"} 2',
      'latchkey_signing_key_age_seconds 90',
    ]);
    const silent = await metricsOf(await start({ adminPort: 0, receipts: 'off' }));
    expect(silent.filter((line) => line.startsWith('latchkey_signing_key_age_seconds'))).to.deep.equal([]);
  });

  it('count activations of devices by outcome', async () => {
    const service = await start({ adminPort: 0 });
    const limited = 'a-license-key-for-one-device';
    const license = aLicense({ digest: licenseDigest(limited, digest) });
    const ends = { currentPeriodEnd: later(day), graceUntil: later(day) };
    await service.grant(aSubscription({ id: 'ent_3', license, deviceLimit: 1, ...ends }));
    const { ended, revoked } = licenseKeys;
    const [first, second] = ['machine-1', 'machine-2'].map((id) => deviceOf('ent_3', id, digest));
    const asked: readonly (readonly [licenseKey: string, deviceId: string, replace?: string | undefined])[] = [
      [limited, 'machine-1'],
      [limited, 'machine-1'],
      [limited, 'machine-2'],
      [limited, 'machine-2', first],
      [limited, 'machine-1', second],
      [limited, 'machine-2', first],
      [limited, 'machine-1', second],
      [limited, 'machine-2', first],
      [ended, 'machine-1'],
      [revoked, 'machine-1'],
      ['no-such-license-key-at-all', 'machine-1'],
      ['short', 'machine-1'],
      [limited, 'short'],
    ];
    for (const [licenseKey, deviceId, replace] of asked) {
      const body = JSON.stringify({ licenseKey, deviceId, replace });
      await service.send('/api/licenses/activate', { method: 'POST', headers: [json], body });
    }
    const lines = (await metricsOf(service)).filter((line) => line.startsWith('latchkey_devices'));
    expect(lines).to.have.members([
      'latchkey_devices_total{outcome="activated"} 5',
      'latchkey_devices_total{outcome="present"} 1',
      'latchkey_devices_total{outcome="limit"} 2',
      'latchkey_devices_total{outcome="unknown"} 2',
      'latchkey_devices_total{outcome="no_access"} 1',
    ]);
  });

  it('count trials by outcome', async () => {
    const service = await start({ adminPort: 0, rateLimits: {} });
    const { container } = service;
    const tier = { productId: 'prod_1', id: 'pro', terms: termsOf({ trial: day }), revision: 1 };
    await container.get(tokens.keptTiers).replace(
      tier,
      tierEvent(null, tier, aCall(), () => 'evt_1'),
      aCall(),
    );
    const key = 'a-license-key-of-a-buyer';
    await service.grant(aSubscription({ id: 'ent_3', license: aLicense({ digest: licenseDigest(key, digest) }) }));
    const ask = (operation: string, body: object): Promise<unknown> =>
      service.send(`/api/licenses/${operation}`, { method: 'POST', headers: [json], body: JSON.stringify(body) });
    const laptop = { productId: 'prod_1', deviceId: 'machine-1' };
    for (const _ of ['started', 'present']) await ask('trial', laptop);
    for (const _ of ['converted', 'nothing']) await ask('activate', { licenseKey: key, deviceId: 'machine-1' });
    await ask('trial', { ...laptop, productId: 'prod_2' });
    service.now = later(2 * day);
    for (const _ of range(3)) await ask('trial', laptop);
    const lines = (await metricsOf(service)).filter((line) => line.startsWith('latchkey_trials'));
    expect(lines).to.have.members([
      'latchkey_trials_total{outcome="started"} 1',
      'latchkey_trials_total{outcome="present"} 1',
      'latchkey_trials_total{outcome="ended"} 3',
      'latchkey_trials_total{outcome="not_offered"} 1',
      'latchkey_trials_total{outcome="converted"} 1',
    ]);
  });

  it('start the counters of faults at 0, and name the build', async () => {
    const lines = await metricsOf(await start({ adminPort: 0 }));
    for (const code of ['internal_error', 'store_unavailable']) {
      expect(lines).to.include(`latchkey_errors_total{operation="verifyLicense",code="${code}"} 0`);
    }
    expect(lines).to.include(`latchkey_build_info{version="${release}",edition="2026-07-18"} 1`);
  });

  it('say when a SQLite store was last backed up, and nothing of backups that others make', async () => {
    const name = 'latchkey_last_backup_timestamp_seconds';
    expect(await lastBackups(sqlite)).to.deep.equal([`${name} 0`, `${name} ${noon.getTime() / 1000}`]);
    expect(await lastBackups(memory)).to.deep.equal([]);
  });

  it('say that no event waits where events get their position with the change', async () => {
    expect(await metricsOf(await start({ adminPort: 0 }))).to.include('latchkey_outbox_oldest_seconds 0');
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

  /** The metric of the last backup, before and after a backup. */
  async function lastBackups(store: StoreUnderTest): Promise<readonly string[]> {
    const service = await start({ adminPort: 0 }, store);
    const before = await metricsOf(service);
    await service.container.get(tokens.maintenance).backup(file(), aCall(), () => false);
    return [...before, ...(await metricsOf(service))].filter((line) => line.startsWith('latchkey_last_backup'));
  }
});

async function metricsOf({ adminUrl }: TestService): Promise<readonly string[]> {
  return (await (await fetch(`${adminUrl}/metrics`)).text()).split('\n');
}
