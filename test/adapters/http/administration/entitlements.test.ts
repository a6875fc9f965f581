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

  it('shows what only an operator may see, by id and by license key', async () => {
    const full = {
      ...snapshot,
      reference: 'sub_1',
      graceUntil: at(32),
      license: { lastFour: null, createdAt: at(0), revokedAt: null },
      suspendedBy: [],
      own: { deviceLimit: null, features: {} },
    };
    const shown = await admin().get(path);
    const { license } = dataOf(shown) as { readonly license: { readonly lastFour: unknown } };
    expect(dataOf(shown)).to.deep.equal({ ...full, license: { ...full.license, lastFour: license.lastFour } });
    const found = await admin().post('/admin/licenses/find', { licenseKey: ` ${licenseKey} ` });
    expect([found.status, dataOf(found)]).to.deep.equal([200, dataOf(shown)]);
  });

  it('says why access is suspended', async () => {
    const suspendedBy = async (): Promise<unknown> =>
      (dataOf(await admin().get(path)) as { readonly suspendedBy: unknown }).suspendedBy;
    await admin().post(`${path}/suspend`);
    expect(await suspendedBy()).to.deep.equal(['operator']);
    await admin().post(`${path}/reinstate`);
    expect(await suspendedBy()).to.deep.equal([]);
  });

  it('tells who changed it, the newest first', async () => {
    await admin().post(`${path}/suspend`);
    admin().service.now = new Date(noon.getTime() + 1000);
    await admin().post(`${path}/reinstate`);
    const { by: operator, correlationId } = by;
    expect(dataOf(await admin().get(`${path}/history`))).to.deep.equal([
      {
        at: '2026-07-18T12:00:01.000Z',
        by: operator,
        operation: 'reinstated',
        reason: null,
        correlationId,
        version: 3,
      },
      { at: at(0), by: operator, operation: 'suspended', reason: null, correlationId, version: 2 },
      { at: at(0), by: operator, operation: 'granted', reason: null, correlationId, version: 1 },
    ]);
  });

  it('grants a purchase with an end and updates, shows both, and moves them', async () => {
    const own = '/admin/entitlements/ent_term';
    const terms = { accessEndsAt: at(5), updatesUntil: at(9) };
    const made = dataOf(await admin().put(own, { ...purchase, ...terms })) as { readonly entitlement: object };
    expect(made.entitlement).to.include({ ...terms, currentPeriodEnd: null });
    expect(dataOf(await admin().get(own))).to.include({ ...terms, graceUntil: null });
    expect(dataOf(await admin().post(`${own}/renew`, { currentPeriodEnd: at(8) }))).to.include({
      accessEndsAt: at(8),
    });
    const tier = { tierId: 'team', tierName: 'Team', currentPeriodEnd: at(6), updatesUntil: at(7) };
    const changed = dataOf(await admin().post(`${own}/change-tier`, tier));
    expect(changed).to.include({ accessEndsAt: at(6), updatesUntil: at(7), version: 3 });
    admin().service.now = new Date(noon.getTime() + 6 * day);
    expect(dataOf(await admin().get(own))).to.include({ status: 'expired', endedAt: at(6) });
  });

  it('lists them by id, product, status, end and reference', async () => {
    await admin().put('/admin/products/prod_2', { name: 'Metronome' });
    await admin().put('/admin/entitlements/ent_3', { ...grant, productId: 'prod_2', reference: 'sub_1' });
    await admin().put('/admin/entitlements/ent_2', { ...grant, currentPeriodEnd: at(10) });
    await admin().put('/admin/entitlements/ent_4', purchase);
    await admin().post('/admin/entitlements/ent_3/suspend');
    const idsOf = async (query: string): Promise<readonly string[]> =>
      (dataOf(await admin().get(`/admin/entitlements${query}`)) as readonly { id: string }[]).map(({ id }) => id);
    expect(await idsOf('')).to.deep.equal(['ent_1', 'ent_2', 'ent_3', 'ent_4']);
    expect(await idsOf('?product=prod_1')).to.deep.equal(['ent_1', 'ent_2', 'ent_4']);
    expect(await idsOf('?status=suspended')).to.deep.equal(['ent_3']);
    expect(await idsOf(`?endsBefore=${at(11)}`)).to.deep.equal(['ent_2']);
    expect(await idsOf('?product=prod_2&reference=sub_1')).to.deep.equal(['ent_3']);
    expect(await idsOf('?product=prod_1&status=active&limit=1')).to.deep.equal(['ent_1']);
    expect(await idsOf('?product=none')).to.deep.equal([]);
    expect(await idsOf('?order=newest')).to.deep.equal(['ent_4', 'ent_3', 'ent_2', 'ent_1']);
    expect(await idsOf('?order=id&tier=pro')).to.deep.equal(await idsOf('?tier=pro'));
    expect(await idsOf('?tier=none')).to.deep.equal([]);
    expect(await idsOf('?status=ended')).to.deep.equal([]);
    admin().service.now = new Date(noon.getTime() + 12 * day);
    expect(await idsOf('?product=prod_1&status=expired')).to.deep.equal(['ent_2']);
    expect(await idsOf('?status=ended')).to.deep.equal(['ent_2']);
    const wrong = ['?order=age', '?order=', '?status=over', '?tier=', '?lastFour=X5S', '?lastFour=X5SX1'];
    for (const query of wrong) {
      const { status } = await admin().get(`/admin/entitlements${query}`);
      expect(status, query).to.equal(400);
    }
  });

  it('lists those whose license key ends so, lower case also as upper, and continues by the same order only', async () => {
    const key = 'ABCDE-ABCDE-ABCDE-ABCDE-of-a-shop-X5SX';
    await admin().put('/admin/entitlements/ent_2', { ...grant, licenseKey: key });
    await admin().put('/admin/entitlements/ent_3', { ...grant, licenseKey: `${key.slice(0, -4)}x5sx` });
    const pageOf = async (query: string) => {
      const { data, meta } = (await admin().get(`/admin/entitlements${query}`)).body as {
        readonly data: readonly { readonly id: string }[];
        readonly meta: { readonly next: string | null };
      };
      return { ids: data.map(({ id }) => id), next: meta.next };
    };
    expect((await pageOf('?lastFour=X5SX')).ids).to.deep.equal(['ent_2']);
    const { ids, next } = await pageOf('?lastFour=x5sx&order=newest&limit=1');
    expect(ids).to.deep.equal(['ent_3']);
    expect(await pageOf(`?lastFour=x5sx&order=newest&limit=1&after=${next}`)).to.deep.equal({
      ids: ['ent_2'],
      next: null,
    });
    expect((await admin().get(`/admin/entitlements?lastFour=x5sx&after=${next}`)).status).to.equal(400);
  });
});
