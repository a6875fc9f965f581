import { expect } from 'chai';
import * as fc from 'fast-check';
import type { LookAt } from '../../../adapters/stripe/look/look.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { FakeStripe } from '../../../testing/index.ts';
import { rounds } from '../../support/run/long-runs.ts';
import { freshStore, sqlite } from '../../support/stores/stores.ts';
import { leads } from '../../support/stripe/clock-leads.ts';
import { expectedOf, type ExpectedEntitlement } from '../../support/stripe/expected-entitlement.ts';
import { lookOver } from '../../support/stripe/look-over.ts';
import { LookedAtShop } from '../../support/stripe/looked-at-shop.ts';
import { happen, shopVerbs, type ShopVerb } from '../../support/stripe/shop-verbs.ts';

/** The fate of the events of a step. */
const fates = ['lost', 'once', 'twice', 'both processes', 'late', '429', '500', 'cut', 'expired key'] as const;

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...shopVerbs),
    fate: fc.constantFrom(...fates),
  }),
  { minLength: 1, maxLength: 12 },
);

/** A change and what undoes it: the second leaves everything as it was before the first. */
const undone = [
  ['cancel in the portal', 'undo'],
  ['cancel by the flag', 'undo'],
  ['pause collection', 'resume collection'],
  ['dispute', 'won'],
] as const;

describe('random histories at Stripe', () => {
  const store = freshStore(sqlite.open);

  /** Lives through a history, and compares both sides. `last` is a last look, as of `reconcile --fix`. */
  async function compare(history: readonly Step[], last: boolean, lead = 0): Promise<void> {
    const at = await LookedAtShop.open(store());
    at.lead = lead;
    const beside = await store().reopenBeside?.();
    const processes = [at.look, await lookOver(beside ?? store(), at.shop)] as const;
    try {
      const id = await at.subscribe();
      for (const step of history) await live(at, processes, id, step);
      if (last) await at.lookAt(id);
      expect(await foundOf(at, id)).to.deep.equal(expectedOf(at.shop, id));
      const grants = (await at.operations(id)).filter((operation) => operation === 'granted');
      expect(grants).to.have.length(1);
    } finally {
      await beside?.close();
      await at.shop.stop();
    }
  }

  it('end as the table says after a last look, with one grant', async function () {
    this.timeout(0);
    await fc.assert(
      fc.asyncProperty(steps, leads, (history, lead) => compare(history, true, lead)),
      { numRuns: rounds(6, 300) },
    );
  });

  it('end as the table says without a last look, although an answer from before comes last', async function () {
    this.timeout(0);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...undone), ([first, second]) =>
        compare(
          [
            { verb: first, fate: 'lost' },
            { verb: second, fate: 'late' },
          ],
          false,
        ),
      ),
      { numRuns: rounds(10, 100) },
    );
  });
});

async function foundOf(at: LookedAtShop, id: string): Promise<ExpectedEntitlement | null> {
  const snapshot = await at.show(id);
  if (snapshot === null) return null;
  const { status, tierId, currentPeriodEnd, cancelAtPeriodEnd } = snapshot;
  if (status === 'canceled') return { status };
  return { status, tierId, currentPeriodEnd: currentPeriodEnd?.toISOString() ?? '', cancelAtPeriodEnd };
}

interface Step {
  readonly verb: ShopVerb;
  readonly fate: (typeof fates)[number];
}

async function live(at: LookedAtShop, processes: readonly [LookAt, LookAt], id: string, step: Step): Promise<void> {
  const { shop } = at;
  at.now = new Date(at.now.getTime() + 1000);
  const looks = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, index) => tried(processes[index % 2 === 0 ? 0 : 1](id, at.call()))));
  if (step.fate === 'late') return liveLate(at, processes[1], id, step);
  await happen(shop, id, step.verb);
  if (step.fate === 'lost') return;
  breakStripe(shop, step.fate);
  await looks(step.fate === 'both processes' ? 2 : 1);
  if (step.fate === 'twice') await looks(1);
  shop.faults.clear();
  shop.restoreKey();
}

/** Lets the next requests fail, more of them than the library repeats. */
function breakStripe({ faults, expireKey }: FakeStripe, fate: Step['fate']): void {
  if (fate === '429' || fate === '500') faults.answer('*', Number(fate), { times: 4 });
  if (fate === 'cut') faults.cut('*', { afterEffect: true, times: 4 });
  if (fate === 'expired key') expireKey();
}

/** Holds an answer that was read before the step, until another process has looked after it. */
async function liveLate(at: LookedAtShop, beside: LookAt, id: string, step: Step): Promise<void> {
  const held = at.shop.faults.hold('GET /v1/subscriptions/:id');
  const late = tried(at.lookAt(id));
  await held.arrived;
  await happen(at.shop, id, step.verb);
  await tried(beside(id, at.call()));
  held.release();
  await late;
}

/** Waits for a look, which may find Stripe unavailable. */
async function tried(look: Promise<unknown>): Promise<void> {
  try {
    await look;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'stripe_unavailable') throw error;
  }
}
