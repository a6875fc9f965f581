import { expect } from 'chai';
import type { LookAt } from '../../../adapters/stripe/look/look.ts';
import { agreed, endedPromotion, type Promotion } from '../../../core/affiliate/promotion.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import { termsAt, type Terms } from '../../../core/affiliate/sale/terms.ts';
import { lastMonthOver } from '../../../core/affiliate/statement/month.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall } from '../builders.ts';
import { dyingAfter } from '../stores/interposed.ts';
import type { OpenedStore } from '../stores/stores.ts';
import { keptPaymentsOf } from '../stripe/kept-payments.ts';
import { lookOver } from '../stripe/look-over.ts';
import { LookedAtShop } from '../stripe/looked-at-shop.ts';
import { happen } from '../stripe/shop-verbs.ts';
import { anAffiliate, aPromotion, aVersion, thirty } from './builders.ts';
import { checkouts, type Closing, type Step } from './history-steps.ts';
import { closeLastMonth, StatedMonths, type SoldFacts } from './stated-months.ts';

/** The expected sale of a checkout, apart from its payments. */
interface Expected {
  readonly id: string;
  readonly seller: string | null;
  readonly terms: Terms | null;
  reason: string | null;
}

/** A shop whose affiliates sell, with their sales and statements. */
export class AffiliatesWorld {
  readonly at: LookedAtShop;
  readonly #ports: OpenedStore;
  readonly #beside: LookAt;
  readonly #expected: Expected[] = [];
  readonly #stated: StatedMonths;

  private constructor(at: LookedAtShop, ports: OpenedStore, beside: LookAt) {
    this.at = at;
    this.#ports = ports;
    this.#beside = beside;
    this.#stated = new StatedMonths(ports);
  }

  static async open(ports: OpenedStore): Promise<AffiliatesWorld> {
    const at = await LookedAtShop.open(ports);
    for (const code of ['ADA20', 'SPRING']) at.shop.addPromotionCode({ code });
    for (const handle of ['ada', 'bob']) {
      await ports.affiliates.replace(null, anAffiliate({ handle }), aCall());
      const codes = handle === 'ada' ? ['ada20'] : [];
      const promotion = aPromotion({ handle, productId: 'sketchpad', codes, terms: [aVersion()] });
      await ports.promotions.replace(null, promotion, aCall());
    }
    return new AffiliatesWorld(at, ports, await lookOver(ports, at.shop));
  }

  async live(step: Step): Promise<void> {
    await this.#take(step);
    this.#note();
  }

  async #take({ what, which, seconds, fate, calls }: Step): Promise<void> {
    const { at } = this;
    at.now = new Date(at.now.getTime() + seconds * 1000);
    if (what.kind === 'subscribe' || what.kind === 'purchase') return this.#buy(what, { fate, calls });
    if (what.kind === 'close') return this.#close(what, which, calls);
    const sale = this.#expected[which % Math.max(1, this.#expected.length)];
    if (what.kind === 'terms' || what.kind === 'end') return this.#agree(what, which);
    if (sale === undefined) return;
    if (what.kind === 'at Stripe')
      await this.#look(sale.id, { fate, calls }, () => happen(at.shop, sale.id, what.verb));
    else await this.#operate(sale, what.kind);
  }

  #note(): void {
    for (const { id, terms } of this.#expected)
      if (terms !== null) this.#stated.note(keptPaymentsOf(this.at.shop, id), terms, this.at.now);
  }

  /** Looks at everything once more, and compares it with the facts of the shop. */
  async compare(): Promise<void> {
    const { at } = this;
    at.now = new Date(at.now.getTime() + 1000);
    await this.#lookAtAll();
    for (const { id, seller, terms, reason } of this.#expected) {
      const sale = await this.#find(id);
      // A checkout that gave no access at its first look was never granted, so it has no sale.
      if ((await at.find(id)) === null && sale === null) continue;
      expect(sale && `${sale.handle} ${sale.by}`, id).to.equal(seller);
      if (sale === null) continue;
      expect(sale.terms).to.deep.equal(terms);
      expect(sale.voided?.reason ?? null).to.equal(reason);
      expect(sale.payments, id).to.deep.equal(keptPaymentsOf(at.shop, id));
      expect(await this.#eventsOf(sale)).to.equal(1);
    }
  }

  /** Closes what is left once every hold has ended, and compares all statements with the facts of the shop. */
  async compareStatements(): Promise<void> {
    await this.#close({ kind: 'close', how: 'once', isLookedAt: true, months: 2, verb: 'renew' }, 0, 0);
    this.#stated.expectAll(await this.#sold());
    await this.#ports.settle();
    expect((await this.at.administration.checkStore(() => this.at.call())).filter(({ ok }) => !ok)).to.deep.equal([]);
  }

  /**
   * Closes the last month that is over, so many months later. What happens to one sale at Stripe is not looked at: it happens
   * before these months, or while a look beside the closing reads the sale.
   */
  async #close({ how, isLookedAt, months, verb }: Closing, which: number, calls: number): Promise<void> {
    const { at } = this;
    const sales = await this.#sold();
    const { entitlementId: id = null } = sales[which % sales.length] ?? {};
    const isBeside = how === 'beside a look' && id !== null;
    if (!isBeside && id !== null) await happen(at.shop, id, verb);
    this.#note();
    at.now = new Date(Date.UTC(at.now.getUTCFullYear(), at.now.getUTCMonth() + months, 1, 12));
    if (isLookedAt) await this.#lookAtAll();
    const sold = await this.#sold();
    const close = (ports: StorePorts = this.#ports): Promise<void> => closeLastMonth(ports, at.now);
    if (isBeside) {
      const look = await this.#heldLook(id);
      await happen(at.shop, id, verb);
      await close();
      await look.end();
    } else if (how === 'by two processes') await Promise.all([close(), close()]);
    else {
      if (how === 'killed') await close(dyingAfter(this.#ports, calls)).catch(() => null);
      await close();
    }
    await this.#stated.read(lastMonthOver(at.now), sold, isLookedAt);
  }

  async #lookAtAll(): Promise<void> {
    for (const { id } of this.#expected) await this.at.lookAt(id);
  }

  /** The sales of affiliates, by the facts of the shop. */
  async #sold(): Promise<readonly (SoldFacts & Pick<Sale, 'entitlementId'>)[]> {
    const sold = await Promise.all(
      this.#expected.map(async ({ id, terms, reason }) => {
        const sale = await this.#find(id);
        const payments = keptPaymentsOf(this.at.shop, id);
        return sale === null || terms === null
          ? []
          : [{ ...sale, sale: sale.id, terms, isVoid: reason !== null, payments }];
      }),
    );
    return sold.flat();
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
      const look = await this.#heldLook(id);
      await change();
      await this.#beside(id, at.call());
      await look.end();
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

  /** Begins a look that waits for the answer of Stripe until it is to end. */
  async #heldLook(id: string): Promise<{ readonly end: () => Promise<unknown> }> {
    const { at } = this;
    const isPurchase = id.startsWith('cs_');
    const held = at.shop.faults.hold(isPurchase ? 'GET /v1/checkout/sessions/:id' : 'GET /v1/subscriptions/:id');
    const look = at.lookAt(id);
    await held.arrived;
    return {
      end: () => {
        held.release();
        return look;
      },
    };
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
