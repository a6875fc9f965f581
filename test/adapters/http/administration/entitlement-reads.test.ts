import { expect } from 'chai';
import { day, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { at, by, grant, licenseKey, path, purchase, snapshot } from '../../../support/http/granted-entitlement.ts';
import { memory } from '../../../support/stores/stores.ts';

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
    };
    const shown = await admin().get(path);
    const { license } = dataOf(shown) as { readonly license: { readonly lastFour: unknown } };
    expect(dataOf(shown)).to.deep.equal({ ...full, license: { ...full.license, lastFour: license.lastFour } });
    const found = await admin().post('/admin/licenses/find', { licenseKey: ` ${licenseKey} ` });
    expect([found.status, dataOf(found)]).to.deep.equal([200, dataOf(shown)]);
  });

  it('tells who changed it, the newest first', async () => {
    await admin().post(`${path}/suspend`);
    admin().service.now = new Date(noon.getTime() + 1000);
    await admin().post(`${path}/reinstate`);
    const { by: operator, correlationId } = by;
    expect(dataOf(await admin().get(`${path}/history`))).to.deep.equal([
      { at: '2026-07-18T12:00:01.000Z', by: operator, operation: 'reinstated', correlationId, version: 3 },
      { at: at(0), by: operator, operation: 'suspended', correlationId, version: 2 },
      { at: at(0), by: operator, operation: 'granted', correlationId, version: 1 },
    ]);
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
    admin().service.now = new Date(noon.getTime() + 12 * day);
    expect(await idsOf('?product=prod_1&status=expired')).to.deep.equal(['ent_2']);
  });
});
