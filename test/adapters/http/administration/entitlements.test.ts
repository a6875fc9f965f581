import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { at, by, grant, licenseKey, purchase, snapshot } from '../../../support/http/granted-entitlement.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { stores } from '../../../support/stores/stores.ts';

interface Granted {
  readonly entitlement: object;
  readonly licenseKey: string | null;
}

const twenty = (request: () => Promise<Reply>): Promise<readonly Reply[]> =>
  Promise.all(Array.from({ length: 20 }, request));

for (const store of stores) {
  describe(`granting an entitlement over HTTP on ${store.name}`, () => {
    const admin = freshAdmin(store);
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

    it('happens once in twenty requests at the same time', async () => {
      const replies = await twenty(() => put({ reference: 'sub_1' }));
      const keys = replies.map((reply) => (dataOf(reply) as Granted).licenseKey);
      expect(replies.filter(({ status }) => status === 200)).to.have.length(19);
      expect(replies.filter(({ status }) => status === 201)).to.have.length(1);
      expect(keys.filter((key) => key !== null)).to.have.length(1);
      const seen = replies.map((reply) => (dataOf(reply) as Granted).entitlement);
      expect(seen).to.deep.equal(seen.map(() => snapshot));
      expect(admin().changes).to.have.length(1);
    });

    it('takes a license key, instants with an offset, and a purchase', async () => {
      const data = dataOf(await put({ licenseKey, currentPeriodEnd: '2026-08-01T02:00:00+02:00' })) as Granted;
      expect(data.licenseKey).to.equal(licenseKey);
      expect(data.entitlement).to.include({ currentPeriodEnd: '2026-08-01T00:00:00.000Z' });
      const bought = dataOf(await admin().put('/admin/entitlements/ent_2', purchase)) as Granted;
      expect(bought.entitlement).to.include({ kind: 'one_time', currentPeriodEnd: null });
    });

    it('is refused if the id has another entitlement, and for what is taken, unknown or too early', async () => {
      await put({ licenseKey, reference: 'sub_1' });
      await admin().put('/admin/products/prod_2', { name: 'Metronome' });
      const differing = [
        { tierId: 'team' },
        { tierName: 'Team' },
        { productId: 'prod_2' },
        { currentPeriodEnd: at(30) },
        { currentPeriodStart: at(-1) },
        { status: 'trialing' },
        { grace: '2d' },
        { reference: 'sub_2' },
        { licenseKey: 'another-license-key-of-mine' },
      ];
      for (const each of differing) {
        expect(outcomeOf(await put(each)).slice(0, 2), JSON.stringify(each)).to.deep.equal([409, 'entitlement_exists']);
      }
      const refusals: readonly (readonly [more: object, status: number, code: string])[] = [
        [{ reference: 'sub_1' }, 409, 'reference_exists'],
        [{ licenseKey }, 409, 'license_key_exists'],
        [{ licenseKey: 'short' }, 400, 'invalid_license_key'],
        [{ productId: 'none' }, 404, 'product_not_found'],
        [{ currentPeriodEnd: at(-1) }, 409, 'period_end_too_early'],
        [{ billingInterval: 'one_time', currentPeriodEnd: at(1) }, 400, 'not_for_a_purchase'],
        [{ billingInterval: 'one_time', grace: '1h' }, 400, 'not_for_a_purchase'],
        [{ currentPeriodEnds: at(1) }, 400, 'invalid_body'],
        [{ currentPeriodEnd: '2026-09-01' }, 400, 'invalid_body'],
        [{ tierId: null }, 400, 'invalid_body'],
      ];
      for (const [more, status, code] of refusals) {
        expect(outcomeOf(await put(more, 'ent_2')).slice(0, 2), JSON.stringify(more)).to.deep.equal([status, code]);
      }
      expect(outcomeOf(await put({}, 'a%20b')).slice(0, 2)).to.deep.equal([400, 'invalid_parameter']);
    });
  });
}
