import { expect } from 'chai';
import * as fc from 'fast-check';
import type { LookAt } from '../../../../adapters/stripe/look/look.ts';
import { agreed, endedPromotion, type Promotion } from '../../../../core/affiliate/promotion.ts';
import type { Sale } from '../../../../core/affiliate/sale/sale.ts';
import { termsAt, type Terms } from '../../../../core/affiliate/sale/terms.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { anAffiliate, aPromotion, aVersion, thirty } from '../../../support/affiliates/builders.ts';
import { aCall } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { stores, type OpenedStore } from '../../../support/stores/stores.ts';
import { keptPaymentsOf } from '../../../support/stripe/kept-payments.ts';
import { lookOver } from '../../../support/stripe/look-over.ts';
import { LookedAtShop } from '../../../support/stripe/looked-at-shop.ts';
import { happen, shopVerbs } from '../../../support/stripe/shop-verbs.ts';

/** What a checkout says, and whose it is while each affiliate has terms. */
const checkouts = {
  code: [{ promotionCode: 'ADA20', reference: 'via_bob' }, 'ada code'],
  metadata: [{ metadata: { latchkey_via: 'bob_sketchpad' }, reference: 'via_ada' }, 'bob metadata'],
  link: [{ promotionCode: 'SPRING', reference: 'via_ada_sketchpad' }, 'ada link'],
  own: [{ reference: 'via_ada', email: 'ADA@example.com' }, 'ada link'],
  nobody: [{ reference: 'order-1' }, null],
} as const;

/** What becomes of the events of a step: how often it is looked at, and by a process that dies after so many calls. */
const fates = ['lost', 'once', 'twice', 'two processes', 'late', 'killed', 'killed'] as const;

const step = fc.record({
  what: fc.oneof(
    fc.constantFrom(
      ...(Object.keys(checkouts) as readonly (keyof typeof checkouts)[]).flatMap((said) =>
        (['subscribe', 'purchase'] as const).map((kind) => ({ kind, said })),
      ),
    ),
    fc.constantFrom(...shopVerbs).map((verb) => ({ kind: 'at Stripe', verb }) as const),
    fc.constantFrom('void', 'restore').map((kind) => ({ kind })),
    fc.integer({ min: 0, max: 40 }).map((percent) => ({ kind: 'terms', percent }) as const),
    fc.constant({ kind: 'end' } as const),
  ),
  /** Which of the sales it is about. */
  which: fc.nat(7),
  seconds: fc.constantFrom(0, 1, 3600, 86_400),
  fate: fc.constantFrom(...fates),
  calls: fc.constantFrom(...range(24)),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const samples: Readonly<Record<string, readonly [short: number, long: number]>> = {
  memory: [30, 600],
  sqlite: [8, 200],
  mongodb: [4, 60],
};

for (const { name, open } of stores) {
  describe(`random histories of the sales of affiliates, on the ${name} store`, () => {
    it('end with what Stripe says now, and with the terms of the checkout', async function () {
      this.timeout(0);
      const [short, long] = samples[name] ?? [4, 60];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (history) => {
          const ports = await open();
          const world = await World.open(ports);
          try {
            for (const each of history) await world.live(each);
            await world.compare();
          } finally {
            await world.at.shop.stop();
            await ports.close();
          }
        }),
        { numRuns: rounds(short, long) },
      );
    });
  });
}

/** What is expected of a checkout, apart from its payments. */
interface Expected {
  readonly id: string;
  readonly seller: string | null;
  readonly terms: Terms | null;
  reason: string | null;
}

class World {
  readonly at: LookedAtShop;
  readonly #ports: OpenedStore;
  readonly #beside: LookAt;
  readonly #expected: Expected[] = [];

  private constructor(at: LookedAtShop, ports: OpenedStore, beside: LookAt) {
    this.at = at;
    this.#ports = ports;
    this.#beside = beside;
  }

  static async open(ports: OpenedStore): Promise<World> {
    const at = await LookedAtShop.open(ports);
    for (const code of ['ADA20', 'SPRING']) at.shop.addPromotionCode({ code });
    for (const handle of ['ada', 'bob']) {
      await ports.affiliates.replace(null, anAffiliate({ handle }), aCall());
      const codes = handle === 'ada' ? ['ada20'] : [];
      const promotion = aPromotion({ handle, productId: 'sketchpad', codes, terms: [aVersion()] });
      await ports.promotions.replace(null, promotion, aCall());
    }
    return new World(at, ports, await lookOver(ports, at.shop));
  }

  async live({ what, which, seconds, fate, calls }: Step): Promise<void> {
    const { at } = this;
    at.now = new Date(at.now.getTime() + seconds * 1000);
    if (what.kind === 'subscribe' || what.kind === 'purchase') return this.#buy(what, { fate, calls });
    const sale = this.#expected[which % Math.max(1, this.#expected.length)];
    if (what.kind === 'terms' || what.kind === 'end') return this.#agree(what, which);
    if (sale === undefined) return;
    if (what.kind === 'at Stripe')
      await this.#look(sale.id, { fate, calls }, () => happen(at.shop, sale.id, what.verb));
    else await this.#operate(sale, what.kind);
  }

  /** Looks at everything once more, and compares it with the facts of the shop. */
  async compare(): Promise<void> {
    const { at } = this;
    at.now = new Date(at.now.getTime() + 1000);
    for (const { id } of this.#expected) await at.lookAt(id);
    for (const { id, seller, terms, reason } of this.#expected) {
      const sale = await this.#find(id);
      // What had no access at its first look was never granted, and so it is nobody's.
      if ((await at.find(id)) === null && sale === null) continue;
      expect(sale && `${sale.handle} ${sale.by}`, id).to.equal(seller);
      if (sale === null) continue;
      expect(sale.terms).to.deep.equal(terms);
      expect(sale.voided?.reason ?? null).to.equal(reason);
      expect(sale.payments, id).to.deep.equal(keptPaymentsOf(at.shop, id));
      expect(await this.#eventsOf(sale)).to.equal(1);
    }
  }

  async #eventsOf({ id }: Sale): Promise<number> {
    await this.#ports.settle();
    const { events } = await this.#ports.events.page('sketchpad', 0, 10_000, aCall());
    return events.filter(({ event }) => event.type === 'sale.attributed' && event.sale.id === id).length;
  }

  async #buy(
    { kind, said }: { readonly kind: 'subscribe' | 'purchase'; readonly said: keyof typeof checkouts },
    fate: Pick<Step, 'fate' | 'calls'>,
  ): Promise<void> {
    const { shop, now } = this.at;
    const [options, named] = checkouts[said];
    const terms = named === null ? null : await this.#termsAt(named.slice(0, 3), now);
    const id =
      kind === 'purchase'
        ? await shop.purchase({ price: 'price_once', ...options })
        : (await shop.subscribe({ price: 'price_pro', ...options })).subscription;
    // Where the first name has no terms, the next one counts: that of the link.
    const next = said === 'code' ? 'bob link' : said === 'metadata' ? 'ada link' : null;
    const others = terms !== null || next === null ? null : await this.#termsAt(next.slice(0, 3), now);
    const seller = terms !== null ? named : others !== null ? next : null;
    const reason = said === 'own' && seller !== null ? 'own_purchase' : null;
    this.#expected.push({ id, seller, terms: terms ?? others, reason });
    await this.#look(id, fate, async () => undefined);
  }

  async #look(id: string, { fate, calls }: Pick<Step, 'fate' | 'calls'>, change: () => Promise<void>): Promise<void> {
    const { at } = this;
    if (fate === 'late') {
      const held = at.shop.faults.hold(
        id.startsWith('cs_') ? 'GET /v1/checkout/sessions/:id' : 'GET /v1/subscriptions/:id',
      );
      const late = at.lookAt(id);
      await held.arrived;
      await change();
      await this.#beside(id, at.call());
      held.release();
      await late;
      return;
    }
    await change();
    if (fate === 'lost') return;
    if (fate === 'killed') {
      const dying = await lookOver(dyingAfter(this.#ports, calls), at.shop);
      await dying(id, at.call()).catch(() => null);
      return;
    }
    if (fate === 'two processes') await Promise.all([at.lookAt(id), this.#beside(id, at.call())]);
    else await at.lookAt(id);
    if (fate === 'twice') await at.lookAt(id);
  }

  async #operate(expected: Expected, kind: string): Promise<void> {
    const { id } = expected;
    if ((await this.#find(id)) === null) return;
    const call = this.at.call();
    if (kind === 'restore') {
      await this.at.administration.restoreSale(id, call);
      expected.reason = null;
      return;
    }
    await this.at.administration.voidSale(id, 'fraud', call);
    expected.reason ??= 'fraud';
  }

  async #agree(what: Extract<Step['what'], { readonly kind: 'terms' | 'end' }>, which: number): Promise<void> {
    const seen = await this.#promotionOf(which % 2 === 0 ? 'ada' : 'bob');
    const by = 'operator:opk_1';
    const next =
      what.kind === 'end'
        ? endedPromotion(seen, by, this.at)
        : agreed(seen, { ...thirty, commissionPercent: what.percent * 100 }, by, this.at);
    if (next !== 'too many' && next !== seen) await this.#ports.promotions.replace(seen, next, aCall());
  }

  async #termsAt(handle: string, at: Date): Promise<Terms | null> {
    return termsAt((await this.#promotionOf(handle)).terms, at);
  }

  async #promotionOf(handle: string): Promise<Promotion> {
    const promotion = await this.#ports.promotions.find(handle, 'sketchpad', aCall());
    if (promotion === null) throw new Error(`${handle} promotes nothing`);
    return promotion;
  }

  #find(id: string): Promise<Sale | null> {
    return this.#ports.sales.find(id, aCall());
  }
}

/** The ports of a process that is killed after so many calls of them. */
function dyingAfter(ports: OpenedStore, calls: number): StorePorts {
  let left = calls;
  const dying = (port: object): object =>
    new Proxy(port, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function') return member;
        return async (...parameters: unknown[]) => {
          left -= 1;
          if (left < 0) throw new Error('the process is killed');
          return Reflect.apply(member, target, parameters) as unknown;
        };
      },
    });
  const own = Object.entries(ports).map(([name, port]) => [name, isPort(port) ? dying(port) : port]);
  return Object.fromEntries(own) as StorePorts;
}

function isPort(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
