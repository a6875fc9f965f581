import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest, hmac, randomBytes } from '../../../adapters/crypto/node-secrets.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { SeenRequest } from '../../../testing/stripe/fake-stripe.ts';
import { aCall } from '../../support/builders.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { freshStore, sqlite, type OpenedStore } from '../../support/stores/stores.ts';
import { leads } from '../../support/stripe/clock-leads.ts';
import { expectedOf } from '../../support/stripe/expected-entitlement.ts';
import { end, OutShop, update } from '../../support/stripe/out-shop.ts';
import { happen, type ShopVerb } from '../../support/stripe/shop-verbs.ts';

const minute = 60_000;

/** So fast that the second between two writes of a stream causes no wait. */
const speed = 20;

/** The changes by the merchant and the operator here, and by the buyer and the shop at Stripe. */
const changes = [
  'cancel',
  'resume',
  'suspend',
  'reinstate',
  'revoke',
  'cancel in the portal',
  'cancel by the flag',
  'undo',
  'to team',
  'pause collection',
  'resume collection',
] as const;

/** The changes that are made here. */
const here = ['cancel', 'resume', 'suspend', 'reinstate', 'revoke'] as const;

/** The faults while a change is sent, and the number of looks that follow it. */
const fates = [
  'well',
  'lost',
  'twice',
  'stopped',
  '429',
  '500',
  'cut',
  'cut after the effect',
  'expired key',
  'refused',
  'late',
  'restored',
] as const;

interface Step {
  readonly change: (typeof changes)[number];
  readonly fate: (typeof fates)[number];
  readonly pause: number;
  /** Whether requests that were lost on their way arrive before it. */
  readonly arrives: boolean;
}

const oneStep = fc.record({
  change: fc.constantFrom(...changes),
  fate: fc.constantFrom(...fates),
  /** Seconds before the change. */
  pause: fc.integer({ min: 1, max: 60 }),
  arrives: fc.boolean(),
});

const histories = fc.array(oneStep, { minLength: 1, maxLength: 8 });

describe('changes on both sides', () => {
  const store = freshStore(sqlite.open);
  /** The store that has the backup. */
  const spare = freshStore(sqlite.open);

  it('end as Stripe says, with what was asked for here last, nobody but those listed who pays in vain, one key, and few requests', async function () {
    this.timeout(0);
    await fc.assert(fc.asyncProperty(histories, leads, check), { numRuns: rounds(4, 100) });
  });

  async function check(history: readonly Step[], lead: number): Promise<void> {
    const out = await OutShop.open(store());
    out.at.lead = lead;
    try {
      const { subscription: id } = await out.at.shop.subscribe({ price: 'price_pro' });
      await out.lookAt(id);
      await out.start(speed);
      let last: Step['change'] | null = null;
      const late: SeenRequest[] = [];
      for (const step of history) {
        if (step.arrives) await arrive(out, late.splice(0));
        const asks = await live(out, id, step, { late, backup: spare() });
        // A change that Stripe has refused is not asked for here any more.
        if (asks) last = step.fate === 'refused' ? null : step.change;
      }
      await arrive(out, late);
      await settled(out);
      const mayBeRefused = history.some(({ fate }) => fate === 'refused');
      await expectNobodyPaysInVain(out, id, mayBeRefused);
      const held = (await out.at.find(id))?.hold.kind;
      if (held === 'none') expect(await found(out, id)).to.deep.equal(expectedOf(out.at.shop, id));
      const { status, cancel_at: cancelAt } = out.at.shop.object(id);
      // A subscription that a revocation has ended at Stripe stays ended, also where a backup has undone the
      // revocation.
      const isAsked = held !== 'revoked' && status !== 'canceled';
      if (last === 'cancel' && isAsked) expect(cancelAt).not.to.equal(null);
      if (last === 'resume' && isAsked) expect(cancelAt).to.equal(null);
      expect(await out.at.operations(id)).to.satisfy((all: readonly string[]) => all.indexOf('granted') === 0);
      const key = await deriveLicenseKey(store().licenseSecrets, { hmac, randomBytes })(id, aCall());
      expect((await out.at.find(id))?.license?.digest).to.equal(licenseDigest(key, digest));
      const before = out.updates.length;
      await out.lookAt(id);
      await out.settle();
      expect(out.updates).to.have.length(before);
      expect(before).to.be.lessThanOrEqual(8 * history.length);
      await expectEndSettles(out, id);
    } finally {
      await out.close();
    }
  }
});

interface Beside {
  /** Requests that were lost on their way, and arrive later. */
  readonly late: SeenRequest[];
  readonly backup: OpenedStore;
}

/** Returns whether it asked for a cancellation or its end, on either side. */
async function live(out: OutShop, id: string, { change, fate, pause }: Step, beside: Beside): Promise<boolean> {
  const { shop } = out.at;
  const { late, backup } = beside;
  out.wait(pause * 1000);
  if (fate === 'stopped') await out.stop();
  if (fate === 'restored') await out.backUp(backup);
  breakStripe(out, fate);
  const lost = fate === 'late' ? out.delayUpdate() : () => null;
  const own = here.find((each) => each === change);
  if (own !== undefined) await unlessRefused(out.ask(id, own));
  // A subscription that has ended stays ended.
  else if (shop.object(id)['status'] !== 'canceled') await happen(shop, id, change as ShopVerb);
  for (let looks = fate === 'lost' ? 0 : fate === 'twice' ? 2 : 1; looks > 0; looks -= 1)
    await unlessRefused(out.lookAt(id));
  if (fate === 'late') await settled(out);
  shop.faults.clear();
  shop.restoreKey();
  if (fate === 'stopped') await out.start(speed);
  // The next action of the buyer is later than the change here.
  await settled(out);
  const request = lost();
  if (request !== null) late.push(request);
  if (fate === 'restored') {
    await out.restore(backup, speed);
    await out.reconcile();
    await settled(out);
  }
  return change === 'resume' || change.startsWith('cancel') || change === 'undo';
}

/** Has Stripe carry out the requests that were lost on their way, and looks after each. */
async function arrive(out: OutShop, late: readonly SeenRequest[]): Promise<void> {
  for (const request of late) {
    out.wait(20 * minute);
    await out.arrive(request);
    await settled(out);
  }
}

function breakStripe(out: OutShop, fate: Step['fate']): void {
  const { shop } = out.at;
  for (const route of [update, end] as const) {
    if (fate === '429' || fate === '500') shop.faults.answer(route, Number(fate), { times: 2 });
    if (fate === 'refused') shop.faults.answer(route, 400);
    if (fate === 'cut') shop.faults.cut(route, { times: 2 });
    if (fate === 'cut after the effect') out.loseAnswer(route);
  }
  if (fate === 'expired key') shop.expireKey();
}

/**
 * An entitlement that is revoked or suspended here and charged at Stripe is on the stored list, and a difference of
 * `reconcile`.
 */
async function expectNobodyPaysInVain(out: OutShop, id: string, mayBeRefused: boolean): Promise<void> {
  const held = (await out.at.find(id))?.hold.kind ?? 'none';
  const { status, pause_collection: pause, metadata, cancel_at: cancelAt } = out.at.shop.object(id);
  const isCharged = status !== 'canceled' && pause === null && cancelAt === null;
  const kind = held === 'revoked' ? 'revoked_here' : 'suspended_here';
  const listed = isCharged && held !== 'none' ? [kind] : [];
  const kinds = Object.keys(await out.cases(id));
  expect(kinds.filter((each) => each !== 'refused_by_stripe')).to.deep.equal(listed);
  if (!mayBeRefused) expect(kinds).to.deep.equal(listed);
  if (!mayBeRefused && held === 'revoked') expect(status).to.equal('canceled');
  const { differences } = await out.reconcile(false);
  expect(differences).to.deep.equal(listed.map((each) => ({ id, kind: each })));
  expect(Object.keys(await out.cases(id))).to.deep.equal(kinds);
  if (held !== 'none' || status === 'canceled' || mayBeRefused) return;
  // A cancellation that was taken over from Stripe has no mark, or an old one.
  const marks = Object.keys(metadata as object);
  expect(cancelAt === null ? marks : marks.filter((each) => each !== 'latchkey_canceled')).to.deep.equal([]);
}

/** No case outlives its subscription. */
async function expectEndSettles(out: OutShop, id: string): Promise<void> {
  if (out.at.shop.object(id)['status'] !== 'canceled') await out.at.shop.end(id);
  await out.lookAt(id);
  expect(await out.cases(id)).to.deep.equal({});
}

/** Moves the clock to the next attempts until everything is delivered, and looks as `reconcile --fix` does. */
async function settled(out: OutShop): Promise<void> {
  while (!(await out.isSettled())) {
    out.wait(minute);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const id of out.at.shop.events.flatMap(({ type, data }) =>
    type === 'customer.subscription.created' ? [String(data.object['id'])] : [],
  ))
    await out.lookAt(id);
}

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

async function found({ at }: OutShop, id: string): Promise<unknown> {
  const snapshot = await at.show(id);
  if (snapshot === null) return null;
  const { status, tierId, currentPeriodEnd, cancelAtPeriodEnd } = snapshot;
  if (status === 'canceled') return { status };
  return { status, tierId, currentPeriodEnd: currentPeriodEnd?.toISOString(), cancelAtPeriodEnd };
}
