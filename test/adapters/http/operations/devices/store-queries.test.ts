import { expect } from 'chai';
import { digest } from '../../../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../../../app/service/tokens.ts';
import { deviceOf, type Device } from '../../../../../core/device/device.ts';
import { licenseDigest } from '../../../../../core/license/license-key.ts';
import { aCall, aLicense, aSubscription, noon } from '../../../../support/builders.ts';
import { freshService } from '../../../../support/http/service-hooks.ts';
import type { TestService } from '../../../../support/http/test-service.ts';
import { range } from '../../../../support/range.ts';
import { memory } from '../../../../support/stores/stores.ts';

const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
const batch = 250;

async function addDevices(service: TestService, count: number): Promise<void> {
  const { devices, allEntitlements } = {
    devices: service.container.get(tokens.devices),
    allEntitlements: service.container.get(tokens.allEntitlements),
  };
  for (let start = 0; start < count; start += batch) {
    const seen = (await allEntitlements.find('ent_1', aCall())) ?? expect.fail();
    const put = range(Math.min(batch, count - start)).map((n): Device => ({
      id: deviceOf('ent_1', `machine-${start + n}`, digest),
      name: `Machine ${start + n}`,
      activatedAt: noon,
      seenAt: noon,
      offlineUntil: null,
    }));
    const next = { ...seen, devicesUsed: seen.devicesUsed + put.length, revision: seen.revision + 1 };
    expect((await devices.replace(seen, next, { gone: [], put, events: [] }, aCall())).kind).to.equal('replaced');
  }
}

/** The number of calls of each method of the store so far, without those of background work. */
async function callsOf({ adminUrl }: TestService): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const found = text.matchAll(/^latchkey_store_duration_seconds_count\{port="(\w+)",method="(\w+)"\} (\d+)$/gm);
  const all = [...found].map(([, port, method, count]) => [`${port}.${method}`, Number(count)] as const);
  return new Map(all.filter(([name]) => /^(?:AppKeys|Devices|Entitlements|IdempotencyRecords|Licenses)\./.test(name)));
}

describe('the queries of a license with devices', () => {
  const service = freshService(memory, { adminPort: 0 });

  it('to verify, read and cancel are those of a license without any, with 3 and with 10,000 devices', async () => {
    const asked: Readonly<Record<string, number>>[] = [];
    for (const count of [0, 3, 10_000 - 3]) {
      if (count === 0) await service().grant(aSubscription({ license }));
      await addDevices(service(), count);
      const before = await callsOf(service());
      expect((await service().verify({ licenseKey })).status).to.equal(200);
      expect((await service().read('ent_1')).status).to.equal(200);
      await service().change('ent_1/cancel', `key-0000-${count}`);
      const after = await callsOf(service());
      const more = [...after].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)] as const);
      asked.push(Object.fromEntries(more.filter(([, calls]) => calls > 0)));
      await service().change('ent_1/resume', `key-0001-${count}`);
    }
    const [none, three, many] = asked;
    expect(none).to.include({ 'Licenses.find': 1 });
    expect(Object.keys(none ?? {}).filter((name) => name.startsWith('Devices.'))).to.deep.equal([]);
    expect([three, many]).to.deep.equal([none, none]);
  });
});
