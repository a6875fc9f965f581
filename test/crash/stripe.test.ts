import { expect } from 'chai';
import { digest, hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../app/service/platform.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import { deriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import { snapshotAt } from '../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { handleOf, handles, months, sold, StatedSales } from '../support/affiliates/stated-sales.ts';
import { aCall } from '../support/builders.ts';
import { rounds } from '../support/run/long-runs.ts';
import { durableStores } from '../support/stores/stores.ts';
import { entitlementsIn } from '../support/stores/whole-lists.ts';
import { expectedOf, type ExpectedEntitlement } from '../support/stripe/expected-entitlement.ts';
import { KilledShop } from '../support/stripe/killed-shop.ts';

const kills = rounds(2, 20);
const buyers = rounds(4, 12);

for (const { name, address } of durableStores) {
  describe(`a server on ${name} that sells through Stripe, attributes and states sales, and is killed ${kills} times at random moments`, () => {
    let at: KilledShop;
    let sales: StatedSales;

    before(async () => {
      at = await KilledShop.on(await address(), sold);
      sales = await StatedSales.addTo(at, at.operatorKey);
      await Promise.all([at.live(buyers, kills), sales.run()]);
      await sales.settle(at.store);
    });
    after(() => at.remove());

    it('is what Stripe says after stripe reconcile --fix, and no difference is left', async () => {
      // The first one runs beside the server, which delivers what the killed one has left.
      await at.run('stripe reconcile --fix');
      await at.settle();
      const { exitCode, stdout } = await at.run('stripe reconcile --fix --json');
      const { differences }: { readonly differences: unknown } = JSON.parse(stdout);
      expect({ exitCode, differences }).to.deep.equal({ exitCode: 0, differences: [] });
      for (const { id } of at.buyers.filter(({ takenAway }) => takenAway === null))
        expect(await found(at, id), id).to.deep.equal(expectedOf(at.shop, id));
      expect((await at.run('stripe reconcile')).exitCode).to.equal(0);
      expect(await at.store.stripeCases.page(null, 10, aCall())).to.deep.equal([]);
    });

    it('has one entitlement and one key for each buyer, which is the derived one', async () => {
      const ids = (await entitlementsIn(at.store)).map(({ id }) => id);
      const bought = [...at.buyers.map(({ id }) => id), ...sales.purchases];
      expect(ids.toSorted()).to.deep.equal([...sold, ...bought].toSorted());
      const derive = deriveLicenseKey(at.store.licenseSecrets, { hmac, randomBytes });
      for (const id of bought) {
        const grants = (await at.store.entitlementHistory.list(id, aCall())).filter(
          ({ operation }) => operation === 'granted',
        );
        expect(grants, id).to.have.length(1);
        const key = await derive(id, aCall());
        expect((await at.store.allEntitlements.find(id, aCall()))?.license?.digest).to.equal(
          licenseDigest(key, digest),
        );
      }
    });

    it('charges nobody whose access an operator has taken away', async () => {
      const taken = at.buyers.filter(({ takenAway }) => takenAway !== null);
      for (const { id, takenAway } of taken) {
        const entitlement = await at.store.allEntitlements.find(id, aCall());
        const { status, pause_collection: paused } = at.shop.object(id);
        if (takenAway === 'revoke') expect([entitlement?.hold.kind, status], id).to.deep.equal(['revoked', 'canceled']);
        else expect([entitlement?.hold.kind, paused === null], id).to.deep.equal(['suspended', false]);
      }
      expect(taken).to.have.length.greaterThan(0);
    });

    it('has brought each cancellation that it acknowledged to Stripe, unless the merchant has resumed', () => {
      const canceled = at.buyers.filter(
        ({ cancelsAtStripe, takenAway, acknowledged }) =>
          !cancelsAtStripe && takenAway !== 'revoke' && acknowledged.at(-1) === 'cancel',
      );
      const left = canceled.filter(({ id }) => at.shop.object(id)['cancel_at'] === null);
      expect(left.map(({ id }) => id)).to.deep.equal([]);
      expect(at.buyers.flatMap(({ acknowledged }) => acknowledged)).to.include.members(['cancel', 'resume']);
    });

    const all = { productId: null, handle: null, month: null, state: null, after: null, limit: 1000 } as const;
    const eventsOf = async (type: string): Promise<readonly string[]> => {
      const { events } = await at.store.events.page('prod_1', 0, 10_000, aCall());
      return events.flatMap(({ event }) => {
        if (event.type !== type) return [];
        return 'sale' in event ? [event.sale.id] : 'statement' in event ? [event.statement.id] : [];
      });
    };

    it('loses no statement and no payment that it acknowledged, and closes each once', async () => {
      const statements = await at.store.statements.page(all, aCall());
      expect(statements.length).to.be.greaterThan(0);
      const ids = statements.map(({ id }) => id);
      expect(ids).to.include.members([...sales.closed]);
      for (const { id, paid } of statements) if (sales.paid.has(id)) expect(paid?.reference).to.equal(id);
      expect(sales.paid.size).to.be.greaterThan(0);
      expect((await eventsOf('statement.closed')).toSorted()).to.deep.equal(ids.toSorted());
    });

    it('attributes each sale once, and states what is kept of it, no line twice', async () => {
      const attributed = await at.store.sales.page(
        { productId: null, handle: null, currency: null, after: null, limit: 1000 },
        aCall(),
      );
      const entitlements = attributed.map(({ entitlementId }) => entitlementId);
      expect(entitlements.toSorted()).to.deep.equal([...sold, ...sales.purchases].toSorted());
      expect((await eventsOf('sale.attributed')).toSorted()).to.deep.equal(attributed.map(({ id }) => id).toSorted());
      const shares = [...months.slice(1).map(() => 150), Math.floor((1005 * 30) / 100)];
      const due = shares.reduce((sum, share) => sum + share, 0);
      const statements = await at.store.statements.page(all, aCall());
      for (const handle of handles) {
        const own = statements.filter((statement) => statement.handle === handle);
        const count = sold.filter((id) => handleOf(id) === handle).length;
        expect(
          own.reduce((sum, { total }) => sum + total, 0),
          handle,
        ).to.equal(count * due);
      }
    });

    it('leaves a store in which nothing is wrong', async () => {
      const { checkStore } = administrationOf(at.store, nodePlatform);
      const findings = await checkStore(() => aCall({ now: new Date() }));
      expect(findings.filter(({ ok }) => !ok)).to.deep.equal([]);
    });
  });
}

async function found({ store }: KilledShop, id: string): Promise<ExpectedEntitlement | null> {
  const entitlement = await store.allEntitlements.find(id, aCall());
  if (entitlement === null) return null;
  const { status, tierId, currentPeriodEnd, cancelAtPeriodEnd } = snapshotAt(entitlement, new Date());
  if (status === 'canceled') return { status };
  return { status, tierId, currentPeriodEnd: currentPeriodEnd?.toISOString() ?? '', cancelAtPeriodEnd };
}
