import { expect } from 'chai';
import { day, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { at, by, grant, licenseKey, path, purchase, snapshot } from '../../../support/http/granted-entitlement.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

interface Granted {
  readonly entitlement: object;
  readonly licenseKey: string | null;
}

describe('granting an entitlement over HTTP', () => {
  const admin = freshAdmin(memory);
  const put = (more: object = {}, id = 'ent_1'): Promise<Reply> =>
    admin().put(`/admin/entitlements/${id}`, { ...grant, ...more });

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    admin().service.logged.length = 0;
  });

  it('shows its license key once, and a repeat changes nothing', async () => {
    const granted = await put({ reference: 'sub_1', grace: '2d' });
    const { entitlement, licenseKey: key } = dataOf(granted) as Granted;
    expect([granted.status, entitlement]).to.deep.equal([201, snapshot]);
    expect((await admin().service.verify({ licenseKey: key })).body).to.include({ valid: true });
    admin().service.now = new Date(noon.getTime() + 1000);
    const repeats = [await put({ grace: '48h', currentPeriodEnd: at(31) }), await put({ status: 'active' })];
    for (const { status, body } of repeats) {
      const data = { entitlement: snapshot, licenseKey: null };
      expect([status, body]).to.deep.equal([200, { success: true, data, correlationId: requestId }]);
    }
    const logged = { command: 'entitlement grant', entitlementId: 'ent_1', versionBefore: 0, version: 1, ...by };
    expect(admin().changes).to.deep.equal([logged]);
  });

  it('takes a license key, instants with an offset, and a purchase', async () => {
    const data = dataOf(await put({ licenseKey, currentPeriodEnd: '2026-08-01T02:00:00+02:00' })) as Granted;
    expect(data.licenseKey).to.equal(licenseKey);
    expect(data.entitlement).to.include({ currentPeriodEnd: '2026-08-01T00:00:00.000Z' });
    const bought = dataOf(await admin().put('/admin/entitlements/ent_2', purchase)) as Granted;
    expect(bought.entitlement).to.include({ kind: 'one_time', currentPeriodEnd: null });
  });
});

describe('reading entitlements over HTTP', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin().put(path, { ...grant, reference: 'sub_1', licenseKey });
  });

  it('finds by a license key what it shows by its id', async () => {
    const found = await admin().post('/admin/licenses/find', { licenseKey: ` ${licenseKey} ` });
    expect([found.status, dataOf(found)]).to.deep.equal([200, dataOf(await admin().get(path))]);
  });

  it('tells by which request it was changed', async () => {
    const [granted] = dataOf(await admin().get(`${path}/history`)) as readonly object[];
    expect(granted).to.include(by);
  });

  it('grants a purchase with an end and updates, which ends', async () => {
    const own = '/admin/entitlements/ent_term';
    const terms = { accessEndsAt: at(5), updatesUntil: at(9) };
    const made = dataOf(await admin().put(own, { ...purchase, ...terms })) as { readonly entitlement: object };
    expect(made.entitlement).to.include({ ...terms, currentPeriodEnd: null });
    admin().service.now = new Date(noon.getTime() + 6 * day);
    expect(dataOf(await admin().get(own))).to.include({ status: 'expired', endedAt: at(5), ...terms });
  });

  it('lists what has expired by now, and refuses what no entitlement has', async () => {
    await admin().put('/admin/entitlements/ent_2', { ...grant, currentPeriodEnd: at(10) });
    admin().service.now = new Date(noon.getTime() + 12 * day);
    for (const query of ['status=expired', 'status=ended', 'order=id&status=ended']) {
      expect(dataOf(await admin().get(`/admin/entitlements?${query}`)), query).to.have.nested.property(
        '[0].id',
        'ent_2',
      );
    }
    const wrong = ['?order=age', '?order=', '?status=over', '?tier=', '?lastFour=X5S', '?lastFour=X5SX1'];
    for (const query of wrong) {
      expect((await admin().get(`/admin/entitlements${query}`)).status, query).to.equal(400);
    }
  });
});
