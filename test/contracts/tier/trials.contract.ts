import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import type { Call } from '../../../core/call.ts';
import { writeReceipt } from '../../../core/receipt/receipt.ts';
import { readTiers } from '../../../core/tier/allowance.ts';
import { putTier } from '../../../core/tier/manage-tiers.ts';
import { termsOf } from '../../../core/tier/tier.ts';
import { convertTrial } from '../../../core/trial/convert-trial.ts';
import { everyTrial, listTrials, pruneTrials } from '../../../core/trial/manage-trials.ts';
import { startTrial, type StartTrial } from '../../../core/trial/start-trial.ts';
import { trialOf, type Trial } from '../../../core/trial/trial.ts';
import { aCall, aProduct, aTrial, day, later, noon } from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { inGroups, range } from '../../support/range.ts';
import { aFreshRing } from '../../support/receipts/key-rings.ts';
import { freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';

const { encodeText, newReceiptId, signText } = nodePlatform;
const issuer = 'https://licenses.example';
const idOf = (number: number): string => `trial_${String(number).padStart(22, '0')}`;
const ids = (trials: readonly Trial[]): readonly string[] => trials.map(({ id }) => id);
const call = (milliseconds = 0): Call => aCall({ now: later(milliseconds) });
const admitted = (): Promise<void> => Promise.resolve();

function starting({ trials, tiers }: OpenedStore): StartTrial {
  return startTrial(trials, digest, {
    keys: { known: () => Promise.resolve(aFreshRing()) },
    trustsClock: () => Promise.resolve(true),
    write: writeReceipt(newReceiptId, encodeText, signText),
    ttl: day,
    knownTiers: readTiers(tiers),
  });
}

/** The contract of `Trials`, and of the use cases over it that several callers run at once. */
export function trialsContract(open: OpenStore): void {
  describe('Trials', () => {
    const store = freshStore(open);

    beforeEach(async () => {
      await store().products.add(aProduct({ id: 'prod_1' }), call());
    });

    it('stores each member of a trial, and of two that are added under an id the first', async () => {
      const trial = aTrial({ converted: { at: later(1000), entitlementId: 'ent_1' } });
      await store().trials.add(trial, call());
      await store().trials.add(aTrial({ tierId: 'team' }), call());
      expect(await store().trials.find(trial.id, call())).to.deep.equal(trial);
      expect(await store().trials.find(idOf(1), call())).to.equal(null);
    });

    it('replaces the revision that was seen, and no other', async () => {
      const { trials } = store();
      await trials.add(aTrial(), call());
      const next = aTrial({ endsAt: later(day), converted: { at: noon, entitlementId: 'ent_1' }, revision: 2 });
      expect((await trials.replace(aTrial({ revision: 3 }), call())).kind).to.equal('stale');
      expect((await trials.replace(next, call())).kind).to.equal('replaced');
      expect((await trials.replace(aTrial({ revision: 2 }), call())).kind).to.equal('stale');
      expect((await trials.replace(aTrial({ id: idOf(1), revision: 2 }), call())).kind).to.equal('stale');
      expect(await trials.find(next.id, call())).to.deep.equal(next);
      expect(await trials.find(idOf(1), call())).to.equal(null);
    });

    it('lists those of a product, the newest first, and those that became one entitlement', async () => {
      const { products, trials } = store();
      await products.add(aProduct({ id: 'prod_2' }), call());
      for (const [number, startedAt] of [noon, later(1), later(1), later(2)].entries()) {
        const converted = number % 2 === 0 ? { at: noon, entitlementId: 'ent_1' } : null;
        await trials.add(aTrial({ id: idOf(number), startedAt, converted }), call());
      }
      await trials.add(aTrial({ id: idOf(9), productId: 'prod_2', startedAt: later(3) }), call());
      const filter = { productId: 'prod_1', entitlementId: null };
      const list = listTrials(trials, products);
      const first = await list(filter, { after: null, limit: 2 }, call());
      const rest = await list(filter, { after: first.next, limit: 2 }, call());
      expect([...ids(first.items), ...ids(rest.items), rest.next]).to.deep.equal([...[3, 2, 1, 0].map(idOf), null]);
      const bought = await list({ ...filter, entitlementId: 'ent_1' }, { after: null, limit: 9 }, call());
      expect(ids(bought.items)).to.deep.equal([2, 0].map(idOf));
      const every = everyTrial(trials, products)(filter, () => call());
      expect(ids(await Array.fromAsync(every))).to.deep.equal([3, 2, 1, 0].map(idOf));
    });

    it('gives a device that starts many times at once one trial with one end', async () => {
      const { products, tiers } = store();
      await putTier(tiers, products, countingIds())(
        { productId: 'prod_1', id: 'pro' },
        termsOf({ trial: 14 * day }),
        call(),
      );
      const start = starting(store());
      const request = { productId: 'prod_1', deviceId: 'laptop', issuer };
      const started = await Promise.all(range(12).map((number) => start(request, admitted, call(number * 1000))));
      const trial = await store().trials.find(trialOf('prod_1', 'laptop', digest), call());
      expect(trial?.endsAt.getTime()).to.equal((trial?.startedAt.getTime() ?? 0) + 14 * day);
      for (const one of started) expect(one.trial).to.deep.equal(trial);
      expect(started.filter(({ kind }) => kind === 'started')).to.have.length(1);
    });

    it('notes the first of the licenses that a device gets at once', async () => {
      const id = trialOf('prod_1', 'laptop', digest);
      await store().trials.add(aTrial({ id }), call());
      const convert = convertTrial(store().trials, digest);
      const conversion = { productId: 'prod_1', deviceId: 'laptop' };
      const noted = await Promise.all(
        range(4).map((number) => convert({ ...conversion, entitlementId: `ent_${number}` }, call(number))),
      );
      expect(noted.filter(Boolean)).to.have.length(1);
      const trial = await store().trials.find(id, call());
      expect(trial?.converted).to.deep.equal({
        at: later(noted.indexOf(true)),
        entitlementId: `ent_${noted.indexOf(true)}`,
      });
      expect(await convert({ ...conversion, deviceId: 'phone', entitlementId: 'ent_1' }, call())).to.equal(false);
    });

    it('removes those that ended as long ago as they are kept, however many they are', async () => {
      const { trials } = store();
      await inGroups(range(501), (number) => trials.add(aTrial({ id: idOf(number), endsAt: noon }), call()));
      await trials.add(aTrial({ id: idOf(600), endsAt: later(1) }), call());
      expect(await pruneTrials(trials)(day, () => call(day))).to.equal(501);
      expect(
        ids(await trials.page({ productId: 'prod_1', entitlementId: null, after: null, limit: 9 }, call())),
      ).to.deep.equal([idOf(600)]);
    });
  });
}
