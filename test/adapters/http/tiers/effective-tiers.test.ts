import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { verifyReceipt } from '../../../../client/index.ts';
import type { Licenses } from '../../../../core/entitlement/license/licenses.port.ts';
import type { Entitlements } from '../../../../core/entitlement/merchant/entitlements.port.ts';
import type { Tiers } from '../../../../core/tier/tiers.port.ts';
import { noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { AdminClient, dataOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { at, grant, licenseKey } from '../../../support/http/granted-entitlement.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { memory } from '../../../support/stores/stores.ts';

const pro = '/admin/products/prod_1/tiers/pro';
const allow = '/admin/entitlements/ent_1/allow';
const terms = { deviceLimit: 2, features: { sso: true, projects: 20 } };
const device = { licenseKey, deviceId: 'machine-1' };

type Shown = Readonly<Record<string, unknown>>;

interface FedEvent {
  readonly type: string;
  readonly data: { readonly entitlement: Shown; readonly previous: Shown };
}

/** The allowance of an entitlement, as one place shows it. */
const allowed = ({ deviceLimit = null, features = {} }: Shown): object => ({ deviceLimit, features });

const codes = (warnings: unknown): unknown => (warnings as readonly Shown[] | undefined)?.map(({ code }) => code);

describe('what a tier allows', () => {
  const queries: string[] = [];
  const counted = (name: string) => (method: string) => void queries.push(`${name}.${method}`);
  const service = freshService(memory, {
    adminPort: 0,
    publicUrl: 'https://latchkey.example',
    rebind: (container) => {
      const { tiers, entitlements, licenses } = tokens;
      const ofTiers = interposed(container.get<Tiers>(tiers), counted('tiers'));
      const ofEntitlements = interposed(container.get<Entitlements>(entitlements), counted('entitlements'));
      const ofLicenses = interposed(container.get<Licenses>(licenses), counted('licenses'));
      container.rebind(tiers).toConstantValue(ofTiers);
      container.rebind(entitlements).toConstantValue(ofEntitlements);
      container.rebind(licenses).toConstantValue(ofLicenses);
    },
  });
  const admin = (): AdminClient => new AdminClient(service());

  beforeEach(async () => {
    await service().addOperatorKey(operatorKeys.full);
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin().put('/admin/entitlements/ent_1', { ...grant, licenseKey });
  });

  const post = (path: string, body: object): Promise<Reply> =>
    service().send(path, { method: 'POST', headers: [json], body: JSON.stringify(body) });

  async function receiptOf(receipt: unknown): Promise<Shown> {
    const keys = (await service().send('/.well-known/jwks.json')).body as Parameters<typeof verifyReceipt>[1]['keys'];
    const verified = await verifyReceipt(String(receipt), { keys, productId: 'prod_1', now: noon });
    expect(verified.verdict).to.equal('valid');
    return { ...verified.entitlement };
  }

  async function feedOf(id: string, count: number): Promise<readonly FedEvent[]> {
    return eventually(
      async () => {
        const { body } = await service().send('/api/app-events?limit=100', { headers: [bearer()] });
        const events = (body as { readonly data: readonly FedEvent[] }).data;
        return events.filter(({ data }) => data.entitlement['id'] === id);
      },
      (events) => events.length >= count,
    );
  }

  /** Each place that shows the allowance. */
  async function places(): Promise<readonly object[]> {
    const activated = dataOf(await post('/api/licenses/activate', device)) as Shown;
    const receipt = dataOf(await post('/api/licenses/receipt', { licenseKey, productId: 'prod_1' })) as Shown;
    const offline = dataOf(await admin().post('/admin/entitlements/ent_1/receipts', { expires: '1d' })) as Shown;
    const [listed] = dataOf(await admin().get('/admin/entitlements?product=prod_1')) as readonly Shown[];
    return [
      allowed(dataOf(await service().read('ent_1')) as Shown),
      allowed(activated),
      allowed(await receiptOf((activated['receipt'] as Shown)['receipt'])),
      allowed(await receiptOf(receipt['receipt'])),
      allowed(await receiptOf(offline['receipt'])),
      allowed(dataOf(await admin().get('/admin/entitlements/ent_1')) as Shown),
      allowed(listed ?? {}),
    ];
  }

  async function expectEverywhere(deviceLimit: number | null, features: object): Promise<void> {
    for (const [index, place] of (await places()).entries())
      expect(place, `place ${index}`).to.deep.equal({ deviceLimit, features });
  }

  it('is in force at each read: after put, own values, a change of tier and a deletion', async () => {
    await expectEverywhere(null, {});
    await admin().put(pro, terms);
    await expectEverywhere(2, terms.features);
    await admin().post(allow, { deviceLimit: 5, features: { projects: 100, beta: 'yes' } });
    await expectEverywhere(5, { beta: 'yes', projects: 100, sso: true });
    const shown = dataOf(await admin().get('/admin/entitlements/ent_1')) as Shown;
    expect(shown['own']).to.deep.equal({ deviceLimit: 5, features: { beta: 'yes', projects: 100 } });
    await admin().put(pro, { features: { sso: false, projects: 1 } });
    await expectEverywhere(5, { beta: 'yes', projects: 100, sso: false });
    await admin().post('/admin/entitlements/ent_1/change-tier', { tierId: 'team', tierName: 'Team' });
    await expectEverywhere(5, { beta: 'yes', projects: 100 });
    await admin().put('/admin/products/prod_1/tiers/team', { deviceLimit: 1, features: { audit: true } });
    await admin().post(allow, { deviceLimit: 'unlimited', features: { beta: null } });
    await expectEverywhere(null, { audit: true, projects: 100 });
    await admin().post(allow, { deviceLimit: 'tier', features: { projects: null } });
    await expectEverywhere(1, { audit: true });
    await admin().send('DELETE', '/admin/products/prod_1/tiers/team');
    await expectEverywhere(null, {});
  });

  it('limits the devices of a license that has no limit of its own', async () => {
    await admin().put(pro, { deviceLimit: 1 });
    const activate = async (deviceId: string): Promise<unknown> => {
      const { status, headers } = await post('/api/licenses/activate', { licenseKey, deviceId });
      return headers['error-code'] ?? status;
    };
    expect([await activate('machine-1'), await activate('machine-2')]).to.deep.equal([200, 'device_limit']);
    await admin().post(allow, { deviceLimit: 'unlimited' });
    expect(await activate('machine-2')).to.equal(200);
    await admin().post(allow, { deviceLimit: 'tier' });
    expect(await activate('machine-3')).to.equal('device_limit');
    const devices = dataOf(await post('/api/licenses/devices', { licenseKey })) as Shown;
    expect([devices['deviceLimit'], devices['devicesUsed']]).to.deep.equal([1, 2]);
    const events = (await feedOf('ent_1', 5)).filter(({ type }) => type === 'device.activated');
    expect(events.map(({ data }) => data.entitlement['deviceLimit'])).to.deep.equal([1, null]);
  });

  it('costs no query more once a process knows the tiers', async () => {
    await admin().put(pro, terms);
    await service().read('ent_1');
    await post('/api/licenses/activate', device);
    queries.length = 0;
    await service().read('ent_1');
    await post('/api/licenses/verify', { licenseKey });
    await post('/api/licenses/receipt', { licenseKey, productId: 'prod_1' });
    await post('/api/licenses/activate', device);
    await service().change('ent_1/cancel', 'key-00000001');
    expect(queries).to.deep.equal([
      'entitlements.find',
      'licenses.find',
      'licenses.find',
      'licenses.find',
      'entitlements.find',
      'entitlements.replace',
    ]);
  });

  it('is in the events of a grant, of a change of own values and of a change of tier, with its revision', async () => {
    await admin().put(pro, terms);
    await admin().put('/admin/products/prod_1/tiers/team', { deviceLimit: 9, features: { sso: true } });
    await admin().put('/admin/entitlements/ent_2', grant);
    const ofSecond = '/admin/entitlements/ent_2';
    await admin().post(`${ofSecond}/allow`, { features: { sso: false } });
    await admin().post(`${ofSecond}/change-tier`, { tierId: 'team', tierName: 'Team' });
    await admin().post(`${ofSecond}/renew`, { currentPeriodEnd: at(90) });
    const events = await feedOf('ent_2', 4);
    const shown = events.map(({ type, data: { entitlement, previous } }) => [
      type.split('.')[1],
      allowed(entitlement),
      entitlement['tierRevision'] ?? null,
      allowedBefore(previous),
    ]);
    expect(shown).to.deep.equal([
      ['granted', terms, 1, {}],
      ['allowance_changed', { ...terms, features: { projects: 20, sso: false } }, 1, { features: terms.features }],
      [
        'tier_changed',
        { deviceLimit: 9, features: { sso: false } },
        1,
        { deviceLimit: 2, features: { projects: 20, sso: false } },
      ],
      ['renewed', { deviceLimit: null, features: {} }, null, {}],
    ]);
  });

  it('warns of a tier that is not declared where others are, and takes it', async () => {
    const put = async (id: string, tierId: string): Promise<unknown> =>
      (dataOf(await admin().put(`/admin/entitlements/${id}`, { ...grant, tierId })) as Shown)['warnings'];
    const change = async (tierId: string): Promise<unknown> => {
      const reply = await admin().post('/admin/entitlements/ent_1/change-tier', { tierId, tierName: 'Any' });
      expect(reply.status).to.equal(200);
      return (dataOf(reply) as Shown)['warnings'];
    };
    expect([await put('a', 'prou'), await change('prou')]).to.deep.equal([undefined, undefined]);
    await admin().put(pro, terms);
    expect([await put('b', 'pro'), await change('pro')]).to.deep.equal([undefined, undefined]);
    const before = admin().changes.length;
    expect(codes(await put('c', 'prou'))).to.deep.equal(['tier_not_declared']);
    expect(codes(await put('c', 'prou'))).to.deep.equal(['tier_not_declared']);
    expect(codes(await change('prou'))).to.deep.equal(['tier_not_declared']);
    expect(
      admin()
        .changes.slice(before)
        .map((line) => [Reflect.get(line, 'command'), Reflect.get(line, 'warning')]),
    ).to.deep.equal([
      ['entitlement grant', 'tier_not_declared'],
      ['entitlement change-tier', 'tier_not_declared'],
    ]);
    await admin().send('DELETE', pro);
    expect(await put('d', 'prou')).to.equal(undefined);
  });
});

function allowedBefore({ deviceLimit, features }: Shown): object {
  return { ...(deviceLimit !== undefined && { deviceLimit }), ...(features !== undefined && { features }) };
}
