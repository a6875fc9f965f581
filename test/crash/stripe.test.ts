import { expect } from 'chai';
import { digest, hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { deriveLicenseKey } from '../../core/billing/derive-license-key.ts';
import { snapshotAt } from '../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../core/license/license-key.ts';
import { aCall } from '../support/builders.ts';
import { rounds } from '../support/run/long-runs.ts';
import { durableStores } from '../support/stores/stores.ts';
import { entitlementsIn } from '../support/stores/whole-lists.ts';
import { expectedOf, type ExpectedEntitlement } from '../support/stripe/expected-entitlement.ts';
import { KilledShop } from '../support/stripe/killed-shop.ts';

const kills = rounds(1, 20);
const buyers = rounds(4, 12);

for (const { name, address } of durableStores) {
  describe(`a server on ${name} that sells through Stripe and is killed ${kills} times at random moments`, () => {
    let at: KilledShop;

    before(async () => {
      at = await KilledShop.on(await address());
      await at.live(buyers, kills);
      await at.start();
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
      expect(ids.toSorted()).to.deep.equal(at.buyers.map(({ id }) => id).toSorted());
      const derive = deriveLicenseKey(at.store.licenseSecrets, { hmac, randomBytes });
      for (const { id } of at.buyers) {
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
  });
}

async function found({ store }: KilledShop, id: string): Promise<ExpectedEntitlement | null> {
  const entitlement = await store.allEntitlements.find(id, aCall());
  if (entitlement === null) return null;
  const { status, tierId, currentPeriodEnd, cancelAtPeriodEnd } = snapshotAt(entitlement, new Date());
  if (status === 'canceled') return { status };
  return { status, tierId, currentPeriodEnd: currentPeriodEnd?.toISOString() ?? '', cancelAtPeriodEnd };
}
