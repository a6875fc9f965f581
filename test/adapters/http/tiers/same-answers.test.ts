import { expect } from 'chai';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { grant, licenseKey } from '../../../support/http/granted-entitlement.ts';
import { sendForText } from '../../../support/http/http-client.ts';
import { bearer, idempotencyKey, json, type HeaderLine } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';

const pro = '/admin/products/prod_1/tiers/pro';
const team = '/admin/products/prod_1/tiers/team';

/** Features as large as a tier and an entitlement may have them: 2,048 and 512 bytes as JSON. */
const ofTier = sized('t', 2048);
const own = sized('o', 512);

function sized(prefix: string, bytes: number): Readonly<Record<string, string>> {
  const features: Record<string, string> = {};
  for (const n of range(50)) {
    const rest = bytes - JSON.stringify(features).length;
    const name = `${prefix}${n}`;
    const around = JSON.stringify({ ...features, [name]: '' }).length - JSON.stringify(features).length;
    if (rest < around) break;
    features[name] = 'x'.repeat(Math.min(100, rest - around));
  }
  return features;
}

/** The answers of license verification, cancellation and resumption, and their repeats, as they are sent. */
async function answers(service: TestService): Promise<readonly unknown[]> {
  const verify = () =>
    sendForText(`${service.url}/api/licenses/verify`, {
      method: 'POST',
      headers: [json],
      body: JSON.stringify({ licenseKey, productId: 'prod_1' }),
    });
  const change = (path: string, key: string) => service.changeForText(`ent_1/${path}`, key, 'of-a-test');
  return [
    await verify(),
    await change('cancel', 'key-00000001'),
    await change('cancel', 'key-00000001'),
    await verify(),
    await change('resume', 'key-00000002'),
    await change('resume', 'key-00000002'),
    await change('cancel', 'key-00000001'),
  ];
}

describe('what no tier changes', () => {
  const settings = { adminPort: 0, publicUrl: 'https://latchkey.example' };
  const [without, withTiers] = [freshService(memory, settings), freshService(memory, settings)];

  beforeEach(async () => {
    for (const service of [without(), withTiers()]) {
      await service.addOperatorKey(operatorKeys.full);
      await new AdminClient(service).put('/admin/products/prod_1', { name: 'Sketchpad' });
    }
  });

  it('is each byte of a verification, a cancellation and a resumption', async () => {
    for (const service of [without(), withTiers()]) {
      const admin = new AdminClient(service);
      if (service === withTiers()) await admin.put(pro, { deviceLimit: 2, features: { sso: true } });
      await admin.put('/admin/entitlements/ent_1', { ...grant, licenseKey });
      const values = service === withTiers() ? { deviceLimit: 5, features: { beta: 7 } } : { deviceLimit: 'unlimited' };
      await admin.post('/admin/entitlements/ent_1/allow', values);
    }
    const plain = await answers(without());
    expect(JSON.stringify(plain)).to.include('"status":200').and.not.include('"status":4');
    expect(await answers(withTiers())).to.deep.equal(plain);
  });

  it('is a replay, whatever the tier has allowed meanwhile', async () => {
    const admin = new AdminClient(withTiers());
    await admin.put('/admin/entitlements/ent_1', { ...grant, licenseKey });
    const change = () => withTiers().changeForText('ent_1/cancel', 'key-00000001', 'of-a-test');
    const first = await change();
    await admin.put(pro, { deviceLimit: 2, features: { sso: true } });
    expect((await change()).text).to.equal(first.text);
    await admin.send('DELETE', pro);
    expect((await change()).text).to.equal(first.text);
  });
});

describe('the ETag of an entitlement', () => {
  const service = freshService(memory, { adminPort: 0 });

  it('moves with its tier, its own values and a change of tier, and returns with what it allows', async () => {
    await service().addOperatorKey(operatorKeys.full);
    const admin = new AdminClient(service());
    await admin.put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin.put('/admin/entitlements/ent_1', { ...grant, licenseKey });
    const etag = async (): Promise<string> => (await service().read('ent_1')).headers['etag'] ?? '';
    const undeclared = await etag();
    await admin.put(team, { features: { sso: true } });
    expect(await etag(), 'another tier').to.equal(undeclared);
    const seen = [undeclared];
    const moved = async (): Promise<void> => {
      const now = await etag();
      expect(seen).not.to.include(now);
      seen.push(now);
    };
    await admin.put(pro, { features: { sso: true } });
    await moved();
    await admin.put(pro, { features: { sso: false } });
    await moved();
    await admin.put(pro, { features: { sso: true } });
    expect(await etag()).to.equal(seen[1]);
    await admin.send('DELETE', pro);
    expect(await etag()).to.equal(undeclared);
    expect((await service().read('ent_1')).body).to.have.nested.property('data.version', 1);
    await admin.put(pro, { deviceLimit: 4 });
    await moved();
    await admin.post('/admin/entitlements/ent_1/allow', { features: { sso: 7 } });
    await moved();
    await admin.post('/admin/entitlements/ent_1/change-tier', { tierId: 'team', tierName: 'Team' });
    await moved();
  });
});

describe('a precondition of a change', () => {
  const service = freshService(memory, { adminPort: 0 });

  it('is about the ETag that a read shows, with what the tier and own values allow', async () => {
    await service().addOperatorKey(operatorKeys.full);
    const admin = new AdminClient(service());
    await admin.put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin.put('/admin/entitlements/ent_1', { ...grant, licenseKey });
    const tag = async (): Promise<string> => ((await service().read('ent_1')).headers['etag'] ?? '').slice(2);
    const cancel = async (n: number, line: HeaderLine): Promise<number> => {
      const headers = [bearer(), idempotencyKey(`key-0000000${n}`), line];
      return (await service().send('/api/app-entitlements/ent_1/cancel', { method: 'POST', headers })).status;
    };
    const undeclared = await tag();
    await admin.put(pro, { deviceLimit: 2, features: { sso: true } });
    await admin.post('/admin/entitlements/ent_1/allow', { features: { beta: 7 } });
    const seen = await tag();
    expect(await cancel(1, `If-Match: ${undeclared}`)).to.equal(412);
    expect(await cancel(2, `If-None-Match: ${seen}`)).to.equal(412);
    await admin.put(pro, { deviceLimit: 3 });
    expect(await cancel(3, `If-Match: ${seen}`), 'of the tier before').to.equal(412);
    expect(await cancel(4, `If-Match: ${await tag()}`)).to.equal(200);
  });
});

describe('a receipt', () => {
  const service = freshService(memory, { adminPort: 0, publicUrl: 'https://licenses.latchkey.example' });

  it('has at most 5,000 characters with the largest features that are allowed', async () => {
    await service().addOperatorKey(operatorKeys.full);
    const admin = new AdminClient(service());
    await admin.put('/admin/products/prod_1', { name: 'Sketchpad' });
    const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
    const path = `/admin/entitlements/${id}`;
    await admin.put(path, { ...grant, tierName: 'Professional for teams', licenseKey });
    expect((await admin.put(pro, { deviceLimit: 10_000, features: ofTier })).status).to.equal(201);
    expect((await admin.put(pro, { features: { ...ofTier, [`${Object.keys(ofTier).at(-1)}x`]: 1 } })).status).to.equal(
      400,
    );
    expect((await admin.post(`${path}/allow`, { deviceLimit: 10_000, features: own })).status).to.equal(200);
    expect((await admin.post(`${path}/allow`, { features: { x: 1 } })).status).to.equal(409);
    const device = { licenseKey, deviceId: 'machine-1' };
    const activated = dataOf(
      await service().send('/api/licenses/activate', {
        method: 'POST',
        headers: [json],
        body: JSON.stringify(device),
      }),
    ) as { readonly features: object; readonly receipt: { readonly receipt: string } };
    expect(activated.features).to.deep.equal(sorted({ ...ofTier, ...own }));
    const { receipt } = activated.receipt;
    const claims = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly device: string;
      readonly entitlement: { readonly features: object };
    };
    expect([claims.device.slice(0, 4), claims.entitlement.features]).to.deep.equal(['dev_', activated.features]);
    expect(receipt.length).to.be.at.most(5000);
  });
});

function sorted(features: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(features).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
